"""Collecting entities and relations, each with everything that speaks for it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from index_artifacts.graph.model import ENTITY_TYPES, Entity, KnowledgeGraph, Provenance, Relation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.graph.model import Gap, Value
    from index_artifacts.records import Document


class Places:
    """Makes provenance on one page: the chunk of a line is looked up."""

    def __init__(self, document: Document) -> None:
        self._path, self._chunks = document.path, document.chunks
        self._starts = [chunk.line for chunk in document.chunks]

    def at(self, line: int, rule: str, attribute: str = "", last_line: int = 0) -> Provenance:
        """Where something stands; ``last_line`` 0 is the same line."""
        return Provenance(self._path, line, last_line or line, rule, self._chunk(line), attribute)

    def _chunk(self, line: int) -> int | None:
        """The ordinal of the first chunk that holds a line: of chunks overlapping, the earlier."""
        last = bisect_right(self._starts, line) - 1
        while last > 0 and self._chunks[last - 1].last_line >= line:
            last -= 1
        if last < 0 or self._chunks[last].last_line < line:
            return None
        return self._chunks[last].ordinal


@dataclass(slots=True)
class _Node:
    type: str
    spellings: Counter[str] = field(default_factory=Counter)
    name: str = ""
    page: str = ""
    attributes: dict[str, Value] = field(default_factory=dict)
    provenance: dict[Provenance, None] = field(default_factory=dict)


class Assembly:
    """The graph while it grows. The same thing may be added often; it is there once."""

    def __init__(self) -> None:
        self._nodes: dict[str, _Node] = {}
        self._edges: dict[tuple[str, str, str], dict[Provenance, None]] = {}

    def add(
        self, key: str, kind: str, spelling: str, where: Provenance | None = None, *,
        name: str = "", page: str = "",
    ) -> str:  # fmt: skip
        """Add an entity or a further place of it; returns its key.

        Without ``name`` it is called as it is mostly spelled.
        """
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = _Node(kind)
        node.spellings[spelling] += 1
        node.name, node.page = node.name or name, node.page or page
        if where:
            node.provenance[where] = None
        return key

    def alias(self, key: str, spelling: str) -> None:
        """Keep a further name of an entity, which it is never called by itself."""
        self._nodes[key].spellings.setdefault(spelling, 0)

    def set(self, key: str, attribute: str, value: Value, where: Provenance) -> None:
        """State an attribute; what was stated first stays."""
        node = self._nodes[key]
        if node.attributes.setdefault(attribute, value) == value:
            node.provenance[where] = None

    def relate(self, source: str, relation: str, target: str, where: Provenance) -> None:
        """Add a relation or a further place of it."""
        self._edges.setdefault((source, relation, target), {})[where] = None

    def knows(self, key: str) -> bool:
        """True where the entity was added."""
        return key in self._nodes

    def finished(self, gaps: Iterable[Gap]) -> KnowledgeGraph:
        """The graph, everything in it sorted."""
        order = {kind: place for place, kind in enumerate(ENTITY_TYPES)}
        keys = sorted(self._nodes, key=lambda key: (order[self._nodes[key].type], key))
        return KnowledgeGraph(
            entities=tuple(_entity(key, self._nodes[key]) for key in keys),
            relations=tuple(
                Relation(*edge, tuple(sorted(self._edges[edge], key=_sortable)))
                for edge in sorted(self._edges)
            ),
            gaps=tuple(sorted(set(gaps))),
        )


def _entity(key: str, node: _Node) -> Entity:
    mostly = min(node.spellings, key=lambda s: (-node.spellings[s], s))
    name = node.name or mostly
    return Entity(
        key,
        node.type,
        name,
        dict(sorted(node.attributes.items())),
        node.page or None,
        tuple(sorted(node.spellings.keys() - {name})),
        tuple(sorted(node.provenance, key=_sortable)),
    )


def _sortable(where: Provenance) -> tuple[str, int, int, str, int, str]:
    chunk = -1 if where.chunk is None else where.chunk
    return where.path, where.line, where.last_line, where.rule, chunk, where.attribute
