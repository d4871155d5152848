"""The graph as tables of ``index.sqlite``; see `index_artifacts.schema`."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, Any

from build.graph.collector import paused_collector
from build.graph.entity_names import name_forms, name_rows
from build.graph.pickling import is_published
from index_artifacts.schema import GRAPH_TABLES, PUBLIC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

    from build.index_writer import Compiled
    from index_artifacts.graph.model import KnowledgeGraph, Provenance

_TABLES = """
CREATE TABLE entities (
    id INTEGER PRIMARY KEY, key TEXT UNIQUE, type TEXT, name TEXT, attributes TEXT,
    document_id INTEGER REFERENCES documents(id), published INTEGER);
CREATE TABLE relations (
    id INTEGER PRIMARY KEY, source_id INTEGER REFERENCES entities(id), relation TEXT,
    target_id INTEGER REFERENCES entities(id), published INTEGER);
CREATE TABLE provenance (
    id INTEGER PRIMARY KEY, entity_id INTEGER REFERENCES entities(id),
    relation_id INTEGER REFERENCES relations(id), attribute TEXT,
    document_id INTEGER REFERENCES documents(id), chunk_id INTEGER REFERENCES chunks(id),
    line INTEGER, last_line INTEGER, rule TEXT);
CREATE TABLE entity_names (
    anchor TEXT, entity_id INTEGER REFERENCES entities(id), words TEXT,
    PRIMARY KEY (anchor, entity_id, words)) WITHOUT ROWID;
CREATE TABLE name_forms (form TEXT, word TEXT, PRIMARY KEY (form, word)) WITHOUT ROWID;
CREATE TABLE graph_gaps (
    id INTEGER PRIMARY KEY, document_id INTEGER REFERENCES documents(id), path TEXT,
    line INTEGER, about TEXT, reason TEXT);
"""
_INDEXES = """
CREATE INDEX idx_entities_type ON entities(type);
CREATE INDEX idx_relations_source_id ON relations(source_id, relation);
CREATE INDEX idx_relations_target_id ON relations(target_id, relation);
CREATE INDEX idx_provenance_entity_id ON provenance(entity_id);
CREATE INDEX idx_provenance_relation_id ON provenance(relation_id);
"""

# The names of tables and indexes, where a statement names one.
_NAMES = re.compile(rf"\b((?:idx_\w+|{'|'.join(GRAPH_TABLES)})\b)")


@paused_collector()
def write_graph(database: Database, compiled: Compiled) -> None:
    """Write entities, relations, their provenance, their names and the gaps.

    The graph of what is not private has the same tables, called ``public_…``.
    """
    _write(database, compiled, compiled.graph)
    if compiled.public_graph is not None:
        _write(database, compiled, compiled.public_graph, PUBLIC)


def _write(database: Database, compiled: Compiled, graph: KnowledgeGraph, prefix: str = "") -> None:
    connection = database.conn
    for statement in _TABLES.split(";"):
        database.execute(_NAMES.sub(rf"{prefix}\1", statement))
    rows = _Rows(compiled, graph)
    insert = f"INSERT INTO {prefix}{{}} VALUES ({{}})"
    for table, columns, values in (
        ("entities", 7, rows.entities()),
        ("relations", 5, rows.relations()),
        ("provenance", 9, rows.provenance()),
        ("entity_names", 3, name_rows(graph, compiled.documents, compiled.lemmas)),
        ("name_forms", 2, name_forms(graph)),
        ("graph_gaps", 6, rows.gaps()),
    ):
        connection.executemany(insert.format(table, ", ".join("?" * columns)), values)
    for statement in _INDEXES.split(";"):  # at last: filling an index row by row takes longer
        database.execute(_NAMES.sub(rf"{prefix}\1", statement))


def graph_counts(graph: KnowledgeGraph) -> dict[str, int]:
    """How much of everything a graph holds, for the manifest: by type, and the gaps."""
    counts: dict[str, int] = defaultdict(int)
    for entity in graph.entities:
        counts[f"graph_{entity.type}"] += 1
    for relation in graph.relations:
        counts[f"graph_{relation.relation}"] += 1
    totals = {"entities": len(graph.entities), "relations": len(graph.relations)}
    return totals | {"graph_gaps": len(graph.gaps)} | dict(sorted(counts.items()))


class _Rows:
    """The rows of the tables, which number entities, documents and chunks from 1."""

    def __init__(self, compiled: Compiled, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self._documents = {document.path: document for document in compiled.documents}
        self._document_ids = {d.path: number for number, d in enumerate(compiled.documents, 1)}
        self._entity_ids = {e.key: number for number, e in enumerate(self._graph.entities, 1)}
        self._chunk_ids = {
            (document.path, chunk.ordinal): number
            for number, document, chunk in compiled.numbered_chunks()
        }

    def entities(self) -> Iterator[tuple[Any, ...]]:
        for number, entity in enumerate(self._graph.entities, 1):
            attributes = json.dumps(entity.attributes, ensure_ascii=False, sort_keys=True)
            yield (
                number, entity.key, entity.type, entity.name, attributes,
                self._document_ids.get(entity.page or ""),
                int(is_published(entity.provenance, self._documents)),
            )  # fmt: skip

    def relations(self) -> Iterator[tuple[Any, ...]]:
        for number, relation in enumerate(self._graph.relations, 1):
            source, target = self._entity_ids[relation.source], self._entity_ids[relation.target]
            published = int(is_published(relation.provenance, self._documents))
            yield number, source, relation.relation, target, published

    def provenance(self) -> Iterator[tuple[Any, ...]]:
        number = count(1)
        for entity_id, entity in enumerate(self._graph.entities, 1):
            for where in entity.provenance:
                yield next(number), entity_id, None, *self._place(where)
        for relation_id, relation in enumerate(self._graph.relations, 1):
            for where in relation.provenance:
                yield next(number), None, relation_id, *self._place(where)

    def gaps(self) -> Iterator[tuple[Any, ...]]:
        for number, gap in enumerate(self._graph.gaps, 1):
            document = self._document_ids.get(gap.path)
            yield number, document, gap.path, gap.line, gap.about, gap.reason

    def _place(self, where: Provenance) -> tuple[Any, ...]:
        chunk = None if where.chunk is None else self._chunk_ids[where.path, where.chunk]
        document = self._document_ids[where.path]
        return where.attribute, document, chunk, where.line, where.last_line, where.rule
