"""What a question asks of the graph, once it is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from index_artifacts.graph.mention import Mention
    from index_artifacts.graph.times import Years

WORKS, PAGES = "works", "pages"
"""The two tables that are asked: works with their people, and pages with what is said of them."""

WORK, STUDENT, SUPERVISOR, TOPIC = "work", "student", "supervisor", "topic"
YEAR, KIND, STATE, START = "year", "kind", "state", "start_year"
PAGE, PAGE_AUTHOR, KEYWORD, CATEGORY = "page", "page_author", "keyword", "category"

LIST, COUNT, WHETHER = "list", "count", "whether"
MOST, LEAST, FIRST, LAST = "most", "least", "first", "last"
EARLIER, LATER, MORE, FEWER = "earlier", "later", "more", "fewer"

COMPARISONS = frozenset([EARLIER, LATER, MORE, FEWER])


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows whose ``slot`` holds one of ``values``, or a year in one of ``years``.

    Values are ids of entities, kinds or states. ``negated``: rows that hold none of them.
    ``at`` is the token of the question that it comes from.
    """

    slot: str
    values: frozenset[Any] = frozenset()
    years: tuple[Years, ...] = ()
    negated: bool = False
    at: int = 0


@dataclass(frozen=True, slots=True)
class SameAs:
    """Rows that share a value of each of ``slots`` with a row that meets ``of``.

    ``others``: what is asked for leaves out the values of ``of`` themselves.
    """

    slots: tuple[str, ...]
    of: tuple[Condition, ...]
    others: bool = True


@dataclass(frozen=True, slots=True)
class Query:
    """Rows of a table, what of them is asked for, and in which form.

    Every row has to meet ``conditions``. What is asked for has to stand in a row that meets each
    of ``groups`` by itself, "a bachelor thesis in 2020 and a master thesis in 2022", and in no row
    that meets one of the groups ``without``. ``excluded`` are ids that are no answer. ``per`` is
    what is counted for each ``asked`` in the forms of most and fewest; ``by`` is the year that
    first and last go by, ``missing`` a slot that must be empty, ``compared`` what a comparison is
    between; where it is ``claimed`` that the first of them comes out alone, that is asked.
    With ``finished`` a work that is still in progress is none.
    """

    asked: str
    table: str = WORKS
    form: str = LIST
    conditions: tuple[Condition, ...] = ()
    groups: tuple[tuple[Condition, ...], ...] = ()
    without: tuple[tuple[Condition, ...], ...] = ()
    excluded: frozenset[int] = frozenset()
    same: SameAs | None = None
    per: str = WORK
    by: str = YEAR
    missing: str = ""
    finished: bool = False
    compared: tuple[Condition, ...] = ()
    claimed: bool = False

    @property
    def everything(self) -> tuple[Condition, ...]:
        """All conditions, wherever they stand."""
        grouped = [c for group in (*self.groups, *self.without) for c in group]
        same = self.same.of if self.same else ()
        return (*self.conditions, *grouped, *self.compared, *same)


@dataclass(frozen=True, slots=True)
class Understood:
    """A query and what of the graph the question names; or why there is no query.

    ``ambiguous`` is a mention of several entities, ``unknown`` one of nobody in the graph.
    """

    query: Query | None = None
    mentions: tuple[Mention, ...] = ()
    why_not: str = ""
    ambiguous: Mention | None = None
    unknown: Mention | None = None
