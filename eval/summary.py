"""From outcomes to rows of figures: per system, level, language and kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from eval.metrics import METRICS, intervals, paired_differences, score
from eval.outcomes import LEVELS
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.metrics import Difference, Interval, Values
    from eval.outcomes import Asked, Outcome, RetrievalRun

ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """The metrics of a system at a level over a group: ``all``, ``lang xx`` or ``kind xx``.

    ``p50`` is the median milliseconds of ranking an answer in this run.
    """

    system: str
    level: str
    group: str
    questions: int
    metrics: dict[str, Interval]
    p50: float


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """What changed from a baseline run: metric → paired difference, ours less the baseline's."""

    system: str
    level: str
    group: str
    questions: int
    metrics: dict[str, Difference]


def summarise(run: RetrievalRun) -> list[Row]:
    """A row for each system, level and group that has a question."""
    rows = []
    for level, group, members in _groups(run):
        for system in run.systems:
            chosen = [o for o in _of_system(run, system, level) if o.question in members]
            found = intervals(_matrix(chosen, level))
            p50 = float(np.median([outcome.milliseconds for outcome in chosen]))
            named = dict(zip(METRICS, found, strict=True))
            rows.append(Row(system, level, group, len(chosen), named, p50))
    return rows


def compare(run: RetrievalRun, baseline: RetrievalRun) -> list[ComparedRow]:
    """Pair the runs by question id for each system that both have measured.

    Raises `ConfigError` where they share no system or no question.
    """
    rows = []
    for level, group, members in _groups(run):
        for system in (name for name in run.systems if name in baseline.systems):
            before = {o.question: o for o in _of_system(baseline, system, level)}
            pairs = [
                (outcome, before[outcome.question])
                for outcome in _of_system(run, system, level)
                if outcome.question in members and outcome.question in before
            ]
            if pairs:
                matrices = (_matrix(list(side), level) for side in zip(*pairs, strict=True))
                named = dict(zip(METRICS, paired_differences(*matrices), strict=True))
                rows.append(ComparedRow(system, level, group, len(pairs), named))
    if not rows:
        raise ConfigError(
            f"nothing to compare: run of {run.golden} ({', '.join(run.systems)}) and run of "
            f"{baseline.golden} ({', '.join(baseline.systems)}) share no system or no question"
        )
    return rows


def failures(run: RetrievalRun, system: str) -> list[tuple[Asked, Outcome]]:
    """Questions whose gold is not first, worst first: not found, then by falling rank."""
    asked = {question.id: question for question in run.questions}
    missed = [o for o in run.outcomes if o.system == system and o.best != 1]
    missed.sort(key=lambda outcome: -(outcome.best or 1_000_000))
    return [(asked[outcome.question], outcome) for outcome in missed]


def to_json(run: RetrievalRun, compared: list[ComparedRow]) -> dict[str, Any]:
    """What ``--json`` prints of a run: figures by system, level and group, no outcomes."""
    return {
        "golden": run.golden,
        "golden_sha256": run.golden_sha256,
        "split": run.split,
        "version": run.version,
        "questions": len(run.questions),
        "left_out": run.left_out,
        "test_looks": run.test_looks,
        "incomplete": sum(not outcome.complete for outcome in run.outcomes),
        "rows": [
            _row_json(row, {name: (i.mean, i.low, i.high) for name, i in row.metrics.items()})
            | {"p50_ms": round(row.p50, 3)}
            for row in summarise(run)
        ],
        "compared": compared_json(compared),
    }


def compared_json(rows: list[ComparedRow]) -> list[dict[str, Any]]:
    """A comparison as JSON; each metric is [difference, low, high, p]."""
    return [
        _row_json(row, {name: (d.mean, d.low, d.high, d.p) for name, d in row.metrics.items()})
        for row in rows
    ]


def _row_json(row: Row | ComparedRow, metrics: dict[str, tuple[float, ...]]) -> dict[str, Any]:
    rounded = {name: [round(value, 4) for value in values] for name, values in metrics.items()}
    return {
        "system": row.system,
        "level": row.level,
        "group": row.group,
        "questions": row.questions,
        "metrics": rounded,
    }


def _groups(run: RetrievalRun) -> Iterator[tuple[str, str, set[str]]]:
    """(level, group, ids of its questions) wherever a question has gold at that level."""
    for level in LEVELS:
        has_gold = {outcome.question for outcome in run.outcomes if outcome.ranks(level)}
        questions = [question for question in run.questions if question.id in has_gold]
        groups: dict[str, set[str]] = {ALL: {question.id for question in questions}}
        for question in questions:
            for name, value in (("lang", question.lang), ("kind", question.kind)):
                if value:
                    groups.setdefault(f"{name} {value}", set()).add(question.id)
        yield from ((level, group, ids) for group, ids in sorted(groups.items()) if ids)


def _of_system(run: RetrievalRun, system: str, level: str) -> list[Outcome]:
    return [o for o in run.outcomes if o.system == system and o.ranks(level)]


def _matrix(outcomes: list[Outcome], level: str) -> Values:
    """Shape (questions, metrics)."""
    return np.array([score(outcome.ranks(level)) for outcome in outcomes], dtype=np.float64)
