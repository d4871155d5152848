"""Shapes of questions: how what is true becomes what a question expects.

A shape is a function of the `Truth`, as one reading of the question has it, and of named
parameters: the template's own and what fills its slots. People are slugs, works ``slug/kind``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from eval.golden import graph_expectation as expect
from eval.golden.graph_expectation import Answer, Expectation, found
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from eval.golden.graph_truth import Page, Person, Truth, Work

BY_TITLE = {"work", "of_author_of", "beside"}
"""Filters that name one work: whether its title is complete knowledge is not certain."""


def works(
    truth: Truth, want: str, pick: str = "", complete: bool | None = None, **select: Any
) -> Expectation:
    """``want`` of the works that ``select`` leaves; ``pick`` takes the first, last or most.

    What one named student wrote is complete; a list over many never is, for a page is missing.
    """
    chosen = [one for one in truth.works if _selected(truth, one, select)]
    if pick in ("first", "last") and chosen:
        year = (min if pick == "first" else max)(one.year for one in chosen)
        chosen = [one for one in chosen if one.year == year]
    if pick == "most":
        counts = Counter(getattr(one, want) for one in chosen)
        chosen = [one for one in chosen if counts[getattr(one, want)] == max(counts.values())]
    if complete is None and not BY_TITLE & select.keys():
        complete = "owner" in select
    docs = [truth.people[one.owner].page for one in chosen]
    if want == "count":
        count = expect.value("count", len(chosen))
        return found([count], docs or _pages_of(truth, select), complete)
    return found([answer for one in chosen for answer in _wanted(truth, one, want)], docs, complete)


def _pages_of(truth: Truth, select: dict[str, Any]) -> list[str]:
    return [truth.people[slug].page for slug in select.values() if slug in truth.people]


def _selected(truth: Truth, one: Work, select: dict[str, Any]) -> bool:
    return all(WORK_FILTERS[name](truth, one, value) for name, value in select.items())


WORK_FILTERS: dict[str, Callable[[Truth, Work, Any], bool]] = {
    "owner": lambda _, one, slug: one.owner == slug,
    "kind": lambda _, one, kind: one.kind == kind,
    "not_kind": lambda _, one, kind: one.kind != kind,
    "year": lambda _, one, year: one.year == year,
    "since": lambda _, one, year: one.year >= year,
    "until": lambda _, one, year: one.year <= year,
    "after": lambda _, one, year: one.year > year,
    "before": lambda _, one, year: one.year < year,
    "state": lambda _, one, state: one.state == state,
    "supervisor": lambda _, one, slug: one.supervisor == slug,
    "not_supervisor": lambda _, one, slug: one.supervisor != slug,
    "work": lambda truth, one, ref: one == truth.work(ref),
    "of_author_of": lambda truth, one, ref: one.owner == truth.work(ref).owner,
    "beside": lambda truth, one, ref: one.owner == truth.work(ref).owner and one != truth.work(ref),
    "like_in_year": lambda truth, one, ref: (
        _alike(one, truth.work(ref)) and one.year == truth.work(ref).year
    ),
    "start": lambda truth, one, year: truth.people[one.owner].start_year == year,
    "tag": lambda truth, one, tag: tag in _folded(truth.pages[truth.people[one.owner].page].tags),
}
"""Of works. ``like_in_year``: another's of that year and kind, under the same supervisor."""


def _alike(one: Work, other: Work) -> bool:
    same = (one.kind, one.supervisor) == (other.kind, other.supervisor)
    return same and one.owner != other.owner


def _wanted(truth: Truth, one: Work, want: str) -> list[Answer]:
    author, page = truth.people[one.owner], truth.pages[truth.people[one.owner].page]
    if want in ("year", "kind", "state"):
        return [expect.value(want, getattr(one, want))]
    if want == "start_year":
        return [expect.value(want, author.start_year)] if author.start_year else []
    if want == "keywords":
        return [expect.keyword(tag) for tag in page.tags]
    if want == "categories":
        return [expect.value("Category", name) for name in page.categories]
    makers: dict[str, Answer] = {
        "title": expect.work(one),
        "owner": expect.person(author),
        "supervisor": expect.person(truth.people[one.supervisor]),
    }
    return [makers[want]]


