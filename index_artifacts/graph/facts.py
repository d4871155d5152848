"""The typed facts that prove an answer, each with the places where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from index_artifacts.graph import query as q

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.graph.model import Value
    from index_artifacts.graph.query import Query
    from index_artifacts.graph.rows import Row
    from index_artifacts.graph.tables import GraphTables, Node, Standing

_ATTRIBUTES = {q.YEAR: q.WORK, q.KIND: q.WORK, q.STATE: q.WORK, q.START: q.STUDENT}
"""Slot that is an attribute → the slot of the entity that has it."""

_RELATIONS = {
    q.STUDENT: ("AUTHORED", "HAS_WORK"), q.SUPERVISOR: ("SUPERVISED",), q.TOPIC: ("ABOUT",),
    q.KEYWORD: ("HAS_KEYWORD",), q.CATEGORY: ("IN_CATEGORY",),
    q.PAGE_AUTHOR: ("AUTHORED_DOCUMENT",), q.PAGE: ("HAS_DOCUMENT",),
}  # fmt: skip
"""Slot → the relations that join it to the rest of its row."""


@dataclass(frozen=True, slots=True)
class Fact:
    """``subject`` RELATION ``object``, or the value of an attribute of ``subject``."""

    subject: Node
    relation: str = ""
    object: Node | None = None
    attribute: str = ""
    value: Value | None = None
    evidence: tuple[Standing, ...] = ()


def facts_of(
    tables: GraphTables, query: Query, rows: Sequence[Row]
) -> tuple[tuple[Fact, ...], tuple[tuple[int, ...], ...]]:
    """The facts of ``rows`` that ``query`` speaks of, each once, and for each row its own."""
    slots = _slots(query)
    nodes = tables.nodes({id_ for row in rows for id_ in _entities(row)})
    facts: dict[Any, Fact] = {}
    first = _RELATIONS.get(query.asked, ())
    of_rows = [
        # What is asked for comes first.
        sorted(
            [*_edge_keys(row, slots), *_attribute_keys(row, slots)],
            key=lambda key: not _is_asked(key, query.asked, first),
        )
        for row in rows
    ]
    for key in dict.fromkeys(key for keys in of_rows for key in keys):
        if fact := _fact(tables, nodes, key):
            facts[key] = fact
    numbered = {key: number for number, key in enumerate(facts)}
    paths = [tuple(numbered[key] for key in keys if key in numbered) for keys in of_rows]
    return tuple(facts.values()), tuple(paths)


def _is_asked(key: tuple[str, Any], asked: str, relations: Sequence[str]) -> bool:
    kind, content = key
    return content.relation in relations if kind == "edge" else content[1] == asked


def _slots(query: Query) -> frozenset[str]:
    """Everything that the query asks for or restricts."""
    named = [condition.slot for condition in query.everything]
    same = list(query.same.slots) if query.same else []
    ordered = [query.by] if query.form in {q.FIRST, q.LAST, q.EARLIER, q.LATER} else []
    slots = {query.asked, *named, *same, *ordered}
    if slots & {q.YEAR, q.KIND, q.STATE} and query.table == q.WORKS:
        slots.add(q.WORK)
    if q.WORK in slots and not slots & {q.SUPERVISOR, q.TOPIC}:
        slots.add(q.STUDENT)
    if query.table == q.WORKS and slots & {q.SUPERVISOR, q.TOPIC}:
        slots |= {q.WORK, q.STUDENT} if q.STUDENT in slots else {q.WORK}
    return frozenset(slots)


def _entities(row: Row) -> Iterable[int]:
    for slot in (q.WORK, q.STUDENT, q.SUPERVISOR, q.TOPIC, q.PAGE, q.PAGE_AUTHOR, q.KEYWORD,
                 q.CATEGORY):  # fmt: skip
        yield from row.get(slot)
    for edge in row.edges:
        yield edge.source
        yield edge.target


def _edge_keys(row: Row, slots: frozenset[str]) -> list[tuple[str, Any]]:
    wanted = {name for slot in slots for name in _RELATIONS.get(slot, ())}
    return [("edge", edge) for edge in row.edges if edge.relation in wanted]


def _attribute_keys(row: Row, slots: frozenset[str]) -> list[tuple[str, Any]]:
    return [
        ("attribute", (owner, slot))
        for slot, of in _ATTRIBUTES.items()
        if slot in slots and row.get(slot)
        for owner in row.get(of)
    ]


def _fact(tables: GraphTables, nodes: dict[int, Node], key: tuple[str, Any]) -> Fact | None:
    kind, content = key
    if kind == "edge":
        if content.source not in nodes or content.target not in nodes:
            return None
        return Fact(
            nodes[content.source],
            content.relation,
            nodes[content.target],
            evidence=tuple(tables.standing(relation=content.id)),
        )
    owner, attribute = content
    if owner not in nodes or attribute not in nodes[owner].attributes:
        return None
    return Fact(
        nodes[owner],
        attribute=attribute,
        value=nodes[owner].attributes[attribute],
        evidence=tuple(tables.standing(entity=owner, attribute=attribute)),
    )
