"""Answering a question from the graph: understand, evaluate, and say on what it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.filters import allowed_documents, chosen_collections
from index_artifacts.graph import query as q
from index_artifacts.graph.completeness import is_complete
from index_artifacts.graph.description import describe_query
from index_artifacts.graph.evaluation import Found, evaluate
from index_artifacts.graph.facts import Fact, facts_of
from index_artifacts.graph.people import Roles
from index_artifacts.graph.reading import read_question
from index_artifacts.graph.rows import Row, Works, read_pages, read_works
from index_artifacts.graph.tables import GraphTables, Node
from index_artifacts.graph.understanding import understand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.mention import Mention
    from index_artifacts.graph.query import Query
    from index_artifacts.index import Index, Mask
    from index_artifacts.search_records import SearchRequest

ANSWERED, NO_FACTS, AMBIGUOUS = "answered", "no_facts", "ambiguous"
UNKNOWN, NOT_UNDERSTOOD = "unknown_entity", "not_understood"

_NO_GRAPH = (
    "who may not read every collection has no graph until the others are declared private in "
    "edgewiki.toml"
)

DEFAULT_LIMIT = 100
"""How many values an answer lists."""


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """What the graph says to a question.

    ``values`` of the slot ``asked`` are entities, years, kinds or states; of a count its number,
    of yes or no a bool. ``facts`` prove them, ``paths`` are positions in them that belong
    together, and ``proofs`` those that prove each value. ``complete``: the graph provably holds
    all there is. ``candidates`` are the bearers of an ambiguous name.
    """

    outcome: str
    reason: str = ""
    asked: str = ""
    form: str = ""
    values: tuple[Any, ...] = ()
    mentions: tuple[Mention, ...] = ()
    candidates: tuple[Node, ...] = ()
    facts: tuple[Fact, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    proofs: tuple[tuple[int, ...], ...] = ()
    complete: bool = False
    truncated: bool = False
    query: Query | None = None
    understood: str = ""


class Graph:
    """A version's graph as a request may see it; its rows are read by the first question."""

    def __init__(self, index: Index, documents: Mask) -> None:
        self.tables = GraphTables(index, documents)
        self._works: Works | None = None
        self._pages: tuple[Row, ...] | None = None

    @property
    def works(self) -> Works:
        """The table of works."""
        if self._works is None:
            self._works = read_works(self.tables)
        return self._works

    @property
    def pages(self) -> tuple[Row, ...]:
        """The table of pages."""
        if self._pages is None:
            self._pages = read_pages(self.tables)
        return self._pages

    def search(self, question: str, limit: int = DEFAULT_LIMIT) -> GraphAnswer:
        """Answer ``question`` with ``limit`` values at most."""
        if not self.tables.index.has_graph:
            return GraphAnswer(NOT_UNDERSTOOD, _NO_GRAPH)
        reading = read_question(self.tables, question, Lemmatiser(self.tables.index))
        understood = understand(reading, Roles(self.works))
        mentions = understood.mentions
        if understood.ambiguous:
            reason = f"{understood.ambiguous.text!r} may be any of several"
            return GraphAnswer(
                AMBIGUOUS, reason, mentions=mentions, candidates=understood.ambiguous.nodes
            )
        if understood.unknown:
            reason = f"the graph knows nobody called {understood.unknown.text!r}"
            return GraphAnswer(UNKNOWN, reason, mentions=mentions)
        if understood.query is None:
            return GraphAnswer(NOT_UNDERSTOOD, understood.why_not, mentions=mentions)
        return self._answer(understood.query, mentions, limit)

    def _answer(self, query: Query, mentions: tuple[Mention, ...], limit: int) -> GraphAnswer:
        rows = self.pages if query.table == q.PAGES else self.works.rows
        found = evaluate(query, rows)
        complete = is_complete(query, self.works, self.tables)
        values, outcome = _told(query, found, complete)
        shown = values[:limit]
        cut = len(shown) < len(values)
        rows = _shown(query, found, shown)
        facts, paths = facts_of(self.tables, query, rows)
        return GraphAnswer(
            outcome=outcome,
            reason="" if outcome == ANSWERED else "the graph holds no such fact",
            asked=query.asked,
            form=q.WHETHER if query.claimed else query.form,
            values=shown,
            mentions=mentions,
            facts=facts,
            paths=tuple(dict.fromkeys(path for path in paths if path)),
            proofs=tuple(_proof(query, value, rows, paths) for value in shown),
            complete=complete and not cut,
            truncated=cut,
            query=query,
            understood=describe_query(query, self.tables),
        )


def _told(query: Query, found: Found, complete: bool) -> tuple[tuple[Any, ...], str]:
    if query.form == q.COUNT:
        return (len(found.values),), ANSWERED
    if query.claimed and found.values:
        first = query.compared[0]
        wanted = {first.years[0].first} if first.years else set(first.values)
        return (set(found.values) == wanted,), ANSWERED
    if query.form == q.WHETHER:
        # What the graph does not hold is false only where it would have to hold it.
        if found.values or complete:
            return (bool(found.values),), ANSWERED
        return (), NO_FACTS
    return found.values, ANSWERED if found.values else NO_FACTS


def _proof(
    query: Query, value: Any, rows: Sequence[Row], paths: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """Positions of the facts that prove ``value``; of a number, or of yes and no, all of them."""
    whole = query.form in {q.COUNT, q.WHETHER}
    of_rows = [
        path
        for row, path in zip(rows, paths, strict=True)
        if whole or value in row.get(query.asked)
    ]
    return tuple(dict.fromkeys(number for path in of_rows for number in path))


def _shown(query: Query, found: Found, shown: tuple[Any, ...]) -> tuple[Row, ...]:
    """The rows that what is shown stands in."""
    if query.form in {q.COUNT, q.WHETHER} or query.compared:
        return found.rows[:DEFAULT_LIMIT]
    return tuple(row for row in found.rows if set(row.get(query.asked)) & set(shown))


_opened: WeakKeyDictionary[Index, dict[bytes, Graph]] = WeakKeyDictionary()
_MOST_OPENED = 8


def open_graph(index: Index, request: SearchRequest, *, nothing: bool = False) -> Graph:
    """The graph of a version as ``request`` may see it; what was opened before is kept.

    ``nothing`` may be seen at all where a profile searches no collection. Raises `QueryError` for
    an unknown collection.
    """
    documents = _visible(index, request) & (not nothing)
    known = _opened.setdefault(index, {})
    key = np.packbits(documents).tobytes()
    if key not in known:
        if len(known) >= _MOST_OPENED:
            known.pop(next(iter(known)))
        known[key] = Graph(index, documents)
    return known[key]


def _visible(index: Index, request: SearchRequest) -> Mask:
    documents = allowed_documents(index, request)
    chosen = chosen_collections(index, request.collections)
    if len(chosen) == len(index.collections):
        return documents
    inside = np.zeros(len(documents), dtype=bool)
    for collection in chosen:
        inside[index.chunk_document[collection.slice]] = True
    return np.asarray(documents & inside)
