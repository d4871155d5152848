"""Comparing a question with pages in other languages.

Vectors of one language lie together whatever they are about, so a page in the question's own
language is nearer than a better one in another. A part of both languages' mean vectors is
taken off before they are compared; the means are compiled into the version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.semantic import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.encoder import Vectors
    from index_artifacts.index import Collection, Index, Mask
    from index_artifacts.postings import Scores
    from index_artifacts.semantic import SemanticLeg
    from index_artifacts.tuning import Tuning

Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


class CrossLanguage:
    """The semantic leg with languages evened out.

    A language has means where the version has a sample of it; the others are compared plainly.
    """

    def __init__(self, index: Index, tuning: Tuning) -> None:
        self._index, self._tuning = index, tuning
        self._queries: dict[str, Vector] = {}
        self._passages: dict[str, Vector] = {}
        rows = index.connection.execute("SELECT language, queries, passages FROM language_means")
        for language, queries, passages in rows:
            self._queries[language] = np.frombuffer(queries, dtype="<f4")
            self._passages[language] = np.frombuffer(passages, dtype="<f4")

    def cosines(
        self,
        leg: SemanticLeg,
        collections: Sequence[Collection],
        vector: Vectors,
        language: str | None,
        heading_offset: float | None,
    ) -> Scores:
        """Cosine of every chunk with a question in ``language``, shape (chunks,)."""
        tuning = self._tuning
        others = self._others(language)
        if language is None or not others:
            (plain,) = leg.cosines(collections, vector, heading_offset, tuning.sentence_share)
            return np.asarray(plain)
        shifted = np.asarray(
            vector - np.float32(tuning.language_mean_share) * self._queries[language],
            dtype=np.float32,
        )
        both = np.vstack([vector, shifted])
        cosines, across = leg.cosines(collections, both, heading_offset, tuning.sentence_share)
        for page in others:
            inside = self._index.in_language(page) & (cosines > ABSENT)
            cosines[inside] = across[inside] + np.float32(self._offset(shifted, language, page))
        return cosines

    def evened(self, language: str | None) -> Mask:
        """True for each chunk in another language whose cosine is comparable, shape (chunks,)."""
        mask = np.zeros(self._index.chunk_count, dtype=bool)
        for page in self._others(language):
            mask |= self._index.in_language(page)
        return mask

    def _others(self, language: str | None) -> list[str]:
        """The languages of pages that are evened out with a question's."""
        if language not in self._queries:
            return []
        return sorted((self._index.languages & self._passages.keys()) - {language})

    def _offset(self, shifted: Vectors, asked: str, page: str) -> float:
        """What to add to the cosines of pages in the language ``page`` with ``shifted``.

        It takes the page's mean off too, and brings what two unrelated texts have to where
        unrelated texts of the question's own language have it: then they can be ranked together.
        """
        share, queries = self._tuning.language_mean_share, self._queries[asked]
        passages = self._passages[page]
        # (q - s·mq)·(p - s·mp) = shifted·p - s·shifted·mp
        own = share * float(shifted[0] @ passages)
        unrelated = (1 - share) ** 2 * float(queries @ passages)
        same_language = float(queries @ self._passages[asked])
        return same_language - unrelated - own - self._tuning.cross_offset