def people(truth: Truth, want: str, complete: bool | None = None, **select: Any) -> Expectation:
    """``want`` of the students whom ``select`` leaves."""
    chosen = [
        one
        for one in truth.students()
        if all(PEOPLE_FILTERS[name](truth, one, value) for name, value in select.items())
    ]
    complete = ("who" in select) if complete is None else complete
    docs = [one.page for one in chosen]
    if want == "count":
        return found([expect.value("count", len(chosen))], docs, complete)
    answers = [answer for one in chosen for answer in _of_person(truth, one, want)]
    return found(answers, docs, complete)


PEOPLE_FILTERS: dict[str, Callable[[Truth, Person, Any], bool]] = {
    "who": lambda _, one, slug: one.slug == slug,
    "start": lambda _, one, year: one.start_year == year,
    "start_since": lambda _, one, year: (one.start_year or 0) >= year,
    "start_until": lambda _, one, year: (one.start_year or 9999) <= year,
    "no_start": lambda _, one, yes: (one.start_year is None) == yes,
    "started_with": lambda truth, one, slug: (
        one.slug != slug and one.start_year == truth.people[slug].start_year
    ),
    "has": lambda truth, one, kind: any(_kinds(truth, one, kind)),
    "lacks": lambda truth, one, kind: not any(_kinds(truth, one, kind)),
    "both": lambda truth, one, refs: (
        {f"{work.kind}-{work.year}" for work in truth.works if work.owner == one.slug}
        >= set(refs.split("+"))
    ),
    "under": lambda truth, one, slug: slug in _supervisors(truth, one),
    "under_too": lambda truth, one, slug: slug in _supervisors(truth, one),
    "not_under": lambda truth, one, slug: slug not in _supervisors(truth, one),
    "whole_under": lambda truth, one, slug: (
        {(work.kind, work.supervisor) for work in truth.works if work.owner == one.slug}
        >= {("bachelor", slug), ("master", slug)}
    ),
}


def _kinds(truth: Truth, one: Person, kind: str) -> Iterable[Work]:
    return (work for work in truth.works if (work.owner, work.kind) == (one.slug, kind))


def _supervisors(truth: Truth, one: Person) -> set[str]:
    return {work.supervisor for work in truth.works if work.owner == one.slug}


def _of_person(truth: Truth, one: Person, want: str) -> list[Answer]:
    page = truth.pages[one.page]
    if want == "person":
        return [expect.person(one)]
    if want == "start_year":
        return [expect.value(want, one.start_year)] if one.start_year else []
    if want == "keywords":
        return [expect.keyword(tag) for tag in page.tags]
    if want == "categories":
        return [expect.value("Category", name) for name in page.categories]
    return [expect.value("DocumentAuthor", _full(truth, name)) for name in page.authors]


def _full(truth: Truth, name: str) -> str:
    """An author's name with its diacritics where the page left them out."""
    known = {fold(one.name): one.name for one in truth.people.values()}
    return known.get(fold(name), name)


def _folded(names: Iterable[str]) -> set[str]:
    return {fold(name) for name in names}


def pages(truth: Truth, want: str, **select: str) -> Expectation:
    """Documents by ``tag``, ``tag_too``, ``category`` or ``author`` (a slug), or their number."""
    chosen = [
        page
        for page in truth.pages.values()
        if all(_page_has(truth, page, name, value) for name, value in select.items())
    ]
    docs = [page.path for page in chosen]
    if want == "count":
        return found([expect.value("count", len(chosen))], docs, False)
    answers = [{"type": "Document", "value": path, "page": path} for path in docs]
    return found(answers, docs, False)


def _page_has(truth: Truth, page: Page, name: str, value: str) -> bool:
    if name == "author":
        return fold(truth.people[value].name) in _folded(page.authors)
    if name == "category":
        return fold(value) in _folded(page.categories)
    return fold(value) in _folded(page.tags)
