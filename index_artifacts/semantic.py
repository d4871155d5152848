"""The semantic leg: cosine with the best vector of every chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.schema import HEADING, SEGMENT, SENTENCE, SUMMARY
from index_artifacts.vector_block import open_block

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.encoder import Vectors
    from index_artifacts.index import Collection, Ids, Index
    from index_artifacts.postings import Scores

# Equal headings of a page, and equal sentences of a collection, share a row.
_HEADING_ROWS = (
    "SELECT vector_row FROM chunks JOIN sections ON sections.id = section_id "
    "WHERE chunks.id > ? AND chunks.id <= ? ORDER BY chunks.id"
)
_SENTENCE_ROWS = "SELECT vector_row FROM sentences WHERE chunk_id > ? AND chunk_id <= ? ORDER BY id"

ABSENT = np.float32(-1.0)
"""The cosine of what was not looked at."""


class CollectionVectors:
    """One collection's vector blocks, with what their rows stand for."""

    def __init__(self, index: Index, collection: Collection) -> None:
        self._segments = open_block(index.connection, SEGMENT, collection.id)
        self._sentences = open_block(index.connection, SENTENCE, collection.id)
        self._headings = open_block(index.connection, HEADING, collection.id)
        self._summaries = open_block(index.connection, SUMMARY, collection.id)
        # Every chunk has a segment at least; not every one has sentences.
        _, self._first_segments = _runs(index, "segments", collection)
        self._with_sentences, self._first_sentences = _runs(index, "sentences", collection)
        self._sentence_rows = _vector_rows(index, _SENTENCE_ROWS, collection)
        self._heading_rows = _vector_rows(index, _HEADING_ROWS, collection)

    def cosines(
        self, queries: Vectors, heading_offset: float | None, sentence_share: float
    ) -> Vectors:
        """Cosine of each chunk with each of ``queries`` (shape (k, d)), shape (k, chunks).

        It is that of the chunk's best segment, or of its headings less ``heading_offset``
        (None leaves them out), mixed with its best sentence's by ``sentence_share``.
        """
        segments = self._segments.cosines(queries)
        whole = np.maximum.reduceat(segments, self._first_segments, axis=1)
        best = whole
        if heading_offset is not None:
            headings = self._headings.cosines(queries)[:, self._heading_rows] - heading_offset
            best = np.maximum(whole, headings)
        if len(self._sentences):
            sentence = whole.copy()
            rows = self._sentences.cosines(queries)[:, self._sentence_rows]
            found = np.maximum.reduceat(rows, self._first_sentences, axis=1)
            inside = self._with_sentences
            sentence[:, inside] = np.maximum(whole[:, inside], found)
            best = (1 - sentence_share) * best + sentence_share * sentence
        return np.asarray(best, dtype=np.float32)

    def summary_cosines(self, query: Vectors) -> Scores:
        """Cosine of each summary with ``query``, shape (documents of this collection,)."""
        return np.asarray(self._summaries.cosines(query)[0])


class SemanticLeg:
    """The vectors of a version, opened when first asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._by_collection = {
            collection.id: _opened(index, collection)
            for collection in index.collections
            if collection.chunks
        }

    def cosines(
        self,
        collections: Iterable[Collection],
        queries: Vectors,
        heading_offset: float | None,
        sentence_share: float,
    ) -> Vectors:
        """Cosine of every chunk with each of ``queries`` (shape (k, d)), shape (k, chunks).

        It is `ABSENT` outside ``collections``.
        """
        shape = len(queries), self._index.chunk_count
        cosines = np.full(shape, ABSENT, dtype=np.float32)
        for collection in collections:
            if vectors := self._by_collection.get(collection.id):
                found = vectors.cosines(queries, heading_offset, sentence_share)
                cosines[:, collection.slice] = found
        return cosines

    def summary_cosines(self, collections: Iterable[Collection], query: Vectors) -> Scores:
        """Cosine of every document's summary, shape (documents,); `ABSENT` outside."""
        cosines = np.full(len(self._index.published), ABSENT, dtype=np.float32)
        for collection in collections:
            if vectors := self._by_collection.get(collection.id):
                first = self._index.chunk_document[collection.first]
                found = vectors.summary_cosines(query)
                cosines[first : first + len(found)] = found
        return cosines


def _opened(index: Index, collection: Collection) -> CollectionVectors:
    known = index.opened_vectors
    if collection.id not in known:
        known[collection.id] = CollectionVectors(index, collection)
    return known[collection.id]


def _runs(index: Index, table: str, collection: Collection) -> tuple[Ids, Ids]:
    """Return which chunks (from 0 in the collection) have rows, and their first row each."""
    rows = index.connection.execute(
        f"SELECT chunk_id FROM {table} WHERE chunk_id > ? AND chunk_id <= ? ORDER BY id",
        (collection.first, collection.first + collection.chunks),
    ).fetchall()
    chunk = np.array(rows, dtype=np.int64).reshape(len(rows)) - 1 - collection.first
    first = np.flatnonzero(np.diff(chunk, prepend=-1))
    return chunk[first], first


def _vector_rows(index: Index, query: str, collection: Collection) -> Ids:
    rows = index.connection.execute(
        query, (collection.first, collection.first + collection.chunks)
    ).fetchall()
    return np.array(rows, dtype=np.int64).reshape(len(rows))
