"""The graph's facts as evidence: a piece for each page that they stand on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from index_artifacts.documents import describe_documents
from index_artifacts.graph.search import (
    AMBIGUOUS,
    ANSWERED,
    NO_FACTS,
    NOT_UNDERSTOOD,
    UNKNOWN,
    open_graph,
)
from index_artifacts.graph.telling import tell_fact
from index_artifacts.rag.passages import Passage
from index_artifacts.rag.profiles import NONE

if TYPE_CHECKING:
    from index_artifacts.graph.facts import Fact
    from index_artifacts.graph.search import GraphAnswer
    from index_artifacts.graph.tables import GraphTables
    from index_artifacts.rag.profiles import Profile
    from index_artifacts.search import Searcher, SearchRequest


ASKED_FOR = "asked for"
REASONS = {
    ANSWERED: "the question is understood, and the graph holds the facts",
    AMBIGUOUS: "the question names somebody who may be any of several",
    NO_FACTS: "the question is understood, and the graph, complete there, holds no such fact",
}
"""Why the graph answers where it was not asked for by name."""

NOT_BY_GRAPH = {
    NOT_UNDERSTOOD: "no question about facts that the graph lists",
    UNKNOWN: "the graph does not know whom the question names",
    NO_FACTS: "the graph holds no such fact, and may lack some",
}
"""Why pages answer instead."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the graph says to a question, and its tables as the request may see them."""

    tables: GraphTables
    found: GraphAnswer

    @property
    def answers(self) -> bool:
        """True where there are facts to join to the evidence."""
        return self.found.outcome == ANSWERED and bool(self.found.facts)


def ask_graph(searcher: Searcher, request: SearchRequest, profile: Profile) -> Known:
    """What the graph says to ``request``, as far as ``profile`` may see it.

    Raises `QueryError` for a collection that the version or the profile does not have.
    """
    narrowed = replace(request, collections=profile.narrow(request.collections))
    graph = open_graph(searcher.index, narrowed, nothing=profile.mode == NONE)
    return Known(graph.tables, graph.search(request.query))


def fact_passages(known: Known | None, language: str) -> tuple[Passage, ...]:
    """What the graph answered, a line a fact, under the pages that they stand on.

    A fact that stands on several pages is told of the first. Lines are those of the page.
    """
    if known is None or not known.answers:
        return ()
    told: dict[str, list[tuple[str, Fact]]] = defaultdict(list)
    for fact in known.found.facts:
        line = tell_fact(fact, language)
        if line and fact.evidence:
            told[fact.evidence[0].path].append((line, fact))
    return tuple(
        Passage(
            document=page,
            heading_path=(),
            text="\n".join(f"- {line}" for line, _ in told[page.id]),
            line=min(fact.evidence[0].line for _, fact in told[page.id]),
            last_line=max(fact.evidence[0].last_line for _, fact in told[page.id]),
            chunk_ids=(),
            rank=0,
        )
        for page in describe_documents(known.tables.index, list(told))
    )
