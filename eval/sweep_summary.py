"""From a sweep to rows of figures, and to the one setting that is recommended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eval.metrics import METRICS, intervals, mean_differences, score
from eval.outcomes import LEVELS
from eval.sweep_settings import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.metrics import Difference, Interval, Values
    from eval.outcomes import Outcome
    from eval.sweep import Cost, Measured, SetSweep
    from eval.sweep_settings import Setting

SHOWN = ("hit@1", "hit@10", "mrr@10")
DECIDES = "mrr@10"
"""What settings are compared by, at the finest level that each set has."""

# An index must be so much smaller before it is worth leaving the default.
_WORTH = 0.02


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """Means of `SHOWN` at a level, and the differences from the default, paired by question."""

    metrics: dict[str, Interval]
    differences: dict[str, Difference]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting over one or several sets: metrics are means of the sets, costs are sums.

    ``seconds`` is of the builds as they were; ``empty_seconds`` as they would be with an empty
    vector cache: None where that is not known, ``estimated`` where vectors came out of the cache.
    ``p50`` is the mean of the sets' median milliseconds of ranking an answer.
    """

    setting: Setting
    levels: dict[str, LevelFigures]
    index_bytes: int
    seconds: float | None
    empty_seconds: float | None
    estimated: bool
    vectors_computed: int
    vectors_reused: int
    p50: float


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The setting to take and why, in a sentence."""

    setting: Setting
    sentence: str


def setting_rows(sweeps: Sequence[SetSweep]) -> list[SettingRow]:
    """A row for each setting, over all of ``sweeps``; the default comes first."""
    rates = [_seconds_per_character(sweep.measured) for sweep in sweeps]
    default = _column(sweeps, DEFAULT)
    rows = []
    for setting in (measured.setting for measured in sweeps[0].measured):
        column = _column(sweeps, setting)
        costs = [measured.cost for measured in column]
        row = SettingRow(
            setting=setting,
            levels={level: _figures(column, default, level) for level in _levels(column)},
            index_bytes=sum(cost.index_bytes for cost in costs),
            seconds=_sum([cost.seconds for cost in costs]),
            empty_seconds=_sum(list(map(_from_empty, costs, rates))),
            estimated=any(cost.helped_by_cache for cost in costs),
            vectors_computed=sum(cost.vectors_computed for cost in costs),
            vectors_reused=sum(cost.vectors_reused for cost in costs),
            p50=float(np.mean([_p50(measured) for measured in column])),
        )
        rows.append(row)
    return rows


def recommend(sweeps: Sequence[SetSweep]) -> Recommendation:
    """The cheapest setting that no other beats by more than its interval, over all sets.

    One beats another where the 95 % interval of their paired difference in `DECIDES` lies above
    zero. Cheapest is the smallest index: it is what a cold start downloads and a query reads.
    The default wins where its index is at most 2 % larger, else the best of those near.
    """
    rows = setting_rows(sweeps)
    scores = [_deciding(sweeps, row.setting) for row in rows]
    means = [found.mean for found in intervals(*_side_by_side(scores))]
    beaten = {number: _beaten_by(number, scores) for number in range(len(rows))}
    standing = [number for number, by in beaten.items() if not by]
    least = min(rows[number].index_bytes for number in standing)
    near = [n for n in standing if rows[n].index_bytes <= least * (1 + _WORTH)]
    own = next(number for number, row in enumerate(rows) if row.setting == DEFAULT)
    chosen = own if own in near else max(near, key=lambda number: means[number])
    if chosen == own:
        return Recommendation(DEFAULT, _keep(len(rows)))
    difference = mean_differences(
        *(after - before for after, before in zip(scores[chosen], scores[own], strict=True))
    )[0]
    winners = [rows[number].setting.name for number in beaten[own]]
    return Recommendation(
        rows[chosen].setting, _change(rows[chosen], rows[own], difference, winners, len(rows))
    )


def _keep(count: int) -> str:
    return (
        f"keep the default: of {count} settings none beats it by more than its interval, and none "
        "that holds its own has an index more than 2 % smaller"
    )


def _change(
    row: SettingRow, default: SettingRow, difference: Difference, winners: list[str], count: int
) -> str:
    why = f"the default is beaten by {'; '.join(winners)}" if winners else "no setting beats it"
    costs = [f"index {_relative(row.index_bytes, default.index_bytes)}"]
    if row.empty_seconds and default.empty_seconds:
        costs.append(f"build {_relative(row.empty_seconds, default.empty_seconds)}")
    costs.append(f"p50 {_relative(row.p50, default.p50)}")
    return (
        f"{row.setting.name}: {DECIDES} {difference.mean:+.3f} against the default "
        f"({difference.low:+.3f} to {difference.high:+.3f}), {', '.join(costs)}; {why}. It was "
        f"picked out of {count} settings on these questions: ask others before you rely on it"
    )


def _relative(value: float, base: float) -> str:
    return f"{(value / base - 1) * 100:+.0f} %"


def _beaten_by(number: int, scores: Sequence[Sequence[Values]]) -> list[int]:
    """The settings that surely score higher than that at ``number``."""
    sides = _side_by_side(scores)
    found = mean_differences(*(side - side[:, [number]] for side in sides))
    return [other for other, difference in enumerate(found) if difference.low > 0]


def _side_by_side(scores: Sequence[Sequence[Values]]) -> list[Values]:
    """For each set an array of shape (questions, settings)."""
    return [np.hstack(columns) for columns in zip(*scores, strict=True)]


def _deciding(sweeps: Sequence[SetSweep], setting: Setting) -> list[Values]:
    """For each set an array of shape (questions, 1)."""
    return [
        _matrix([outcome.finest for outcome in measured.run.outcomes], (DECIDES,))
        for measured in _column(sweeps, setting)
    ]


def _column(sweeps: Sequence[SetSweep], setting: Setting) -> list[Measured]:
    return [
        next(measured for measured in sweep.measured if measured.setting == setting)
        for sweep in sweeps
    ]


def _levels(column: Sequence[Measured]) -> list[str]:
    return [level for level in LEVELS if any(_asked(one, level) for one in column)]


def _asked(measured: Measured, level: str) -> list[Outcome]:
    return [outcome for outcome in measured.run.outcomes if outcome.ranks(level)]


def _figures(column: Sequence[Measured], default: Sequence[Measured], level: str) -> LevelFigures:
    """Of the sets whose questions have gold at ``level``."""
    after, before = (
        [
            _matrix([outcome.ranks(level) for outcome in asked], SHOWN)
            for one in side
            if (asked := _asked(one, level))
        ]
        for side in (column, default)
    )
    differences = mean_differences(*(a - b for a, b in zip(after, before, strict=True)))
    return LevelFigures(
        dict(zip(SHOWN, intervals(*after), strict=True)),
        dict(zip(SHOWN, differences, strict=True)),
    )


def _matrix(ranks: Sequence[tuple[int | None, ...]], names: Sequence[str]) -> Values:
    """Shape (questions, len(names))."""
    columns = [METRICS.index(name) for name in names]
    return np.array([score(one) for one in ranks], dtype=np.float64)[:, columns]


def _p50(measured: Measured) -> float:
    return float(np.median([outcome.milliseconds for outcome in measured.run.outcomes]))


def _seconds_per_character(measured: Sequence[Measured]) -> float | None:
    """Over the different builds of a set; None where the encoder had nothing to do."""
    costs = {one.setting.built: one.cost for one in measured}.values()
    characters = sum(cost.characters_computed for cost in costs)
    return sum(cost.encoder_seconds for cost in costs) / characters if characters else None


def _from_empty(cost: Cost, rate: float | None) -> float | None:
    if cost.seconds is None or not cost.helped_by_cache:
        return cost.seconds
    return None if rate is None else cost.seconds - cost.encoder_seconds + rate * cost.characters


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
