"""Fitting the calibration: how sure a version may be that its first hit answers.

Answerable questions are told from two kinds of others: *far* ones, which other sets ask of other
wikis, and *near* ones, whose own pages are hidden.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.calibration import ANSWER, LOW_CONFIDENCE, NONE, Calibration, Model
from index_artifacts.evidence import KINDS, READING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.evidence import Evidence

    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
    Column = np.ndarray[tuple[int], np.dtype[np.float64]]

ANSWERABLE, FAR, NEAR = "answerable", "far", "near"

# Half of a set's weight lies on its answerable questions.
_WEIGHT = {ANSWERABLE: 2.0, FAR: 1.0, NEAR: 1.0}
_RIDGE = 0.01
_ITERATIONS = 50
# Of a figure that is always the same; five decimals are kept.
_LEAST_SPREAD = 1e-4
REFUSED = 0.02
"""The share of answerable questions that may come out as none."""
BELIEVED = 0.05
"""The share of far questions that may come out as answers."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The evidence of one question, of which set it is, and of which sort."""

    golden: str
    sort: str
    evidence: Evidence


def fit_calibration(samples: Sequence[Sample], encoder: str) -> Calibration:
    """A model for each kind of evidence that has both answerable and other questions."""
    models = {}
    for kind in (name for name in KINDS if name != READING):
        own = _of_kind(samples, kind)
        if {sample.sort for sample in own} >= {ANSWERABLE, FAR}:
            models[kind] = _fit(own, kind, "" if kind == "lexical" else encoder)
    return Calibration(models)


def _of_kind(samples: Sequence[Sample], kind: str) -> list[Sample]:
    """Samples that have the figures of ``kind``: every question teaches what it can.

    Words prove nothing where question and page are in two languages. Of a set that mostly asks
    across languages, what is found in the question's own one is mostly wrong: it teaches nothing
    about words either.
    """
    if kind == "vector":
        return [sample for sample in samples if sample.evidence.cosine is not None]
    own = {"hybrid"} if kind == "hybrid" else {"hybrid", "lexical"}
    across = _sets_across(samples)
    return [s for s in samples if s.evidence.kind in own and s.golden not in across]


def _sets_across(samples: Sequence[Sample]) -> set[str]:
    across: dict[str, list[bool]] = defaultdict(list)
    for sample in samples:
        if sample.sort == ANSWERABLE:
            across[sample.golden].append(sample.evidence.across)
    return {golden for golden, found in across.items() if 2 * sum(found) > len(found)}


def leave_one_out(samples: Sequence[Sample], kind: str) -> dict[str, dict[str, float]]:
    """Set → AUROC against far and near questions, by a model fitted on the other sets."""
    own = _of_kind(samples, kind)
    found = {}
    for golden in dict.fromkeys(sample.golden for sample in own):
        rest = [sample for sample in own if sample.golden != golden]
        model = _fit(rest, kind, "") if {s.sort for s in rest} >= {ANSWERABLE, FAR} else None
        if model is not None:
            inside = [sample for sample in own if sample.golden == golden]
            found[golden] = _aurocs(inside, kind, model)
    return found


def auroc(positive: Column, negative: Column) -> float:
    """The chance that a positive one scores higher than a negative one; ties count half."""
    both = np.concatenate([positive, negative])
    _, inverse, counts = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    count = len(positive)
    above = ranks[:count].sum() - count * (count + 1) / 2
    return float(above / (count * len(negative)))


def _fit(samples: Sequence[Sample], kind: str, encoder: str) -> Model:
    raw, wanted, shares = _matrix(samples, kind), _labels(samples), _shares(samples)
    return _with_thresholds(fit_logistic(raw, wanted, shares, encoder), samples, kind)


def fit_logistic(raw: Matrix, wanted: Column, shares: Column, encoder: str) -> Model:
    """A logistic model of ``raw`` figures (questions, figures; NaN where missing), no thresholds.

    ``wanted`` is 1 for an answerable question, else 0; ``shares`` is what each question weighs.
    """
    means = np.array([_mean(column, shares) for column in raw.T])
    filled = np.where(np.isnan(raw), means, raw)
    spreads = np.maximum(np.sqrt(shares @ (filled - means) ** 2), _LEAST_SPREAD)
    columns = np.c_[(filled - means) / spreads, np.ones(len(raw))]
    *weights, level = _logistic(columns, wanted, shares)
    rounded = [tuple(map(float, np.round(row, 5))) for row in (weights, means, spreads)]
    bias = round(float(level), 5)
    return Model(rounded[0], rounded[1], rounded[2], bias, low=0.0, high=1.0, encoder=encoder)


