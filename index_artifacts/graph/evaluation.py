"""Evaluating a query over the graph's rows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from index_artifacts.graph import query as q

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.graph.query import Condition, Query, SameAs
    from index_artifacts.graph.rows import Row

_PROPOSED, _IN_PROGRESS = "proposed", "in_progress"


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found: ``values`` of what is asked for, in order, and the rows they stand in.

    A count is of the values; of yes or no, there are values or there are none.
    """

    values: tuple[Any, ...] = ()
    rows: tuple[Row, ...] = ()


def evaluate(query: Query, rows: Sequence[Row]) -> Found:
    """Evaluate ``query`` over the rows of its table."""
    rows = _existing(query, rows)
    if query.compared:
        return _compare(query, rows)
    fitting = [row for row in rows if meets_all(query.conditions, row)]
    if query.same:
        fitting = _sharing(query.same, fitting, rows)
    if query.missing:
        fitting = [row for row in fitting if not row.get(query.missing)]
    common: set[Any] | None = None
    if query.groups:
        fitting, common = _of_each(query, fitting)
    if query.without:
        fitting = _lacking(query, fitting, rows)
    if query.form in {q.MOST, q.LEAST}:
        return _extreme(query, fitting)
    if query.form in {q.FIRST, q.LAST}:
        fitting = _outermost(query, fitting)
    return _found(query, fitting, common)


def meets_all(conditions: Iterable[Condition], row: Row) -> bool:
    """True where ``row`` meets every one of ``conditions``."""
    return all(_meets(condition, row) for condition in conditions)


def _existing(query: Query, rows: Sequence[Row]) -> list[Row]:
    """Without works that are only proposed, or not finished, unless their state is asked for."""
    if query.asked == q.STATE or any(c.slot == q.STATE for c in query.everything):
        return list(rows)
    not_there = {_PROPOSED, _IN_PROGRESS} if query.finished else {_PROPOSED}
    return [row if not not_there & {*row.get(q.STATE)} else _of_nobodys_work(row) for row in rows]


def _of_nobodys_work(row: Row) -> Row:
    """The row of a person alone: what was proposed to them is no work of theirs."""
    of_work = (q.WORK, q.SUPERVISOR, q.TOPIC, q.YEAR, q.KIND, q.STATE)
    return replace(row, values={k: v for k, v in row.values.items() if k not in of_work}, edges=())


def _meets(condition: Condition, row: Row) -> bool:
    there = set(row.get(condition.slot))
    if condition.years:
        held = any(years.holds(year) for year in there for years in condition.years)
    else:
        held = bool(there & condition.values)
    if condition.negated:
        # Of what is not stated nobody knows that it is somebody else's.
        return bool(there) and not held
    return held


def _sharing(same: SameAs, fitting: list[Row], rows: Iterable[Row]) -> list[Row]:
    """Rows that share what the rows of ``same.of`` have, each of its slots with one of them."""
    models = [row for row in rows if meets_all(same.of, row)]
    return [row for row in fitting if any(_shares(same, row, model) for model in models)]


def _shares(same: SameAs, row: Row, model: Row) -> bool:
    if same.others and row.get(q.STUDENT) == model.get(q.STUDENT):
        return False
    return all(set(row.get(slot)) & set(model.get(slot)) for slot in same.slots)


def _lacking(query: Query, fitting: list[Row], rows: Sequence[Row]) -> list[Row]:
    """Rows of those for whom no row at all meets what they are to be without."""
    having = {
        value
        for row in rows
        if any(meets_all(group, row) for group in query.without)
        for value in row.get(query.asked)
    }
    return [row for row in fitting if not set(row.get(query.asked)) & having]


def _of_each(query: Query, fitting: list[Row]) -> tuple[list[Row], set[Any]]:
    """What meets each group of conditions, be it in rows of its own, and those rows."""
    per_group = [[row for row in fitting if meets_all(group, row)] for group in query.groups]
    common = set.intersection(
        *({value for row in rows for value in row.get(query.asked)} for rows in per_group)
    )
    kept = {id(row): row for rows in per_group for row in rows}
    return [row for row in kept.values() if set(row.get(query.asked)) & common], common


def _extreme(query: Query, fitting: list[Row]) -> Found:
    counted: dict[Any, set[Any]] = defaultdict(set)
    for row in fitting:
        for value in row.get(query.asked):
            counted[value].update(row.get(query.per))
    counted = {value: things for value, things in counted.items() if things}
    if not counted:
        return Found()
    choose = max if query.form == q.MOST else min
    reached = choose(len(things) for things in counted.values())
    best = {value for value, things in counted.items() if len(things) == reached}
    return _found(query, [row for row in fitting if set(row.get(query.asked)) & best], best)


def _outermost(query: Query, fitting: list[Row]) -> list[Row]:
    years = [year for row in fitting for year in row.get(query.by)]
    if not years:
        return []
    reached = min(years) if query.form == q.FIRST else max(years)
    return [row for row in fitting if reached in row.get(query.by)]


def _compare(query: Query, rows: Sequence[Row]) -> Found:
    """Of the compared, those who come first, last, or have the most or fewest."""
    by_counting = query.form in {q.MORE, q.FEWER}
    measured: dict[Any, int] = {}
    standing: list[Row] = []
    for condition in query.compared:
        fitting = [row for row in rows if meets_all((*query.conditions, condition), row)]
        standing += fitting
        value = condition.years[0].first if condition.years else next(iter(condition.values))
        if by_counting:
            measured[value] = len({thing for row in fitting for thing in row.get(query.per)})
        elif years := [year for row in fitting for year in row.get(query.by)]:
            measured[value] = min(years) if query.form == q.EARLIER else max(years)
    if len(measured) < len(query.compared):
        return Found()  # of somebody nothing is known to compare
    low = query.form in {q.EARLIER, q.FEWER}
    reached = min(measured.values()) if low else max(measured.values())
    best = {value for value, measure in measured.items() if measure == reached}
    return _found(query, standing, best)


def _found(query: Query, rows: list[Row], only: set[Any] | None = None) -> Found:
    values = dict.fromkeys(
        value
        for row in rows
        for value in row.get(query.asked)
        if (only is None or value in only) and value not in query.excluded
    )
    return Found(tuple(values), tuple(rows))
