"""Answering from the graph: each thing that was asked for on a line, with where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.answer import ANSWERED, GRAPH, REFUSED, Answer
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.rendering import render_answer
from index_artifacts.documents import describe_documents
from index_artifacts.graph.search import AMBIGUOUS, NO_FACTS
from index_artifacts.graph.search import ANSWERED as KNOWN
from index_artifacts.graph.telling import ask_who, tell
from index_artifacts.rag.passages import Passage
from index_artifacts.rag.rules import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.facts import Fact
    from index_artifacts.graph.search import GraphAnswer
    from index_artifacts.graph.tables import Standing
    from index_artifacts.hits import DocumentInfo
    from index_artifacts.rag.facts import Known

FACTS = "facts"
MOST_SOURCES = 20
"""How many pages an answer names; a longer list is cut, and says so."""


def settles(found: GraphAnswer) -> bool:
    """True where pages could only say less than the graph: it answers, asks back, or knows better.

    A name with two bearers is asked back, for a page of either would pass for the answer. That
    there is no such fact is known only where the graph is complete.
    """
    return found.outcome in {KNOWN, AMBIGUOUS} or (found.outcome == NO_FACTS and found.complete)


def graph_answer(known: Known, language: str, reason: str) -> Answer:
    """The answer, the question back, or the refusal that ``known`` stands for."""
    tables, found = known.tables, known.found
    if found.outcome != KNOWN:
        return _refusal(found, language, reason)
    standings = _standings(found.facts)
    shown = list(standings)[:MOST_SOURCES]
    numbers = {path: number for number, path in enumerate(shown, 1)}
    sources = tuple(
        _passage(page, standings[page.id], number)
        for number, page in enumerate(describe_documents(tables.index, shown), 1)
    )
    claims = tuple(
        _claim(line, [found.facts[n] for n in proof], numbers)
        for line, proof in zip(tell(tables, found, language), found.proofs, strict=True)
    )
    claims = tuple(claim for claim in claims if claim.citations or not sources)
    cut = found.truncated or len(standings) > MOST_SOURCES
    return Answer(
        text=render_answer(claims, sources, (), wording(language)),
        outcome=ANSWERED,
        reason="",
        language=language,
        generator=FACTS,
        engine=GRAPH,
        engine_reason=reason,
        claims=claims,
        sources=sources,
        confidence=1.0,
        complete=found.complete and not cut,
        truncation_reasons=("limit",) if cut else (),
    )


def _refusal(found: GraphAnswer, language: str, reason: str) -> Answer:
    ambiguous = found.outcome == AMBIGUOUS
    return Answer(
        text=ask_who(found.candidates, language) if ambiguous else wording(language).refusal,
        outcome=REFUSED,
        reason=found.reason,
        language=language,
        generator=FACTS,
        engine=GRAPH,
        engine_reason=reason,
        complete=found.complete,
    )


def _standings(facts: Sequence[Fact]) -> dict[str, Standing]:
    """The pages that ``facts`` stand on, each with the first place there."""
    found: dict[str, Standing] = {}
    for fact in facts:
        for standing in fact.evidence:
            found.setdefault(standing.path, standing)
    return found


def _passage(page: DocumentInfo, standing: Standing, number: int) -> Passage:
    heading = (standing.heading,) if standing.heading else ()
    return Passage(
        page, heading, standing.text, standing.line, standing.last_line, chunk_ids=(), rank=number
    )


def _claim(line: str, proof: Sequence[Fact], numbers: dict[str, int]) -> Claim:
    """A line of the answer; its quote is what the page says where the first fact stands."""
    standings = _standings(proof)
    cited = sorted({numbers[path] for path in standings if path in numbers})
    quote = next((standing.text for standing in standings.values() if standing.text), "")
    return Claim(line, tuple(cited), quote)
