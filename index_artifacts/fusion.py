"""Fusing the legs: a weighted sum of scores, or reciprocal ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.index import Mask
    from index_artifacts.legs import Legs
    from index_artifacts.postings import Scores
    from index_artifacts.tuning import Tuning

# Far enough down a leg's list that a reciprocal rank no longer decides anything.
_RANKED = 200


def relative(scores: Scores) -> Scores:
    """Scores as shares of the top one; all zero where nothing matched."""
    top = float(scores.max(initial=0.0))
    return scores / np.float32(top) if top > 0 else scores


def lexical_strength(share: float, tuning: Tuning) -> float:
    """How much lexical scores count beside cosines, in [0, 1].

    ``share`` is the part of the question's trigrams that the best chunk holds, by their weight.
    """
    span = tuning.strong_share - tuning.weak_share
    return min(1.0, max(0.0, (share - tuning.weak_share) / span)) if span > 0 else 1.0


def weighted_sum(legs: Legs, same_language: Mask, evened: Mask, tuning: Tuning) -> Scores:
    """Σ weight · leg, each lexical leg relative to its top, the cosine to the best cosine.

    The weights depend on whether a chunk is in the question's language: a lexical match across
    languages says little. So does one whose best chunk holds few of the question's trigrams,
    where there are cosines to go by. ``evened`` are chunks in another language whose cosines can
    be compared: they get a bonus for what they cannot match. A leg that is None leaves the sum.
    Shape (chunks,).
    """
    fused = np.zeros(len(same_language), dtype=np.float32)
    strength = 1.0 if legs.cosine is None else lexical_strength(legs.share(), tuning)

    def weight(same: float, cross: float) -> Scores:
        return np.where(same_language, np.float32(same), np.float32(cross))

    if legs.lemma is not None:
        lexical = weight(tuning.lemma_weight, tuning.cross_lemma_weight)
        fused += strength * lexical * relative(legs.lemma)
    if legs.trigram is not None:
        lexical = weight(tuning.trigram_weight, tuning.cross_trigram_weight)
        fused += strength * lexical * relative(legs.trigram)
    if legs.cosine is not None:
        below = legs.cosine - legs.cosine.max(initial=-1.0)
        fused += weight(tuning.cosine_slope, tuning.cross_cosine_slope) * below
    if legs.lemma is not None and legs.cosine is not None:
        fused[evened] += np.float32(tuning.cross_bonus)
    return fused


def reciprocal_ranks(legs: Sequence[Scores], weights: Sequence[float], k: float) -> Scores:
    """Σ weight / (k + rank), ranks from 1 (Cormack, Clarke and Büttcher 2009)."""
    fused = np.zeros(len(legs[0]) if legs else 0, dtype=np.float32)
    for scores, weight in zip(legs, weights, strict=True):
        order = np.argsort(-scores, kind="stable")[:_RANKED]
        order = order[scores[order] > 0]
        fused[order] += np.float32(weight) / (
            np.float32(k) + np.arange(1, len(order) + 1, dtype=np.float32)
        )
    return fused


def best_first(scores: Scores, eligible: Mask, count: int) -> list[int]:
    """Positions of the ``count`` best eligible scores; equals in the order of the chunks."""
    offered = scores if eligible.all() else scores[eligible]
    if len(offered) > count:
        threshold = np.partition(offered, len(offered) - count)[-count]
        positions = np.flatnonzero((scores >= threshold) & eligible)
    else:
        positions = np.flatnonzero(eligible)
    order = np.argsort(-scores[positions], kind="stable")[:count]
    return [int(position) for position in positions[order]]
