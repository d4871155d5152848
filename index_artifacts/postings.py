"""Reading postings: adding up the weights of the rows that hold a query's trigrams."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.errors import ArtifactError
from index_artifacts.text import trigrams

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

Scores = np.ndarray[tuple[int], np.dtype[np.float32]]

# The build writes saturated frequencies in bytes; see build.postings.
_WEIGHT_SCALE = 2.2 / 255
# A trigram in most rows costs the most and tells the least.
_COMMON = 0.5


class Postings:
    """One list of postings, held in memory as the two arrays it is stored as."""

    def __init__(self, connection: sqlite3.Connection, list_id: int) -> None:
        row = connection.execute(
            "SELECT rows, id_bytes, ids, weights FROM posting_lists WHERE id = ?", (list_id,)
        ).fetchone()
        if row is None:
            raise ArtifactError(f"the index lacks posting list {list_id}: build it again")
        self.rows: int = row[0]
        self._list_id = list_id
        self._ids = np.frombuffer(row[2], dtype=f"<u{row[1]}")
        self._weights = np.frombuffer(row[3], dtype=np.uint8)

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
        absent = (len(grams) - len(found)) * math.log(1 + (self.rows + 0.5) / 0.5)
        whole = absent + sum(idf for idf, _, _ in found)
        rare = [term for term in found if term[2] <= _COMMON * self.rows] or found
        if not rare:
            return np.zeros(self.rows, dtype=np.float32), whole
        ids = np.concatenate([self._ids[first : first + count] for _, first, count in rare])
        weights = np.concatenate(
            [
                self._weights[first : first + count] * np.float32(idf * _WEIGHT_SCALE)
                for idf, first, count in rare
            ]
        )
        scores = np.bincount(ids, weights, minlength=self.rows).astype(np.float32)
        scores[scores < share * whole] = 0
        return scores, whole
