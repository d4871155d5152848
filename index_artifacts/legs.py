"""What the legs have found for one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from index_artifacts.index import Mask
    from index_artifacts.postings import Scores
    from index_artifacts.query import Query


@dataclass(slots=True)
class Legs:
    """Scores of every chunk by leg, shape (chunks,); None where a leg did not run.

    ``whole`` is the trigram score of a chunk that holds each of the question's trigrams once.
    ``reason`` says why not everything ran, ``cut`` that the encoder has read only the
    beginning of the question. ``encoder`` is the kind of the one that has read it.
    """

    lemma: Scores | None = None
    trigram: Scores | None = None
    cosine: Scores | None = None
    whole: float = 0.0
    reason: str = ""
    cut: bool = False
    encoder: str = ""

    @property
    def all(self) -> tuple[Scores | None, ...]:
        """Lemma, trigram and cosine."""
        return self.lemma, self.trigram, self.cosine

    def share(self, position: int | None = None) -> float:
        """The share of the question's trigrams, by weight, that a chunk holds, or the best one.

        It exceeds 1 where a chunk repeats them.
        """
        if self.trigram is None or not self.whole:
            return 0.0
        score = self.trigram.max(initial=0.0) if position is None else self.trigram[position]
        return float(score) / self.whole

    def names(self) -> tuple[str, ...]:
        """The legs that ran."""
        named = zip(("lemma", "trigram", "vector"), self.all, strict=True)
        return tuple(name for name, scores in named if scores is not None)

    def keep(self, allowed: Mask) -> None:
        """Take every other chunk out of the scores."""
        if allowed.all():
            return
        for scores in (self.lemma, self.trigram):
            if scores is not None:
                scores[~allowed] = 0
        if self.cosine is not None:
            self.cosine = np.where(allowed, self.cosine, np.float32(-1))


@dataclass(frozen=True, slots=True)
class Found:
    """A question as it was understood, and what was found for it among ``allowed`` chunks.

    ``same_language`` and ``evened``: see `fusion.weighted_sum`.
    """

    query: Query
    legs: Legs
    allowed: Mask
    same_language: Mask
    evened: Mask
