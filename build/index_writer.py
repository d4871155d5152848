"""Writing ``index.sqlite``: an ordinary database that reads well in any tool."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlite_utils import Database

from build.addresses import write_addresses
from build.full_text import write_full_text
from build.graph.tables import write_graph
from build.index_tables import COLUMNS, COUNTED, REFERENCES
from build.names import write_names
from build.suggestions import write_suggestions
from build.vocabulary import write_vocabulary
from index_artifacts.errors import ArtifactError
from index_artifacts.schema import SCHEMA_VERSION, facet_key
from index_artifacts.text import ANALYZER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from build.embedding import Segment
    from build.lemmas import Lemmas
    from index_artifacts.encoder import Vectors
    from index_artifacts.graph.model import KnowledgeGraph
    from index_artifacts.records import Chunk, Document


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Vectors of one kind in one collection, shape (rows, dimension)."""

    kind: str
    collection: str
    matrix: Vectors


@dataclass(frozen=True, slots=True)
class Compiled:
    """All that goes into an index. ``documents`` are in the order of ``collections``.

    ``segments`` and ``sentences`` run parallel to the chunks, ``heading_rows`` to the sections; a
    section without a heading has the row None. ``sentence_rows`` has one entry a sentence.
    ``language_means``: see `build.language_means`.
    """

    collections: tuple[str, ...]
    documents: tuple[Document, ...]
    lemmas: Lemmas
    segments: tuple[tuple[Segment, ...], ...]
    sentences: tuple[tuple[Segment, ...], ...]
    sentence_rows: tuple[int, ...]
    heading_rows: tuple[int | None, ...]
    blocks: tuple[VectorBlock, ...]
    language_means: dict[str, Vectors]
    encoder: str
    graph: KnowledgeGraph
    public_graph: KnowledgeGraph | None = None

    def numbered_chunks(self) -> Iterator[tuple[int, Document, Chunk]]:
        """Yield (chunk id, document, chunk); ids start at 1 and have no gaps."""
        number = count(1)
        for document in self.documents:
            for chunk in document.chunks:
                yield next(number), document, chunk


def write_index(path: Path, compiled: Compiled) -> dict[str, int]:
    """Write a new database at ``path`` and return how many rows its main tables have.

    The file ends in journal mode DELETE, vacuumed and checked: equal input, equal bytes.
    """
    database = Database(str(path), use_old_upsert=False)
    try:
        database.execute("PRAGMA page_size = 4096")
        database.execute("PRAGMA journal_mode = DELETE")
        with database.conn:
            _write_tables(database, compiled)
            write_full_text(database, compiled)
            write_vocabulary(database, compiled)
            write_names(database, compiled)
            write_addresses(database, compiled.documents)
            write_graph(database, compiled)
            write_suggestions(database, compiled)
        database.execute("ANALYZE")
        database.conn.commit()
        database.execute("VACUUM")
        if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise ArtifactError(f"{path}: SQLite's integrity check failed; build again")
        return {name: database[name].count for name in COUNTED}
    finally:
        database.close()


def _write_tables(database: Database, compiled: Compiled) -> None:
    _insert(database, "meta", _meta_rows(compiled), pk="key")
    _insert(database, "collections", _collection_rows(compiled), pk="id")
    _insert(database, "documents", _document_rows(compiled), pk="id")
    _insert(database, "revisions", _revision_rows(compiled), pk=("document_id", "position"))
    _insert(database, "facets", _facet_rows(compiled), pk=("facet", "key", "document_id"))
    _insert(database, "sections", _section_rows(compiled), pk="id")
    _insert(database, "chunks", _chunk_rows(compiled), pk="id")
    _insert(database, "segments", _segment_rows(compiled.segments), pk="id")
    _insert(database, "sentences", _sentence_rows(compiled), pk="id")
    _insert(database, "links", _link_rows(compiled), pk="id")
    _insert(database, "vectors", _vector_rows(compiled), pk=("kind", "collection_id"))
    _insert(database, "language_means", _language_rows(compiled), pk="language")
    database.table("documents").create_index(["path"], unique=True)
    database.table("sections").create_index(["document_id"])
    database.table("chunks").create_index(["document_id"])


def _insert(
    database: Database, table: str, rows: Iterator[dict[str, Any]], pk: str | tuple[str, ...]
) -> None:
    columns = COLUMNS[table]
    keys = [(name, other, "id") for name, other in REFERENCES.items() if name in columns]
    database.table(table).create(columns, pk=pk, foreign_keys=keys).insert_all(rows)


def _meta_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    meta = {
        "schema": str(SCHEMA_VERSION),
        "analyzer": ANALYZER,
        "encoder": compiled.encoder,
        "about": "an edgewiki index, for `edgewiki search` or any SQLite tool",
    }
    return ({"key": key, "value": value} for key, value in meta.items())


