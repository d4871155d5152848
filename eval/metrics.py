"""Retrieval metrics from ranks, and how sure one can be of their means.

Gains are binary. A question's ranks are those of its gold items, from 1; None is not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

METRICS = ("hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "mrr@10", "ndcg@10")

Ranks = tuple[int | None, ...]
Values = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Column = np.ndarray[tuple[int], np.dtype[np.float64]]

RESAMPLES = 1000
SEED = 20090719
_LEVEL = 0.95


def score(ranks: Ranks) -> tuple[float, ...]:
    """The metrics of one question, in the order of `METRICS`, each in [0, 1].

    MRR@10 counts the first gold item; recall@5 is the share of gold items among the first five.
    """
    found = sorted(rank for rank in ranks if rank is not None)
    best = found[0] if found else 0
    hits = tuple(float(0 < best <= depth) for depth in (1, 3, 5, 10))
    reciprocal = 1 / best if 0 < best <= 10 else 0.0
    return (*hits, recall(ranks, 5), reciprocal, ndcg(found, len(ranks)))


def recall(ranks: Ranks, depth: int) -> float:
    """The share of gold items among the first ``depth``."""
    return sum(rank is not None and rank <= depth for rank in ranks) / len(ranks)


def ndcg(found: Sequence[int], gold: int, depth: int = 10) -> float:
    """Discounted gain 1 / log2(1 + rank) of the found items over that of a perfect ranking.

    ``gold`` is how many items there are to find. Järvelin and Kekäläinen, "Cumulated gain-based
    evaluation of IR techniques", ACM TOIS 20(4), 2002, in the form with log2(1 + rank), which
    discounts the second rank as well.
    """
    gain = sum(1 / log2(1 + rank) for rank in found if rank <= depth)
    return gain / sum(1 / log2(1 + rank) for rank in range(1, min(gold, depth) + 1))


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the 95 % percentile bootstrap interval around it."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean paired difference, its 95 % interval, and a two-sided p."""

    mean: float
    low: float
    high: float
    p: float

    @property
    def significant(self) -> bool:
        """True where the interval leaves out zero."""
        return self.low > 0 or self.high < 0


def intervals(*sets: Values) -> list[Interval]:
    """Mean and interval of each column of ``sets``, each of shape (questions ≥ 1, metrics).

    Of several golden sets it is the mean of their means; each is resampled within itself.
    """
    low, high = _percentiles(_resampled_means(sets))
    columns = zip(_mean(sets), low, high, strict=True)
    return [Interval(float(mean), float(a), float(b)) for mean, a, b in columns]


def paired_differences(after: Values, before: Values) -> list[Difference]:
    """``after`` − ``before`` for each column; row by row the same questions."""
    return mean_differences(after - before)


def mean_differences(*sets: Values) -> list[Difference]:
    """The mean of each column of paired differences; of several sets, the mean of their means.

    p is the share of resampled means that lie as far from the observed mean as that lies from
    zero: the bootstrap test with shifted resamples of Efron and Tibshirani, "An Introduction to
    the Bootstrap", 1993, chapter 16; (count + 1) / (resamples + 1), so that it is never zero.
    """
    observed = _mean(sets)
    resampled = _resampled_means(sets)
    # What is equal but for the last bit of a float is as far away.
    far = np.abs(resampled - observed) >= np.abs(observed) - 1e-12
    p = (far.sum(axis=0) + 1) / (len(resampled) + 1)
    low, high = _percentiles(resampled)
    columns = zip(observed, low, high, p, strict=True)
    return [Difference(float(m), float(a), float(b), float(q)) for m, a, b, q in columns]


def _mean(sets: Sequence[Values]) -> Column:
    means: Column = np.mean([values.mean(axis=0) for values in sets], axis=0)
    return means


def _resampled_means(sets: Sequence[Values]) -> Values:
    """Shape (resamples, metrics). How often each question is drawn is a multinomial sample."""
    random = np.random.default_rng(SEED)
    total = np.zeros((RESAMPLES, sets[0].shape[1]))
    for values in sets:
        count = len(values)
        drawn = random.multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
        total += drawn @ values / count
    return total / len(sets)


def _percentiles(means: Values) -> tuple[Column, Column]:
    tail = (1 - _LEVEL) / 2 * 100
    low, high = np.percentile(means, (tail, 100 - tail), axis=0)
    return low, high
