"""Evidence with and without the graph's facts: how much of an answer a model would be given."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from eval import answer_set, graph_set
from eval.answer_text import holds
from functions.asker import Asker
from functions.tools.query import checked_body
from functions.tools.rag import RagBody, run
from index_artifacts.rag.facts import ask_graph, fact_passages
from index_artifacts.rag.profiles import Profile
from index_artifacts.rag.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from eval.golden_set import GoldenSet, Question
    from functions.state import State

    Progress = Callable[[str, int, int], None]

RAG, GRAPH, JOINED = "rag", "graph", "joined"
ENGINES = (RAG, GRAPH, JOINED)


@dataclass(frozen=True, slots=True)
class ContextRun:
    """One kind of evidence over a set.

    ``recall`` is the mean share of a question's expected strings that the evidence holds,
    ``whole`` the share of questions of which it holds all, ``empty`` of those for which there is
    none. ``tokens`` is the mean of the evidence alone, as estimated.
    """

    engine: str
    questions: int
    recall: float
    whole: float
    empty: float
    tokens: float


def compare_contexts(
    state: State, golden: GoldenSet, progress: Progress = lambda *_: None
) -> tuple[ContextRun, ...]:
    """Gather the evidence for every question of ``golden`` that has an answer in strings.

    Questions that need a conversation before them are left out.
    """
    asked = [(question, wanted) for question in golden.questions if (wanted := _wanted(question))]
    found: dict[str, list[tuple[float, int]]] = {engine: [] for engine in ENGINES}
    for number, (question, wanted) in enumerate(asked):
        progress("gathering evidence", number, len(asked))
        for engine in ENGINES:
            context = _context(state, question.question, engine)
            share = fmean(any(holds(context, one) for one in spellings) for spellings in wanted)
            found[engine].append((share, estimate_tokens(context) if context else 0))
    return tuple(_run(engine, found[engine]) for engine in ENGINES)


def _wanted(question: Question) -> tuple[tuple[str, ...], ...]:
    """The strings that evidence should hold, each in any of its spellings."""
    if "outcome" in question.extra:
        expected = graph_set.expected_of(question)
        named = [one for one in expected.answers if one["type"] not in {"count", "boolean"}]
        return tuple((str(one["value"]), *one.get("names", ())) for one in named)
    wanted = answer_set.expected_of(question)
    return () if wanted.history else wanted.facts


def _context(state: State, question: str, engine: str) -> str:
    if engine == GRAPH:
        searcher = state.version().searcher
        body = checked_body(RagBody, query=question)
        known = ask_graph(searcher, body.search_request(), Profile())
        return "\n".join(passage.text for passage in fact_passages(known, "en"))
    choice = "auto" if engine == JOINED else "rag"
    return run(checked_body(RagBody, query=question, engine=choice), Asker.owner(state)).context


def _run(engine: str, found: list[tuple[float, int]]) -> ContextRun:
    shares, tokens = [share for share, _ in found] or [0.0], [count for _, count in found] or [0]
    return ContextRun(
        engine=engine,
        questions=len(found),
        recall=fmean(shares),
        whole=fmean(share == 1 for share in shares),
        empty=fmean(not count for count in tokens),
        tokens=fmean(tokens),
    )