def _collection_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    first = 1
    for number, name in enumerate(compiled.collections, 1):
        chunks = sum(len(d.chunks) for d in compiled.documents if d.collection == name)
        yield {"id": number, "name": name, "first_chunk": first, "chunks": chunks}
        first += chunks


def _document_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    for number, document in enumerate(compiled.documents, 1):
        yield {
            "id": number,
            "path": document.path,
            "collection_id": compiled.collections.index(document.collection) + 1,
            "title": document.title,
            "language": document.language,
            "published": int(document.published),
            "authors": _json(document.authors),
            "tags": _json(document.tags),
            "categories": _json(document.categories),
            "aliases": _json(document.aliases),
            "permalink": document.permalink,
            "created": document.created,
            "updated": document.updated,
            "year": document.year,
            "commit_date": document.commit_date,
            "commit_author": document.commit_author,
            "summary": document.summary,
            "summary_by": document.summary_by,
            "keywords": _json(document.keywords),
            "source_url": document.source_url,
            "content_hash": document.content_hash,
            "front_matter": _json(document.front_matter),
            "folded": document.folded,
        }


def _revision_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    for number, document in enumerate(compiled.documents, 1):
        for position, revision in enumerate(document.revisions, 1):
            yield {
                "document_id": number,
                "position": position,
                "revision": revision.revision,
                "date": revision.date,
                "author": revision.author,
                "subject": revision.subject,
            }


def _facet_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    rows: dict[tuple[str, str, int], str] = {}
    for number, document in enumerate(compiled.documents, 1):
        facets = {
            "author": document.authors,
            "tag": document.tags,
            "category": document.categories,
            "language": (document.language,),
            "year": (str(document.year),) if document.year else (),
        }
        for facet, values in facets.items():
            for value in values:
                rows.setdefault((facet, facet_key(value), number), value)
    for (facet, key, number), value in sorted(rows.items()):
        yield {"facet": facet, "key": key, "document_id": number, "value": value}


def _section_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    number = count(1)
    rows = iter(compiled.heading_rows)
    for document_id, document in enumerate(compiled.documents, 1):
        for section in document.sections:
            yield {
                "id": next(number),
                "document_id": document_id,
                "ordinal": section.ordinal,
                "level": section.level,
                "heading": section.heading,
                "path": _json(section.path),
                "start": section.start,
                "end": section.end,
                "line": section.line,
                "vector_row": next(rows),
            }


def _chunk_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    number, first_section = count(1), 1
    for document_id, document in enumerate(compiled.documents, 1):
        for chunk in document.chunks:
            yield {
                "id": next(number),
                "document_id": document_id,
                "section_id": first_section + chunk.section,
                "ordinal": chunk.ordinal,
                "text": chunk.text,
                "repeated": chunk.repeated,
                "start": chunk.start,
                "end": chunk.end,
                "line": chunk.line,
                "last_line": chunk.last_line,
                "tokens": chunk.tokens,
            }
        first_section += len(document.sections)


def _segment_rows(by_chunk: tuple[tuple[Segment, ...], ...]) -> Iterator[dict[str, Any]]:
    number = count(1)
    for chunk_id, segments in enumerate(by_chunk, 1):
        for segment in segments:
            yield {
                "id": next(number),
                "chunk_id": chunk_id,
                "start": segment.start,
                "end": segment.end,
            }


def _sentence_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    rows = _segment_rows(compiled.sentences)
    for row, vector_row in zip(rows, compiled.sentence_rows, strict=True):
        yield row | {"vector_row": vector_row}


def _link_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    ids = {document.path: number for number, document in enumerate(compiled.documents, 1)}
    number = count(1)
    for document in compiled.documents:
        for link in document.links:
            yield {
                "id": next(number),
                "document_id": ids[document.path],
                "target": link.target,
                "fragment": link.fragment,
                "kind": link.kind,
                "line": link.line,
                "to_document_id": ids.get(link.document or ""),
            }


def _vector_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    for block in compiled.blocks:
        yield {
            "kind": block.kind,
            "collection_id": compiled.collections.index(block.collection) + 1,
            "rows": block.matrix.shape[0],
            "dimension": block.matrix.shape[1],
            # Half precision moves a cosine by less than 0.001 and halves the download.
            "data": block.matrix.astype("<f2").tobytes(),
        }


def _language_rows(compiled: Compiled) -> Iterator[dict[str, Any]]:
    for language, means in sorted(compiled.language_means.items()):
        queries, passages = (row.astype("<f4").tobytes() for row in means)
        yield {"language": language, "queries": queries, "passages": passages}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
