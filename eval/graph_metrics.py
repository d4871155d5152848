"""Figures of graph answers. Each metric is a mean over the questions that it is about.

Let Q be the questions.

| metric | formula |
|---|---|
| strict | of Q: 1 where outcome, answers (as a set) and candidates are right |
| outcome | of Q: 1 where the outcome is right |
| not_understood | of questions outside the graph: 1 where it says so |
| gave_up | of the others: 1 where it says not_understood |
| complete | of Q with an expected completeness, strict ones: 1 where it claims that |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eval.graph_set import NOT_UNDERSTOOD
from eval.metric_rows import MetricRow, interval, when

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from eval.graph_outcomes import GraphOutcome

ALL = "all"


@dataclass(frozen=True, slots=True)
class GraphRow(MetricRow):
    """The figures of a group of questions: ``all``, ``lang xx`` or ``kind xx``.

    ``metrics`` maps a metric to its interval and the number of questions it is about; one that
    is about none is left out. ``wrong`` counts answers, ``denied`` facts, ``overclaimed``
    questions; ``p50`` and ``p95`` are milliseconds.
    """

    wrong: int
    denied: int
    overclaimed: int
    p50: float
    p95: float


METRICS: dict[str, Callable[[GraphOutcome], float | None]] = {
    "strict": lambda one: float(one.strict),
    "outcome": lambda one: float(one.outcome == one.expected),
    "not_understood": lambda one: when(
        one.outcome == NOT_UNDERSTOOD, one.expected == NOT_UNDERSTOOD
    ),
    "gave_up": lambda one: when(one.outcome == NOT_UNDERSTOOD, one.expected != NOT_UNDERSTOOD),
    "complete": lambda one: when(
        one.claimed == one.complete, one.strict and one.complete is not None
    ),
}


def graph_rows(outcomes: Sequence[GraphOutcome]) -> list[GraphRow]:
    """A row for all questions and one for each language and kind; ``outcomes`` are not empty."""
    groups: dict[str, list[GraphOutcome]] = {ALL: list(outcomes)}
    for name in ("lang", "kind"):
        for value in sorted({getattr(one, name) for one in outcomes} - {""}):
            members = [one for one in outcomes if getattr(one, name) == value]
            groups[f"{name} {value}"] = members
    return [_row(group, members) for group, members in groups.items()]


def _row(group: str, outcomes: Sequence[GraphOutcome]) -> GraphRow:
    p50, p95 = np.percentile([one.milliseconds for one in outcomes], (50, 95))
    values = {
        name: [value for one in outcomes if (value := metric(one)) is not None]
        for name, metric in METRICS.items()
    }
    return GraphRow(
        group=group,
        questions=len(outcomes),
        metrics={name: (interval(one), len(one)) for name, one in values.items() if one},
        wrong=sum(one.wrong for one in outcomes),
        denied=sum(one.denied for one in outcomes),
        overclaimed=sum(one.overclaimed for one in outcomes),
        p50=float(p50),
        p95=float(p95),
    )


def severity(one: GraphOutcome) -> tuple[int, int]:
    """How bad an outcome is, worst first when sorted in reverse; (0, 0) where all is right."""
    if one.wrong or one.denied:
        return 3, one.wrong + one.denied
    if one.overclaimed:
        return 2, 1
    return (0, 0) if one.strict else (1, one.missing + one.extra)
