"""A row of a report: the figures of a group of questions, each metric with its interval."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eval.metrics import intervals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.metrics import Interval


@dataclass(frozen=True, slots=True)
class MetricRow:
    """The group is ``all``, ``lang xx`` or ``kind xx``.

    ``metrics`` maps a metric to its interval and the number of questions it is about; a metric
    that is about none is left out.
    """

    group: str
    questions: int
    metrics: dict[str, tuple[Interval, int]]

    def mean(self, metric: str) -> float | None:
        """The metric's mean; None where it is about no question here."""
        found = self.metrics.get(metric)
        return found[0].mean if found else None


def when(value: bool, condition: bool) -> float | None:
    """A metric of one question: ``value`` as a number, None where it is not about the question."""
    return float(value) if condition else None


def interval(values: Sequence[float]) -> Interval:
    """The mean of ``values`` with its interval."""
    return intervals(np.array(values, dtype=np.float64).reshape(-1, 1))[0]


def row_json(row: MetricRow, **times: float) -> dict[str, Any]:
    """A row for a file; ``times`` are its fields in milliseconds."""
    metrics = {
        name: [*(round(value, 4) for value in (found.mean, found.low, found.high)), count]
        for name, (found, count) in row.metrics.items()
    }
    rounded = {name: round(value, 3) for name, value in times.items()}
    return {**asdict(row), **rounded, "metrics": metrics}
