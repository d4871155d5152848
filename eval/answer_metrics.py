"""Figures of answers. Each metric is a mean over the questions that it is about.

Let Q be the questions, A those with ``should_answer``, D those answered (accepted for delivery).

| metric | formula |
|---|---|
| should_answer | of Q: 1 where accepted = should_answer |
| wrongly_answered | of Q − A: 1 where accepted |
| wrongly_refused | of A: 1 where not accepted |
| fact_recall | of A with facts: facts in the text / facts; 0 where refused |
| fact_recall_answered | the same, of A ∩ D with facts |
| source | of A ∩ D with gold pages: 1 where a gold page is cited |
| citation_precision | of A ∩ D with gold pages: cited gold pages / cited pages |
| strict | of Q: should_answer and, in A, all facts, a gold page and nothing forbidden |
| forbidden | of D: 1 where the text holds a forbidden string |
| unsupported | of D: 1 where a statement is not proved by its page |
| first_pass | of Q: 1 where accepted at the first attempt |
| after_repair | of Q: 1 where accepted at the second |
| refused, failed | of Q: 1 where that is the outcome |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eval.metric_rows import MetricRow, interval, when

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from eval.answer_outcomes import AnswerOutcome

ALL = "all"


@dataclass(frozen=True, slots=True)
class AnswerRow(MetricRow):
    """The figures of a group of questions: ``all``, ``lang xx`` or ``kind xx``.

    ``metrics`` maps a metric to its interval and the number of questions it is about; a metric
    that is about none is left out. ``unsupported`` of ``claims`` are statements, not questions;
    ``forbidden`` are answers. ``p50`` and ``p95`` are milliseconds; tokens are sums. ``refusals``
    are claims that each check refused, ``checked`` all claims that were checked.
    """

    claims: int
    unsupported: int
    forbidden: int
    checked: int
    refusals: dict[str, int]
    p50: float
    p95: float
    prompt_tokens: int
    completion_tokens: int


def _fact_recall(one: AnswerOutcome) -> float | None:
    if not one.should_answer or not one.facts:
        return None
    return sum(one.facts) / len(one.facts) if one.accepted else 0.0


def _source(one: AnswerOutcome) -> float | None:
    return when(bool({*one.cited} & {*one.gold}), _cites(one))


def _citation_precision(one: AnswerOutcome) -> float | None:
    if not _cites(one):
        return None
    return len({*one.cited} & {*one.gold}) / len({*one.cited}) if one.cited else 0.0


def _cites(one: AnswerOutcome) -> bool:
    return one.should_answer and one.accepted and bool(one.gold)


def is_strict(one: AnswerOutcome) -> bool:
    """True where nothing is wrong with what was delivered, or refused."""
    if one.accepted != one.should_answer:
        return False
    whole = all(one.facts) and not one.forbidden and _source(one) != 0.0
    return whole or not one.should_answer


METRICS: dict[str, Callable[[AnswerOutcome], float | None]] = {
    "should_answer": lambda one: float(one.accepted == one.should_answer),
    "wrongly_answered": lambda one: when(one.accepted, not one.should_answer),
    "wrongly_refused": lambda one: when(not one.accepted, one.should_answer),
    "fact_recall": _fact_recall,
    "fact_recall_answered": lambda one: _fact_recall(one) if one.accepted else None,
    "source": _source,
    "citation_precision": _citation_precision,
    "strict": lambda one: float(is_strict(one)),
    "forbidden": lambda one: when(one.forbidden > 0, one.accepted),
    "unsupported": lambda one: when(bool(one.unsupported), one.accepted),
    "first_pass": lambda one: float(one.accepted and one.attempts == 1),
    "after_repair": lambda one: float(one.accepted and one.attempts == 2),
    "refused": lambda one: float(one.outcome == "refused"),
    "failed": lambda one: float(one.outcome == "failed"),
}


def answer_rows(outcomes: Sequence[AnswerOutcome]) -> list[AnswerRow]:
    """A row for all questions and one for each language and kind; ``outcomes`` are not empty."""
    groups: dict[str, list[AnswerOutcome]] = {ALL: list(outcomes)}
    for name in ("lang", "kind"):
        for value in sorted({getattr(one, name) for one in outcomes} - {""}):
            members = [one for one in outcomes if getattr(one, name) == value]
            groups[f"{name} {value}"] = members
    return [_row(group, members) for group, members in groups.items()]


def _row(group: str, outcomes: Sequence[AnswerOutcome]) -> AnswerRow:
    times = [one.milliseconds for one in outcomes]
    p50, p95 = (float(value) for value in np.percentile(times, (50, 95)))
    values = {name: _values(metric, outcomes) for name, metric in METRICS.items()}
    return AnswerRow(
        group=group,
        questions=len(outcomes),
        metrics={name: (interval(one), len(one)) for name, one in values.items() if one},
        claims=sum(one.claims for one in outcomes),
        unsupported=sum(len(one.unsupported) for one in outcomes),
        forbidden=sum(one.forbidden > 0 for one in outcomes),
        checked=sum(one.checked for one in outcomes),
        refusals=_refusals(outcomes),
        p50=p50,
        p95=p95,
        prompt_tokens=sum(one.prompt_tokens for one in outcomes),
        completion_tokens=sum(one.completion_tokens for one in outcomes),
    )


def _values(
    metric: Callable[[AnswerOutcome], float | None], outcomes: Iterable[AnswerOutcome]
) -> list[float]:
    return [value for one in outcomes if (value := metric(one)) is not None]


def _refusals(outcomes: Iterable[AnswerOutcome]) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in outcomes:
        for check, count in one.refusals.items():
            total[check] = total.get(check, 0) + count
    return total


def severity(one: AnswerOutcome) -> tuple[int, float]:
    """How bad an outcome is, worst first when sorted in reverse; (0, 0) where nothing is wrong."""
    lacking = one.facts.count(False) / len(one.facts) if one.facts and one.should_answer else 0.0
    if one.unsupported or one.forbidden:
        return 4, float(len(one.unsupported) + one.forbidden)
    if one.accepted and not one.should_answer:
        return 3, float(one.claims)
    if one.should_answer and not one.accepted:
        return 2, 1.0
    return (0, 0.0) if is_strict(one) else (1, lacking)
