"""The graph as two tables to ask: works with their people, and pages with what is said of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from index_artifacts.graph import query as q
from index_artifacts.graph.model import DOCUMENT, PERSON, THESIS, WORK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.graph.tables import Edge, GraphTables, Node

_OF_WORKS = ("AUTHORED", "HAS_WORK", "SUPERVISED", "ABOUT", "HAS_DOCUMENT")
_OF_PAGES = ("HAS_KEYWORD", "IN_CATEGORY", "AUTHORED_DOCUMENT")


@dataclass(frozen=True, slots=True)
class Row:
    """What belongs together: slot → values, which are ids of entities, years, kinds or states.

    ``edges`` are the relations that join them.
    """

    values: dict[str, tuple[Any, ...]]
    edges: tuple[Edge, ...] = ()

    def get(self, slot: str) -> tuple[Any, ...]:
        """The values of ``slot``; empty where the graph has none."""
        return self.values.get(slot, ())


@dataclass(frozen=True, slots=True)
class Works:
    """A row for each work and each of its authors, and one for each person without a work."""

    rows: tuple[Row, ...]
    nodes: dict[int, Node]
    students: frozenset[int] = frozenset()
    supervisors: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Joins:
    """Edges by what they join."""

    by_target: dict[tuple[str, int], list[Edge]] = field(default_factory=lambda: defaultdict(list))
    by_source: dict[tuple[str, int], list[Edge]] = field(default_factory=lambda: defaultdict(list))

    def add(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            self.by_target[edge.relation, edge.target].append(edge)
            self.by_source[edge.relation, edge.source].append(edge)

    def to(self, target: int, *relations: str) -> list[Edge]:
        return [edge for name in relations for edge in self.by_target.get((name, target), ())]

    def out_of(self, source: int, *relations: str) -> list[Edge]:
        return [edge for name in relations for edge in self.by_source.get((name, source), ())]


def read_works(tables: GraphTables) -> Works:
    """Every work and person that ``tables`` show."""
    nodes = {node.id: node for node in tables.of_types((PERSON, THESIS, WORK))}
    joins = _Joins()
    joins.add(tables.edges(relations=_OF_WORKS))
    pages = {edge.target for edge in tables.edges(relations=("HAS_DOCUMENT",))}
    nodes |= tables.nodes(pages)
    joins.add(tables.edges(sources=pages, relations=("HAS_KEYWORD", "IN_CATEGORY")))
    joins.add(tables.edges(targets=pages, relations=("AUTHORED_DOCUMENT",)))
    rows: list[Row] = []
    students: set[int] = set()
    supervisors: set[int] = set()
    for node in nodes.values():
        if node.type not in {THESIS, WORK}:
            continue
        authors = joins.to(node.id, "AUTHORED", "HAS_WORK")
        led = joins.to(node.id, "SUPERVISED")
        supervisors |= {edge.source for edge in led}
        students |= {edge.source for edge in authors}
        by_author: list[Edge | None] = [*authors] if authors else [None]
        rows += [_row(node, author, led, joins, nodes) for author in by_author]
    # Who began to study is a student, though without a work yet; a teacher with a page is none.
    alone = [
        node.id
        for node in nodes.values()
        if node.type == PERSON and node.id not in students and q.START in node.attributes
    ]
    rows += [Row(_of_person(person, joins, nodes)) for person in alone]
    students.update(alone)
    return Works(tuple(rows), nodes, frozenset(students), frozenset(supervisors))


def _row(
    work: Node, author: Edge | None, led: list[Edge], joins: _Joins, nodes: dict[int, Node]
) -> Row:
    about = joins.out_of(work.id, "ABOUT")
    values = _of_person(author.source, joins, nodes) if author else {}
    values |= {
        q.WORK: (work.id,),
        q.STUDENT: (author.source,) if author else (),
        q.SUPERVISOR: tuple(edge.source for edge in led),
        q.TOPIC: tuple(edge.target for edge in about),
    }
    for slot in (q.YEAR, q.KIND, q.STATE):
        if slot in work.attributes:
            values[slot] = (work.attributes[slot],)
    return Row(values, (*([author] if author else []), *led, *about))


def _of_person(person: int, joins: _Joins, nodes: dict[int, Node]) -> dict[str, tuple[Any, ...]]:
    """What is known of a person: the start of studies, and the page about them."""
    node = nodes.get(person)
    start = node.attributes.get(q.START) if node else None
    # Other pages of theirs, such as minutes, have keywords of their own.
    own = [
        edge.target
        for edge in joins.out_of(person, "HAS_DOCUMENT")
        if node and edge.target in nodes and nodes[edge.target].page == node.page
    ]
    return {
        q.STUDENT: (person,),
        q.START: (start,) if start else (),
        q.PAGE: tuple(own),
        q.KEYWORD: _targets(joins, own, "HAS_KEYWORD"),
        q.CATEGORY: _targets(joins, own, "IN_CATEGORY"),
        q.PAGE_AUTHOR: tuple(e.source for page in own for e in joins.to(page, "AUTHORED_DOCUMENT")),
    }


def _targets(joins: _Joins, pages: Iterable[int], relation: str) -> tuple[int, ...]:
    return tuple(edge.target for page in pages for edge in joins.out_of(page, relation))


def read_pages(tables: GraphTables) -> tuple[Row, ...]:
    """Every page that ``tables`` show, with its authors, keywords and categories."""
    joins = _Joins()
    edges = tables.edges(relations=_OF_PAGES)
    joins.add(edges)
    pages = [node.id for node in tables.of_types((DOCUMENT,))]
    rows = []
    for page in pages:
        authors = joins.to(page, "AUTHORED_DOCUMENT")
        keywords = joins.out_of(page, "HAS_KEYWORD")
        categories = joins.out_of(page, "IN_CATEGORY")
        values = {
            q.PAGE: (page,),
            q.PAGE_AUTHOR: tuple(edge.source for edge in authors),
            q.KEYWORD: tuple(edge.target for edge in keywords),
            q.CATEGORY: tuple(edge.target for edge in categories),
        }
        rows.append(Row(values, (*authors, *keywords, *categories)))
    return tuple(rows)
