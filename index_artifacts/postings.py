"""Reading postings: adding up the weights of the rows that hold a query's trigrams."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.blobs import blob_reader
from index_artifacts.errors import ArtifactError
from index_artifacts.text import trigrams

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    Term = tuple[float, int, int]
    """A trigram's idf, and where its entries begin and how many they are."""

Scores = np.ndarray[tuple[int], np.dtype[np.float32]]
Ids = np.ndarray[tuple[int], np.dtype[np.unsignedinteger]]
Weights = np.ndarray[tuple[int], np.dtype[np.uint8]]

# The build writes saturated frequencies in bytes; see build.postings.
_WEIGHT_SCALE = 2.2 / 255
# A trigram in most rows costs the most and tells the least.
_COMMON = 0.5
# Of a list so large that a question's trigrams hold more entries, the commonest are left out.
_MOST_ENTRIES = 400_000

HELD_BYTES = 1 << 25
"""A list of up to so many bytes of ids is held in memory; a larger one is read in parts."""


class Postings:
    """One list of postings: the two arrays that it is stored as."""

    def __init__(self, connection: sqlite3.Connection, list_id: int) -> None:
        row = connection.execute(
            "SELECT rows, id_bytes, length(ids) FROM posting_lists WHERE id = ?", (list_id,)
        ).fetchone()
        if row is None:
            raise ArtifactError(f"the index lacks posting list {list_id}: build it again")
        self.rows: int = row[0]
        self._list_id = list_id
        self._id_type = np.dtype(f"<u{row[1]}")
        self._read_ids, self._read_weights = (
            blob_reader(connection, "posting_lists", column, list_id, held=row[2] <= HELD_BYTES)
            for column in ("ids", "weights")
        )

    def scores(
        self, connection: sqlite3.Connection, words: Sequence[str], share: float = 0.0
    ) -> tuple[Scores, float]:
        """BM25 of every row over the trigrams of ``words``, shape (rows,); 0 is no match.

        Also returns what a row with each of the trigrams once would get. Rows below ``share`` of
        that count as none.
        """
        grams = sorted({gram for word in words for gram in trigrams(word)})
        marks = ", ".join("?" * len(grams))
        found = connection.execute(
            f"SELECT idf, first, count FROM posting_terms WHERE list_id = ? AND term IN ({marks})",
            (self._list_id, *grams),
        ).fetchall()
        rare = _rarest([term for term in found if term[2] <= _COMMON * self.rows] or found)
        absent = (len(grams) - len(found)) * math.log(1 + (self.rows + 0.5) / 0.5)
        whole = absent + sum(idf for idf, _, _ in rare)
        if not rare:
            return np.zeros(self.rows, dtype=np.float32), whole
        ids = np.concatenate([self._ids_of(first, count) for _, first, count in rare])
        weights = np.concatenate(
            [
                self._weights_of(first, count) * np.float32(idf * _WEIGHT_SCALE)
                for idf, first, count in rare
            ]
        )
        scores = np.bincount(ids, weights, minlength=self.rows).astype(np.float32)
        scores[scores < share * whole] = 0
        return scores, whole

    def _ids_of(self, first: int, count: int) -> Ids:
        width = self._id_type.itemsize
        return np.frombuffer(self._read_ids(first * width, (first + count) * width), self._id_type)

    def _weights_of(self, first: int, count: int) -> Weights:
        return np.frombuffer(self._read_weights(first, first + count), dtype=np.uint8)


def _rarest(terms: list[Term]) -> list[Term]:
    """The rarest terms that hold `_MOST_ENTRIES` together, in the order given."""
    ascending = sorted(terms, key=lambda term: term[2])
    total = accumulate(count for _, _, count in ascending)
    chosen = {
        term for term, entries in zip(ascending, total, strict=True) if entries <= _MOST_ENTRIES
    }
    return [term for term in terms if term in chosen] or ascending[:1]
