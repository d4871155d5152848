"""The columns of the ordinary tables of an index; see `index_artifacts.schema`."""

from __future__ import annotations

# Column types by table, so that an empty wiki has the same tables as a full one.
COLUMNS: dict[str, dict[str, type]] = {
    "meta": {"key": str, "value": str},
    "collections": {"id": int, "name": str, "first_chunk": int, "chunks": int},
    "documents": {
        "id": int, "path": str, "collection_id": int, "title": str, "language": str,
        "published": int, "authors": str, "tags": str, "categories": str, "aliases": str,
        "permalink": str, "created": str, "updated": str, "year": int, "commit_date": str,
        "commit_author": str, "summary": str, "summary_by": str, "keywords": str,
        "source_url": str, "content_hash": str, "front_matter": str, "folded": str,
    },
    "revisions": {
        "document_id": int, "position": int, "revision": str, "date": str, "author": str,
        "subject": str,
    },
    "facets": {"facet": str, "key": str, "document_id": int, "value": str},
    "sections": {
        "id": int, "document_id": int, "ordinal": int, "level": int, "heading": str,
        "path": str, "start": int, "end": int, "line": int, "vector_row": int,
    },
    "chunks": {
        "id": int, "document_id": int, "section_id": int, "ordinal": int, "text": str,
        "repeated": int, "start": int, "end": int, "line": int, "last_line": int, "tokens": int,
    },
    "segments": {"id": int, "chunk_id": int, "start": int, "end": int},
    "sentences": {"id": int, "chunk_id": int, "start": int, "end": int, "vector_row": int},
    "links": {
        "id": int, "document_id": int, "target": str, "fragment": str, "kind": str, "line": int,
        "to_document_id": int,
    },
    "vectors": {
        "kind": str, "collection_id": int, "rows": int, "dimension": int, "data": bytes,
    },
    "language_means": {"language": str, "queries": bytes, "passages": bytes},
}  # fmt: skip


# Foreign keys, so that Datasette links the tables.
REFERENCES = {
    "collection_id": "collections",
    "document_id": "documents",
    "to_document_id": "documents",
    "section_id": "sections",
    "chunk_id": "chunks",
}

# Tables whose rows the build report counts.
COUNTED = (
    "documents",
    "sections",
    "chunks",
    "segments",
    "sentences",
    "links",
    "vocabulary",
    "lemma_forms",
)
