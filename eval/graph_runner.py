"""The graph runner: asks every question as HTTP does, and judges what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

from eval.graph_outcomes import GraphOutcome, GraphRun
from eval.graph_set import ANSWERED, expected_of, missing, unexpected
from eval.graph_variants import PLAIN, vary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eval.golden_set import GoldenSet, Question
    from eval.graph_facts import KnownFacts

Response = Mapping[str, Any]
"""What ``POST /graph/search`` gives: outcome, answers, candidates, facts, complete and reason."""
Ask = Callable[[str], Response]
"""Whatever answers a question in that form; other ways to answer it can be measured alike."""
Progress = Callable[[str, int, int], None]
"""Called with a phase, how much of it is done and how much there is."""


def measure_graph(
    ask: Ask,
    golden: GoldenSet,
    known: KnownFacts,
    *,
    version: str = "",
    variant: str = PLAIN,
    progress: Progress = lambda *_: None,
    test_looks: int = 0,
) -> GraphRun:
    """Ask all questions of ``golden``, each written as ``variant`` says.

    Raises `ConfigError` for a question that is not of a graph set, and whatever ``ask`` does.
    """
    outcomes = []
    for number, question in enumerate(golden.questions):
        progress("asking", number, len(golden.questions))
        outcomes.append(_ask(question, ask, known, variant))
    progress("asking", len(outcomes), len(outcomes))
    return GraphRun(
        golden=golden.name,
        golden_sha256=golden.sha256,
        split=golden.split,
        version=version,
        variant=variant,
        outcomes=tuple(outcomes),
        known=known.count,
        overridden=golden.overridden,
        test_looks=test_looks,
    )


def _ask(question: Question, ask: Ask, known: KnownFacts, variant: str) -> GraphOutcome:
    mentions = expected_of(question).mentions
    text = vary(variant, question.question, question.lang, mentions, key=question.id)
    started = perf_counter()
    response = ask(text)
    milliseconds = (perf_counter() - started) * 1000
    return judge(question, response, known, asked=text, milliseconds=milliseconds)


def judge(
    question: Question,
    response: Response,
    known: KnownFacts,
    *,
    asked: str = "",
    milliseconds: float = 0.0,
) -> GraphOutcome:
    """Hold a response against what is expected of the question and against what is known."""
    expected, answers = expected_of(question), response["answers"]
    lacking, extra = missing(expected.answers, answers), unexpected(expected.answers, answers)
    denied = [fact for fact in response["facts"] if known.denies(fact)]
    candidates = None
    if expected.candidates:
        given = response["candidates"]
        wrong = [*missing(expected.candidates, given), *unexpected(expected.candidates, given)]
        candidates = not wrong
    shown = question.split != "test"
    return GraphOutcome(
        question=question.id,
        lang=question.lang,
        kind=question.kind,
        split=question.split,
        expected=expected.outcome,
        outcome=response["outcome"],
        missing=len(lacking),
        extra=len(extra),
        wrong=len(extra) if response["outcome"] == ANSWERED else 0,
        candidates=candidates,
        denied=len(denied),
        claimed=bool(response["complete"]),
        complete=expected.complete,
        milliseconds=round(milliseconds, 3),
        asked=asked if shown else "",
        reason=response["reason"] if shown else "",
        notes=_notes(lacking, extra, denied) if shown else (),
    )


def _notes(lacking: Iterable[Response], extra: Iterable[Response], denied: Iterable[Response]
           ) -> tuple[str, ...]:  # fmt: skip
    return (
        *(f"lacks {one['type']} {one['value']!r}" for one in lacking),
        *(f"has {one.get('type')} {one.get('value')!r}" for one in extra),
        *(f"denied: {_told(fact)}" for fact in denied),
    )


def _told(fact: Response) -> str:
    name = fact["subject"].get("name")
    if fact.get("attribute"):
        return f"{name} {fact['attribute']} {fact['value']!r}"
    return f"{name} {fact['relation']} {(fact['object'] or {}).get('name')}"
