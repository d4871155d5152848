"""The conditions that a question sets by years: whether of a work or of somebody's studies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.query import Condition
from index_artifacts.graph.reading import KINDS
from index_artifacts.graph.times import Years
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from index_artifacts.graph.reading import Reading

_COMPARING = small("as", "than")
_JOINS = small("joins")
_NEAR = 3
_DATED_BY = ("begin", "write", "defend", "finish", "supervise", "supervision")
# Of those who began together; in Polish the word is any year.
_YEAR_GROUPS = frozenset(["rocnika", "rocniku", "rocnikom", "intake"])


def year_conditions(reading: Reading) -> list[Condition]:
    """A condition for each year or range that is named; see `_dated`."""
    found: list[Condition] = []
    for years in reading.years:
        slot = _dated(reading, years.at)
        if slot == q.START and years.open_end == "last" and not reading.has("begin", "later"):
            # "Študuje od roku 2019": then it began.
            years = Years(years.first, years.first, years.at)
        denied = (
            reading.before(years.at, "except", "not", reach=4)
            or _is_another_year(reading, years.at)
            or (
                slot == q.START and any(reading.tokens[at].negated for at in reading.where("begin"))
            )
        )
        previous = found[-1] if found and found[-1].slot == slot else None
        if previous and not denied and (both := _between(previous.years, years)):
            found[-1] = replace(previous, years=(both,))  # "after 2020 and by 2022 at the latest"
        elif previous and not denied and _are_listed(reading, previous.years[-1].at, years.at):
            found[-1] = replace(previous, years=(*previous.years, years))  # "2020 or 2022"
        else:
            found.append(Condition(slot, years=(years,), negated=denied, at=years.at))
    return found


def _is_another_year(reading: Reading, at: int) -> bool:
    """True for "in other years than 2021"."""
    compared = any(token.word in _COMPARING for token in reading.tokens[max(0, at - 2) : at])
    return compared and reading.before(at, "else", reach=4)


def _are_listed(reading: Reading, first: int, second: int) -> bool:
    """True for years that are alternatives: "2020 or 2022", not "both in 2020 and in 2022"."""
    either = any(reading.tokens[at].has("or") for at in range(first + 1, second))
    return either or (second - first <= _NEAR and not reading.has("both"))


def _between(before: tuple[Years, ...], years: Years) -> Years | None:
    """The range that two open ones have in common, where one has no end and the other no start."""
    opposite = {before[0].open_end, years.open_end} == {"first", "last"}
    if len(before) != 1 or not opposite:
        return None
    return Years(max(before[0].first, years.first), min(before[0].last, years.last), years.at)


def _dated(reading: Reading, at: int) -> str:
    """Which year the one at ``at`` is: a verb of its clause says, first one before it."""
    near = [reading.tokens[n].word for n in (at - 1, at + 1) if 0 <= n < len(reading.tokens)]
    if _YEAR_GROUPS & set(near):
        return q.START
    verbs = reading.where(*_DATED_BY, "work", *KINDS)
    clause = [verb for verb in verbs if reading.clause(verb) == reading.clause(at)]
    before = [verb for verb in clause if verb < at]
    if before and any(verb > at for verb in clause):
        # "Nastúpili v roku 2018 a v roku 2021 odovzdali": the next verb is about the second year.
        joined = any(token.word in _JOINS for token in reading.tokens[max(before) + 1 : at])
        before = [] if joined else before
        clause = [verb for verb in clause if verb > at] if joined else clause
    nearest = max(before) if before else min(clause or verbs, default=-1)
    if nearest >= 0 and reading.tokens[nearest].has("begin"):
        return q.START
    if nearest < 0 and reading.has("study"):
        return q.START
    return q.YEAR
