"""The semantic leg: cosine with the best vector of every chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.errors import ArtifactError
from index_artifacts.schema import HEADING, SEGMENT, SUMMARY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.encoder import Vectors
    from index_artifacts.index import Collection, Ids, Index
    from index_artifacts.postings import Scores

ABSENT = np.float32(-1.0)
"""The cosine of what was not looked at."""


class CollectionVectors:
    """One collection's vector blocks as float32, with what their rows stand for."""

    def __init__(self, index: Index, collection: Collection) -> None:
        self._segments = _block(index, SEGMENT, collection.id)
        self._headings = _block(index, HEADING, collection.id)
        self._summaries = _block(index, SUMMARY, collection.id)
        self._first_segments = self._starts(index, collection)
        self._heading_rows = self._rows(index, collection)

    def cosines(self, query: Vectors, heading_offset: float | None) -> Scores:
        """Cosine of each chunk's best segment, or of its headings less ``heading_offset``.

        ``query`` has shape (1, d); None leaves the heading vectors out. Shape (chunks,).
        """
        best = np.maximum.reduceat(self._segments @ query[0], self._first_segments)
        if heading_offset is not None:
            headings = (self._headings @ query[0])[self._heading_rows] - heading_offset
            best = np.maximum(best, headings)
        return best.astype(np.float32, copy=False)

    def summary_cosines(self, query: Vectors) -> Scores:
        """Cosine of each document's summary, shape (documents of this collection,)."""
        return np.asarray(self._summaries @ query[0], dtype=np.float32)

    @staticmethod
    def _starts(index: Index, collection: Collection) -> Ids:
        """The first segment row of each chunk; every chunk has one at least."""
        rows = index.connection.execute(
            "SELECT chunk_id FROM segments WHERE chunk_id > ? AND chunk_id <= ? ORDER BY id",
            (collection.first, collection.first + collection.chunks),
        ).fetchall()
        chunk = np.array(rows, dtype=np.int64).reshape(len(rows))
        return np.flatnonzero(np.diff(chunk, prepend=0))

    @staticmethod
    def _rows(index: Index, collection: Collection) -> Ids:
        rows = index.connection.execute(
            "SELECT vector_row FROM chunks JOIN sections ON sections.id = section_id "
            "WHERE chunks.id > ? AND chunks.id <= ? ORDER BY chunks.id",
            (collection.first, collection.first + collection.chunks),
        ).fetchall()
        return np.array(rows, dtype=np.int64).reshape(len(rows))


class SemanticLeg:
    """The vectors of a version, opened when first asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._by_collection = {
            collection.id: CollectionVectors(index, collection)
            for collection in index.collections
            if collection.chunks
        }

    def cosines(
        self, collections: Iterable[Collection], query: Vectors, heading_offset: float | None
    ) -> Scores:
        """Cosine of every chunk, shape (chunks,); `ABSENT` outside ``collections``."""
        cosines = np.full(self._index.chunk_count, ABSENT, dtype=np.float32)
        for collection in collections:
            if vectors := self._by_collection.get(collection.id):
                cosines[collection.slice] = vectors.cosines(query, heading_offset)
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


def _block(index: Index, kind: str, collection_id: int) -> Vectors:
    row = index.connection.execute(
        "SELECT rows, dimension, data FROM vectors WHERE kind = ? AND collection_id = ?",
        (kind, collection_id),
    ).fetchone()
    if row is None:
        raise ArtifactError(f"the index lacks the {kind} vectors: build it again")
    return np.frombuffer(row[2], dtype="<f2").astype(np.float32).reshape(row[0], row[1])