def _matrix(samples: Sequence[Sample], kind: str) -> Matrix:
    return np.array([sample.evidence.values(kind) for sample in samples], dtype=float)


def _labels(samples: Sequence[Sample]) -> Column:
    return np.array([float(sample.sort == ANSWERABLE) for sample in samples])


def _shares(samples: Sequence[Sample]) -> Column:
    """What each sample weighs: sets weigh the same, however many questions they have."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for sample in samples:
        counts[sample.golden, sample.sort] += 1
    shares = np.array([_WEIGHT[s.sort] / counts[s.golden, s.sort] for s in samples])
    return np.asarray(shares / shares.sum())


def _mean(column: Column, shares: Column) -> float:
    known = ~np.isnan(column)
    return float((column[known] * shares[known]).sum() / (shares[known].sum() or 1.0))


def _logistic(columns: Matrix, wanted: Column, shares: Column) -> Column:
    """Newton's method on the weighted log-likelihood with a ridge on all but the bias."""
    weights = np.zeros(columns.shape[1])
    ridge = np.full(columns.shape[1], _RIDGE)
    ridge[-1] = 1e-6
    for _ in range(_ITERATIONS):
        chance = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (shares * (chance - wanted)) + ridge * weights
        bend = (columns * (shares * chance * (1 - chance))[:, None]).T @ columns + np.diag(ridge)
        weights -= np.linalg.solve(bend, slope)
    return weights


def _with_thresholds(model: Model, samples: Sequence[Sample], kind: str) -> Model:
    scores = _scores(samples, kind, model)
    low = _quantile(scores, samples, ANSWERABLE, REFUSED)
    high = max(low, _quantile(scores, samples, FAR, 1 - BELIEVED))
    found = replace(model, low=round(low, 4), high=round(high, 4))
    return replace(found, errors=_errors(found, samples, kind))


def _quantile(scores: Column, samples: Sequence[Sample], sort: str, share: float) -> float:
    """The score below which ``share`` of the questions of a sort lie; all sets weigh the same."""
    inside = np.array([sample.sort == sort for sample in samples])
    own, weights = scores[inside], _shares([s for s in samples if s.sort == sort])
    order = np.argsort(own)
    place = int(np.searchsorted(np.cumsum(weights[order]), share))
    return float(own[order][min(place, len(own) - 1)])


def _errors(model: Model, samples: Sequence[Sample], kind: str) -> dict[str, float]:
    """The share of each sort by outcome, and the AUROCs, every set weighing the same."""
    found: dict[str, float] = {}
    for sort in (ANSWERABLE, FAR, NEAR):
        own = [sample for sample in samples if sample.sort == sort]
        if not own:
            continue
        shares = _shares(own)
        outcomes = [model.judge(sample.evidence.values(kind)).outcome for sample in own]
        for outcome in (ANSWER, LOW_CONFIDENCE, NONE):
            hit = np.array([one == outcome for one in outcomes])
            found[f"{sort}_{outcome}"] = round(float(shares[hit].sum()), 4)
    by_set = [
        _aurocs([s for s in samples if s.golden == golden], kind, model)
        for golden in dict.fromkeys(sample.golden for sample in samples)
    ]
    for sort in (FAR, NEAR):
        if known := [row[sort] for row in by_set if sort in row]:
            found[f"auroc_{sort}"] = round(float(np.mean(known)), 4)
    return found


def _aurocs(samples: Sequence[Sample], kind: str, model: Model) -> dict[str, float]:
    scores = {
        sort: _scores([s for s in samples if s.sort == sort], kind, model)
        for sort in (ANSWERABLE, FAR, NEAR)
    }
    return {
        sort: round(auroc(scores[ANSWERABLE], scores[sort]), 4)
        for sort in (FAR, NEAR)
        if len(scores[ANSWERABLE]) and len(scores[sort])
    }


def _scores(samples: Sequence[Sample], kind: str, model: Model) -> Column:
    verdicts = [model.judge(sample.evidence.values(kind)) for sample in samples]
    return np.array([verdict.confidence for verdict in verdicts], dtype=float)
