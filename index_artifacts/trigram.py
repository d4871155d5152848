"""The trigram leg: BM25 over character trigrams, which sees through inflection and slips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.postings import Postings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.index import Collection, Index
    from index_artifacts.postings import Scores


class TrigramLeg:
    """The trigram postings of every collection."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._postings = {
            c.id: Postings(index.connection, c.id) for c in index.collections if c.chunks
        }

    def scores(
        self, collections: Iterable[Collection], words: Sequence[str], least: float
    ) -> tuple[Scores, float]:
        """Scores over ``words``, shape (chunks,), 0 where less than a share ``least`` matches.

        Also returns the score of a chunk that holds each trigram once, of the collection where
        that is most.
        """
        scores = np.zeros(self._index.chunk_count, dtype=np.float32)
        most = 0.0
        for collection in collections:
            if postings := self._postings.get(collection.id):
                found, whole = postings.scores(self._index.connection, words, least)
                scores[collection.slice] = found
                most = max(most, whole)
        return scores, most
