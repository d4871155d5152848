"""Whether a query holds all that its question says: what it leaves out would be ignored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from index_artifacts.graph import query as q
from index_artifacts.graph.comparing import shared_slots

if TYPE_CHECKING:
    from index_artifacts.graph.query import Query
    from index_artifacts.graph.reading import Reading

# The end of a sentence before another one.
_BREAK = re.compile(r"[.!?]\s+(?=[^\W\d_])")


def leaves_out(reading: Reading, query: Query) -> bool:
    """True where ``query`` would answer another question than the one that was asked."""
    return (
        _forgets_a_denial(reading, query)
        or _forgets_the_start(reading, query)
        or _forgets_what_is_shared(reading, query)
        or _forgets_the_page(reading, query)
        or _forgets_a_sentence(reading)
        or _gives_back_a_name(query)
    )


def _forgets_a_denial(reading: Reading, query: Query) -> bool:
    if query.form == q.WHETHER or query.without or query.missing or query.excluded:
        return False
    if any(c.negated or c.slot == q.STATE for c in query.everything):
        return False
    return any(
        (reading.tokens[at].negated or reading.tokens[at].has("not"))
        and not reading.tokens[at].has("fillers")
        for at in reading.free
    )


def _forgets_the_start(reading: Reading, query: Query) -> bool:
    """True where somebody's beginning is spoken of and no year of it is looked at."""
    if not reading.has("begin") or query.table == q.PAGES:
        return False
    slots = {condition.slot for condition in query.everything}
    shared = query.same.slots if query.same else ()
    ordered = query.by == q.START and query.form not in {q.LIST, q.COUNT, q.WHETHER}
    return not (
        q.START in {query.asked, query.missing, *slots, *shared}
        or ordered
        or query.form in {q.FIRST, q.LAST}
    )


def _forgets_what_is_shared(reading: Reading, query: Query) -> bool:
    """True for "in the same year and with the same supervisor" of a pair: one of them is asked."""
    if query.same is not None:
        return False
    if query.form == q.WHETHER:
        return len(shared_slots(reading)) > 1
    if query.form != q.LIST or query.groups:
        return False
    return reading.has("same") and bool(shared_slots(reading))


def _forgets_the_page(reading: Reading, query: Query) -> bool:
    """True for "began in 2020 and has a page written by X": works and pages at once."""
    slots = {condition.slot for condition in query.everything}
    if query.table == q.PAGES:
        return bool(slots & {q.START, q.YEAR, q.KIND, q.STATE, q.STUDENT, q.SUPERVISOR, q.WORK})
    on_works = query.table == q.WORKS and query.asked == q.STUDENT
    on_pages = slots & {q.KEYWORD, q.CATEGORY, q.PAGE, q.PAGE_AUTHOR}
    written = reading.has("page") and reading.has("author", "write")
    return on_works and written and not on_pages and not query.missing


def _forgets_a_sentence(reading: Reading) -> bool:
    """True where a question goes on from what was said: "The thesis T had a supervisor. Who …?"."""
    breaks = [
        found.start()
        for found in _BREAK.finditer(reading.question)
        if not any(
            reading.tokens[m.first].start < found.start() < reading.tokens[m.last].end
            for m in reading.mentions
        )
    ]
    having = [reading.tokens[at].start for at in reading.where("have")]
    people = [reading.tokens[at].start for at in reading.where("supervisor", "student")]
    asked = reading.tokens[reading.asking].start if reading.asking >= 0 else 0
    return any(
        min(having, default=end) < end and min(people, default=end) < end < asked for end in breaks
    )


def _gives_back_a_name(query: Query) -> bool:
    """True where a work is asked for that the question itself names."""
    listed = query.asked == q.WORK and query.form == q.LIST
    return listed and any(c.slot == q.WORK and not c.negated for c in query.conditions)
