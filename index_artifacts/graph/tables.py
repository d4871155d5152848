"""The graph's rows in ``index.sqlite``, as far as a request may see them."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from index_artifacts.graph.model import Value
    from index_artifacts.index import Index, Mask

# SQLite takes 32,766 values at a time.
_AT_ONCE = 30_000

_ENTITY = """
SELECT entities.id, entities.key, type, name, attributes, documents.path
FROM entities LEFT JOIN documents ON documents.id = entities.document_id
"""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity as a row: its id in this version, and what it is. ``page`` may be empty."""

    id: int
    key: str
    type: str
    name: str
    page: str = ""
    attributes: dict[str, Value] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation as a row, between the ids of two entities."""

    id: int
    source: int
    relation: str
    target: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a fact stands: a page, the heading there, lines (1-based), and the rule that read.

    ``text`` is what the lines say; it is empty for front matter, which is in no chunk.
    """

    path: str
    title: str
    heading: str
    source_url: str
    line: int
    last_line: int
    rule: str
    text: str = ""


class GraphTables:
    """Reads the graph of a version. Nothing is seen that stands on no page of ``documents``."""

    def __init__(self, index: Index, documents: Mask) -> None:
        self.index = index
        # Mostly every page may be seen that is there, and then nothing has to be looked up.
        self.sees_all = bool(np.array_equal(documents, index.visible))
        self.sees_whole = bool(documents.all())
        ids = (np.flatnonzero(documents) + 1).tolist()
        self._documents = () if self.sees_all else (json.dumps(ids),)

    def nodes(self, ids: Collection[int]) -> dict[int, Node]:
        """The entities with ``ids`` that may be seen, by id."""
        return {node.id: node for node in self._nodes("entities.id", ids)}

    def by_keys(self, keys: Collection[str]) -> list[Node]:
        """The entities with the stable ``keys`` that may be seen, in their order."""
        return self._nodes("entities.key", keys)

    def of_types(self, types: Collection[str]) -> list[Node]:
        """Every entity of ``types`` that may be seen, in the graph's order."""
        return self._nodes("entities.type", types)

    def called(self, name: str) -> list[Node]:
        """The entities with just this ``name``, whatever its case, that may be seen."""
        return self._nodes("entities.name COLLATE NOCASE", [name])

    def edges(
        self,
        *,
        sources: Collection[int] | None = None,
        targets: Collection[int] | None = None,
        relations: Collection[str] = (),
    ) -> list[Edge]:
        """The visible relations from ``sources`` or to ``targets``, of any or some kind."""
        column, ids = ("source_id", sources) if sources is not None else ("target_id", targets)
        kinds = f"AND relation IN ({_marks(relations)})" if relations else ""
        rows: list[Any] = []
        for part in _parts(ids) if ids is not None else [()]:
            where = f"{column} IN ({_marks(part)})" if ids is not None else "1"
            rows += self.index.connection.execute(
                "SELECT id, source_id, relation, target_id FROM relations "
                f"WHERE {where} {kinds} {self._seen_relation} ORDER BY id",
                (*part, *relations, *3 * self._documents),
            ).fetchall()
        return [Edge(*row) for row in rows]

    def standing(
        self, *, entity: int | None = None, relation: int | None = None, attribute: str = ""
    ) -> list[Standing]:
        """Where an entity, one of its attributes, or a relation stands, in the graph's order."""
        column, value = ("entity_id", entity) if relation is None else ("relation_id", relation)
        rows = self.index.connection.execute(
            "SELECT documents.path, documents.title, coalesce(sections.heading, ''), "
            "documents.source_url, provenance.line, provenance.last_line, rule, "
            "chunks.text, chunks.repeated, chunks.line FROM provenance "
            "JOIN documents ON documents.id = provenance.document_id "
            "LEFT JOIN chunks ON chunks.id = chunk_id "
            "LEFT JOIN sections ON sections.id = chunks.section_id "
            f"WHERE {column} = ? AND attribute = ? {self._on_seen_page()} ORDER BY provenance.id",
            (value, attribute, *self._documents),
        )
        return [
            Standing(path, title, heading, url, line, last, rule,
                     _lines(line, last, text, repeated, first))
            for path, title, heading, url, line, last, rule, text, repeated, first in rows
        ]  # fmt: skip

    @cached_property
    def gaps(self) -> dict[str, frozenset[str]]:
        """What may be missing → the paths of the pages that could not be read for it."""
        found: dict[str, set[str]] = defaultdict(set)
        for about, path in self.index.connection.execute("SELECT about, path FROM graph_gaps"):
            found[about].add(path)
        return {about: frozenset(paths) for about, paths in found.items()}

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths of the pages that may be seen."""
        seen = "" if self.sees_all else "WHERE id IN (SELECT value FROM json_each(?))"
        rows = self.index.connection.execute(f"SELECT path FROM documents {seen}", self._documents)
        return frozenset(path for (path,) in rows)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many entities of each type and relations of each kind may be seen."""
        types = self.index.connection.execute(
            f"SELECT type, count(*) FROM entities WHERE 1 {self._seen('entity_id = entities.id')} "
            "GROUP BY type ORDER BY type",
            self._documents,
        )
        kinds = self.index.connection.execute(
            "SELECT relation, count(*) FROM relations "
            f"WHERE 1 {self._seen_relation} GROUP BY relation ORDER BY relation",
            3 * self._documents,
        )
        return {"entities": dict(types.fetchall()), "relations": dict(kinds.fetchall())}

    def _nodes(self, column: str, values: Collection[Any]) -> list[Node]:
        rows: list[Any] = []
        for part in _parts(values):
            rows += self.index.connection.execute(
                f"{_ENTITY} WHERE {column} IN ({_marks(part)}) "
                f"{self._seen('entity_id = entities.id')} ORDER BY entities.id",
                (*part, *self._documents),
            ).fetchall()
        nodes = [
            Node(id_, key, type_, name, page or "", json.loads(attributes))
            for id_, key, type_, name, attributes, page in rows
        ]
        return nodes if self.sees_whole else [self._without_hidden(node) for node in nodes]

    def _without_hidden(self, node: Node) -> Node:
        """The node without attributes and a page that may not be seen."""
        seen = self.index.connection.execute(
            "SELECT DISTINCT attribute, documents.path FROM provenance "
            "JOIN documents ON documents.id = document_id "
            f"WHERE entity_id = ? {self._on_seen_page()}",
            (node.id, *self._documents),
        ).fetchall()
        kept = {attribute for attribute, _ in seen}
        return replace(
            node,
            page=node.page if any(path == node.page for _, path in seen) else "",
            attributes={name: value for name, value in node.attributes.items() if name in kept},
        )

    @property
    def _seen_relation(self) -> str:
        """A relation is seen with both of its ends, or it would tell that the other is there."""
        owners = ("relation_id = relations.id", "entity_id = source_id", "entity_id = target_id")
        return " ".join(self._seen(owner) for owner in owners)

    def _seen(self, owner: str) -> str:
        if self.sees_all:
            return ""
        return f"AND EXISTS (SELECT 1 FROM provenance WHERE {owner} {self._on_seen_page()})"

    def _on_seen_page(self) -> str:
        if self.sees_all:
            return ""
        return "AND provenance.document_id IN (SELECT value FROM json_each(?))"


def _lines(first: int, last: int, text: str | None, repeated: int, line: int) -> str:
    """Lines ``first``..``last`` of a file, of which a chunk's own text begins at ``line``."""
    if text is None:
        return ""
    own = text[repeated:].lstrip("\r\n").split("\n")
    return "\n".join(own[max(0, first - line) : max(0, last - line + 1)]).strip()


def _marks(values: Collection[Any]) -> str:
    return ", ".join("?" * len(values))


def _parts(values: Iterable[Any]) -> list[tuple[Any, ...]]:
    listed = tuple(values)
    return [listed[at : at + _AT_ONCE] for at in range(0, len(listed), _AT_ONCE)]
