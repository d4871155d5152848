"""Conditions that one work meets, and those that several works of one person meet together."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.vocabulary import small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.query import Condition, Query
    from index_artifacts.graph.reading import Reading

_JOINS = small("joins")
_NEVER = small("never")
_LONGEST_PREPOSITION = 4
_PEOPLE = frozenset([q.STUDENT, q.SUPERVISOR])
# Of these a work has one: two that are named are of two works, unless either will do.
_SINGLE = (q.KIND, q.SUPERVISOR, q.YEAR)


def grouped(reading: Reading, query: Query, conditions: Sequence[Condition]) -> Query:
    """``query`` under ``conditions``: of each row, of several rows together, or of none."""
    never = _never(reading, query, conditions)
    denied = [condition for group in never for condition in group]
    left = [c for c in conditions if c not in denied or _is_kind_of_group(query, c, never)]
    kept = _united(reading, query, left)
    without = tuple(
        tuple(replace(condition, negated=False) for condition in group) for group in never
    )
    if query.asked in _PEOPLE and (groups := _groups(reading, query, kept)):
        common = tuple(c for c in kept if not any(c in group for group in groups))
        return replace(query, conditions=common, groups=groups, without=without)
    several = _several(query, kept)
    if several:
        common = tuple(c for c in kept if c not in several)
        groups = tuple((condition,) for condition in several)
        return replace(query, conditions=common, groups=groups, without=without)
    return replace(query, conditions=tuple(kept), without=without)


def _is_kind_of_group(
    query: Query, condition: Condition, never: Sequence[Sequence[Condition]]
) -> bool:
    """True for the kind in "in 2022, but not in 2023", which both years are about."""
    dated = any(len(group) > 1 and group[0].negated for group in never)
    return query.asked == q.SUPERVISOR and dated and not condition.negated


def _never(
    reading: Reading, query: Query, conditions: Sequence[Condition]
) -> list[list[Condition]]:
    """Groups of conditions that whoever is asked for meets in no row at all.

    "Whose theses of 2022 did X not supervise" is about those theses, unless it says "never".
    """
    if query.form == q.WHETHER or query.asked not in _PEOPLE:
        return []
    if query.asked == q.SUPERVISOR:
        return _never_supervised(reading, conditions)
    of_works = any(c.slot in {q.YEAR, q.KIND, q.TOPIC} and not c.negated for c in conditions)
    supervised = any(c.slot == q.SUPERVISOR and c.negated for c in conditions)
    never = any(token.word in _NEVER for token in reading.tokens)
    if reading.has("except") and reading.has("supervise") and not never:
        kinds = any(c.slot == q.KIND and c.negated for c in conditions)
        people = any(c.slot == q.SUPERVISOR and not c.negated for c in conditions)
        if kinds and people:
            return []  # "whom X led, besides those with a master thesis": in that work
    contrasted = any(c.slot == q.SUPERVISOR and not c.negated for c in conditions)
    if of_works and supervised and not never and not contrasted:
        return []
    return [[condition] for condition in conditions if condition.negated]


def _never_supervised(reading: Reading, conditions: Sequence[Condition]) -> list[list[Condition]]:
    """ "Ktorí vedúci neviedli v roku 2024 žiadnu bakalárku", "in 2022 but not in 2023"."""
    of_works = [c for c in conditions if c.slot in {q.KIND, q.YEAR, q.TOPIC}]
    named = any(c.slot == q.SUPERVISOR and c.negated for c in conditions)
    if not named and reading.negated("supervise", "have") and of_works:
        return [of_works]
    denied = [c.negated for c in conditions if c.slot == q.KIND]
    of_nobody = not any(c.slot in {q.STUDENT, q.WORK} for c in conditions)
    alone = of_nobody and not reading.has("except", "else")
    if denied and all(denied) and alone and reading.has("supervise"):
        return [[replace(c, negated=False) for c in of_works]]  # "supervised no bachelor thesis"
    dated = [c for c in conditions if c.slot == q.YEAR and c.negated]
    kinds = [c for c in conditions if c.slot == q.KIND and not c.negated]
    return [[condition, *kinds] for condition in dated]


def _united(reading: Reading, query: Query, conditions: Sequence[Condition]) -> list[Condition]:
    """Alternatives in one condition: "X alebo Y", and "prace X a Y" where a work is asked for."""
    by_slot: dict[tuple[str, bool], list[Condition]] = defaultdict(list)
    for condition in conditions:
        by_slot[condition.slot, condition.negated].append(condition)
    united: list[Condition] = []
    for (slot, negated), found in by_slot.items():
        if len(found) > 1 and (negated or not _is_together(reading, query, slot)):
            values = frozenset().union(*(condition.values for condition in found))
            years = tuple(span for condition in found for span in condition.years)
            united.append(replace(found[0], values=values, years=years))
        else:
            united += found
    return sorted(united, key=lambda condition: condition.at)


def _is_together(reading: Reading, query: Query, slot: str) -> bool:
    """True where several values of ``slot`` are meant at once, and not as alternatives."""
    if reading.has("or"):
        return False
    if query.form == q.WHETHER or slot in {q.KEYWORD, q.CATEGORY, q.TOPIC}:
        return True
    if slot == query.asked:
        return False
    if query.asked == q.STUDENT and slot in _SINGLE:
        return True
    if query.asked == q.SUPERVISOR and slot == q.YEAR:
        return True  # "in 2021 and in 2022"; two years side by side are one condition
    return reading.has("both") or _says_also(reading)


def _says_also(reading: Reading) -> bool:
    """True for "X aj Y", "и X, и Y"."""
    words = [token.word for token in reading.tokens]
    return "aj" in words or any(words.count(word) > 1 for word in ("i", "и", "jak"))


def _several(query: Query, kept: Sequence[Condition]) -> list[Condition]:
    """Conditions of one slot that what is asked for has to meet one by one."""
    by_slot: dict[str, list[Condition]] = defaultdict(list)
    for condition in kept:
        by_slot[condition.slot].append(condition)
    return next(
        (found for slot, found in by_slot.items() if len(found) > 1 and slot != query.asked), []
    )


def _groups(
    reading: Reading, query: Query, kept: Sequence[Condition]
) -> tuple[tuple[Condition, ...], ...]:
    """Conditions around each of several kinds, supervisors or years of somebody's works."""
    for slot in _SINGLE:
        anchors = [condition for condition in kept if condition.slot == slot]
        if len(anchors) > 1 and slot != query.asked:
            break
    else:
        return ()
    borders = [_border(reading, a.at, b.at) for a, b in pairwise(anchors)]
    adjoining = all(_adjoin(reading, a.at, b.at) for a, b in pairwise(anchors))
    if adjoining and not _has_two_verbs(reading, borders):
        return tuple((anchor,) for anchor in anchors)  # the rest is about all of them
    groups: list[list[Condition]] = [[] for _ in anchors]
    for condition in kept:
        if condition.slot in {q.START, q.STUDENT, q.KEYWORD, q.CATEGORY}:
            continue  # of the person, not of a work
        alone = sum(other.slot == condition.slot for other in kept) == 1
        if alone and condition.at < anchors[0].at and not _has_two_verbs(reading, borders):
            continue  # "bakalárky v roku 2023 aj v roku 2024": of both
        groups[sum(condition.at >= border for border in borders)].append(condition)
    if any(not set(group) & {anchor} for group, anchor in zip(groups, anchors, strict=True)):
        return ()
    return tuple(tuple(group) for group in groups)


def _has_two_verbs(reading: Reading, borders: Sequence[int]) -> bool:
    """True for "v roku 2020 obhájili bakalársku a diplomovú písali u X"."""
    verbs = reading.where("write", "defend", "finish", "supervise")
    return (
        len(borders) == 1
        and any(at < borders[0] for at in verbs)
        and any(at > borders[0] for at in verbs)
    )


def _adjoin(reading: Reading, first: int, second: int) -> bool:
    """True where nothing but a conjunction stands between two tokens: "bakalársku aj diplomovú"."""
    between = reading.tokens[first + 1 : second]
    mentions = [m for m in reading.mentions if m.covers(first)]
    if mentions:
        between = reading.tokens[mentions[0].last + 1 : second]
    return all(
        token.word in _JOINS
        or (len(token.word) <= _LONGEST_PREPOSITION and not token.year and not token.has("year"))
        or token.has("work", "fillers", "both")
        for token in between
    )


def _border(reading: Reading, first: int, second: int) -> int:
    """The conjunction between two tokens, else the second one itself."""
    joins = [at for at in range(first + 1, second) if reading.tokens[at].word in _JOINS]
    return joins[-1] if joins else second
