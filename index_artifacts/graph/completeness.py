"""Whether the graph provably holds everything that a query asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q

if TYPE_CHECKING:
    from index_artifacts.graph.query import Query
    from index_artifacts.graph.rows import Works
    from index_artifacts.graph.tables import GraphTables

_ABOUT = {
    q.WORK: ("Thesis", "Work"), q.STUDENT: ("Person", "Thesis", "Work"),
    q.SUPERVISOR: ("Thesis", "Work", "supervisor"), q.TOPIC: ("Thesis", "Work", "Topic"),
    q.YEAR: ("Thesis", "Work", "year"), q.KIND: ("Thesis", "Work", "kind"),
    q.STATE: ("Thesis", "Work", "state"), q.START: ("Person", "start_year"),
}  # fmt: skip
"""Slot → what a gap has to be about to leave it open."""


_CONFINING = frozenset([q.STUDENT, q.WORK, q.PAGE])


def is_complete(query: Query, works: Works, tables: GraphTables) -> bool:
    """True where no page that could not be read may hold more of what ``query`` asks for.

    What is asked of named people or works stands on their pages; of pages, everything is known
    that was read, and what was not read is in no table.
    """
    if not tables.index.graph_is_whole:
        return False
    slots = {query.asked, *(condition.slot for condition in query.everything)}
    if query.table == q.WORKS and not any(row.get(q.WORK) for row in works.rows):
        return False  # the rules that a version was built with read no works at all
    open_pages = {
        path
        for slot in slots
        for about in _ABOUT.get(slot, ("Document",))
        for path in tables.gaps.get(about, ())
    }
    if not open_pages:
        return True
    named = _pages_of_named(query, tables)
    return bool(named) and not open_pages & named


def _pages_of_named(query: Query, tables: GraphTables) -> set[str]:
    """The pages of the people or works that the query is confined to; empty where it is not."""
    if query.same or query.missing:
        return set()
    confined = [
        condition
        for condition in query.everything
        if condition.slot in _CONFINING and condition.values and not condition.negated
    ]
    ids = {value for condition in confined for value in condition.values}
    return {standing.path for id_ in ids for standing in tables.standing(entity=id_)}
