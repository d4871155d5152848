"""Shapes of questions about two people or works, and those whose outcome is no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eval.golden import graph_expectation as expect
from eval.golden.graph_expectation import Expectation, found
from eval.golden.graph_shapes import WORK_FILTERS, pages, people, works

if TYPE_CHECKING:
    from collections.abc import Callable

    from eval.golden.graph_truth import Truth


def sooner(truth: Truth, one: str, other: str, by: str, latest: bool = False) -> Expectation:
    """Who of two was first, or last: ``by`` a kind of thesis, or by ``start``."""
    years = {slug: _year(truth, slug, by) for slug in (one, other)}
    if years[one] == years[other]:
        raise ValueError(f"{one} and {other} are even by {by}")
    chosen = truth.people[(max if latest else min)(years, key=years.__getitem__)]
    return found([expect.person(chosen)], _pages(truth, one, other))


def sooner_work(truth: Truth, one: str, other: str, latest: bool = False) -> Expectation:
    """Which of two works was first, or last."""
    pair = [truth.work(one), truth.work(other)]
    if pair[0].year == pair[1].year:
        raise ValueError(f"{one} and {other} are of one year")
    chosen = (max if latest else min)(pair, key=lambda work: work.year)
    return found([expect.work(chosen)], _pages(truth, *(work.owner for work in pair)))


def more(
    truth: Truth, one: str, other: str, role: str = "supervisor", **select: Any
) -> Expectation:
    """Who of two supervised, or wrote (``role`` owner), more."""
    counts = dict.fromkeys((one, other), 0)
    for work in truth.works:
        if all(WORK_FILTERS[name](truth, work, value) for name, value in select.items()):
            slug = getattr(work, role)
            counts[slug] = counts.get(slug, 0) + 1
    if counts[one] == counts[other]:
        raise ValueError(f"{one} and {other} are even: {counts[one]}")
    chosen = truth.people[one if counts[one] > counts[other] else other]
    return found([expect.person(chosen)], _pages(truth, one, other))


def same_supervisor(truth: Truth, one: str, other: str, kind: str) -> Expectation:
    """Yes or no: did one person supervise what both wrote?"""
    slugs = {truth.work(f"{slug}/{kind}").supervisor for slug in (one, other)}
    return _yes(truth, len(slugs) == 1, one, other)


def same_year(truth: Truth, one: str, other: str, by: str) -> Expectation:
    """Yes or no: was it in one year?"""
    same = _year(truth, one, by) == _year(truth, other, by)
    return _yes(truth, same, one, other)


def supervised(truth: Truth, one: str, other: str, kind: str) -> Expectation:
    """Yes or no: did ``one`` supervise the work of ``other``?"""
    return _yes(truth, truth.work(f"{other}/{kind}").supervisor == one, other)


def ambiguous(truth: Truth, who: str) -> Expectation:
    """The namesakes of ``who``; ``~who``: of their surname alone."""
    alike = truth.namesakes(who.removeprefix("~"), surname=who.startswith("~"))
    if len(alike) < 2:
        raise ValueError(f"{who} has no namesake")
    candidates = tuple(tuple(expect.person(one).items()) for one in alike)
    return Expectation("ambiguous", candidates=candidates)


def unknown(_truth: Truth, **_: Any) -> Expectation:
    """Nobody in the graph has the name."""
    return Expectation("unknown_entity")


def outside(_truth: Truth, **_: Any) -> Expectation:
    """No relation of the graph says that."""
    return Expectation("not_understood")


def topic(truth: Truth, work: str, about: str) -> Expectation:
    """The topic that a link below the thesis' heading names; ``about`` was read off the page."""
    answer = {
        "type": "Topic",
        "value": truth.topics[about],
        "page": f"topics/{about}/README.md",
    }
    return found([answer], _pages(truth, truth.work(work).owner), None)


def _yes(truth: Truth, holds: bool, *slugs: str) -> Expectation:
    return found([expect.value("boolean", holds)], _pages(truth, *slugs))


def _year(truth: Truth, slug: str, by: str) -> int:
    year = truth.people[slug].start_year if by == "start" else truth.work(f"{slug}/{by}").year
    if year is None:
        raise ValueError(f"no start year of {slug} is known")
    return year


def _pages(truth: Truth, *slugs: str) -> list[str]:
    return [truth.people[slug].page for slug in slugs]


SHAPES: dict[str, Callable[..., Expectation]] = {
    shape.__name__: shape
    for shape in (
        works, people, pages, sooner, sooner_work, more, same_supervisor, same_year, supervised,
        topic, ambiguous, unknown, outside,
    )
}  # fmt: skip
