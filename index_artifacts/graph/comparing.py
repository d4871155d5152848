"""What is shared, and what is compared: "the same supervisor as X", "who finished earlier"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.query import Condition, Query, SameAs
from index_artifacts.graph.reading import FINISHED, KINDS

if TYPE_CHECKING:
    from index_artifacts.graph.reading import Reading

_POINTING = frozenset(["tom", "tomto", "tym", "tymto", "that", "tym_istym", "tem", "том", "tamtym"])


def ordered_by(reading: Reading) -> str:
    """The year that earlier and later, first and last go by."""
    studied = any(not reading.tokens[at].has("student") for at in reading.where("study"))
    begun = (studied or reading.has("begin")) and not reading.has(*FINISHED, "work", *KINDS)
    return q.START if begun else q.YEAR


def same_as(
    reading: Reading, query: Query, names: list[Condition], others: list[Condition]
) -> Query | None:
    """ "The same supervisor as X", or whether X and Y have the same."""
    slots = shared_slots(reading)
    of = [c for c in names if c.slot in {q.STUDENT, q.WORK}]
    described = [
        Condition(q.WORK if node.type != "Person" else q.STUDENT, frozenset([node.id]))
        for mention in reading.mentions
        for node in mention.base
    ]
    if not of:  # "in the same year as the supervisor of X supervised X"
        of = described
    elif q.KIND in slots and described:
        # "The same kind of work as the author of T" is about T, not about another of theirs.
        of, names = described, [c for c in names if c not in of]
    if not of or not slots:
        return None
    rest = tuple(c for c in names if c not in of)
    # "Besides X" leaves X out of the answer; it is still X with whom something is shared.
    models = [replace(condition, negated=False) for condition in of]
    pair = len(models) > 1 and (query.form == q.WHETHER or query.asked not in {q.STUDENT, q.WORK})
    if pair:
        groups = tuple((model,) for model in models)
        return replace(query, asked=slots[0], conditions=(*rest, *others), groups=groups)
    kept = {q.STUDENT, q.WORK, q.TOPIC} | (set() if q.SUPERVISOR in slots else {q.SUPERVISOR})
    asked = query.asked if query.asked in kept else q.STUDENT
    kinds = tuple(c for c in others if c.slot == q.KIND)
    years = tuple(c for c in others if c.slot not in {q.KIND, *slots})
    # When somebody began is no matter of a work.
    same = SameAs(slots, tuple(models) if slots == (q.START,) else (*models, *kinds))
    return replace(query, asked=asked, conditions=(*rest, *kinds, *years), same=same)


def shared_slots(reading: Reading) -> tuple[str, ...]:
    """The slots of what is shared: the nouns behind each "the same", or else those before."""
    nouns = (
        "supervisor",
        "teacher",
        "supervise",
        "supervision",
        "year",
        "topic",
        "keyword",
        "kind",
        "author",
        "fact_person",
        "student",
    )
    found = []
    for at in reading.where("same"):
        noun = reading.first(*nouns, after=at)
        noun = noun if noun >= 0 else reading.first(*nouns)
        if noun < 0:
            continue
        token = reading.tokens[noun]
        if token.has("supervisor", "teacher", "supervise", "supervision"):
            found.append(q.SUPERVISOR)
        elif token.has("year"):
            found.append(_year_of_clause(reading, at))
        else:
            tags = {
                "topic": q.TOPIC, "keyword": q.KEYWORD, "kind": q.KIND, "author": q.STUDENT,
                "fact_person": q.STUDENT, "student": q.STUDENT,
            }  # fmt: skip
            slot = next(slot for tag, slot in tags.items() if token.has(tag))
            led = slot == q.STUDENT and reading.has("supervise")
            found.append(q.SUPERVISOR if led else slot)
    if any(_points_back(reading, at) for at in reading.where("year")):
        found.append(q.YEAR)  # "in that year", the one of whom it is the same as
    return tuple(dict.fromkeys(found))


def _year_of_clause(reading: Reading, at: int) -> str:
    """Which year "the same year" at ``at`` is, as the verbs of its clause say."""
    clause = [
        n for n in reading.where("begin", *FINISHED) if reading.clause(n) == reading.clause(at)
    ]
    if clause:
        nearest = min(clause, key=lambda n: abs(n - at))
        return q.START if reading.tokens[nearest].has("begin") else q.YEAR
    return ordered_by(reading)


def _points_back(reading: Reading, at: int) -> bool:
    return at > 0 and reading.tokens[at - 1].word in _POINTING


def comparison(
    reading: Reading, query: Query, names: list[Condition], others: list[Condition]
) -> Query | None:
    """Compare what was named, each by itself: all of one slot."""
    apart = [
        replace(c, years=(years,))
        for c in others
        for years in c.years
        if sum(len(o.years) for o in others if o.slot == c.slot) > 1
    ]
    kinds = [c for c in others if c.slot == q.KIND]
    listed = [*names, *apart, *(kinds if len(kinds) > 1 else [])]
    by_slot = {c.slot: [o for o in listed if o.slot == c.slot] for c in listed}
    several = [slot for slot, conditions in by_slot.items() if len(conditions) > 1]
    if len(several) != 1:
        return None
    others = [c for c in others if c.slot != several[0]]
    rest = tuple(c for c in names if c.slot != several[0])
    return replace(
        query,
        asked=several[0],
        conditions=(*rest, *others),
        compared=tuple(by_slot[several[0]]),
        by=ordered_by(reading),
        per=counted_per(reading, query),
    )


def counted_per(reading: Reading, query: Query) -> str:
    """What is counted: the noun behind "most" or "more"."""
    slots = {
        "student": q.STUDENT, "page": q.PAGE, "keyword": q.KEYWORD, "topic": q.TOPIC,
        "supervisor": q.SUPERVISOR, "work": q.WORK,
    }  # fmt: skip
    at = reading.first("most", "least", "more", "fewer")
    for noun in reading.where(*slots, after=at):
        slot = next(slot for tag, slot in slots.items() if reading.tokens[noun].has(tag))
        if noun != reading.asking + 1 and slot != query.asked:
            return slot
    of_pages = query.table == q.PAGES or query.asked in {q.KEYWORD, q.CATEGORY}
    return q.PAGE if of_pages else q.WORK
