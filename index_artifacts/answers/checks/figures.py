"""Figures: numbers, years, dates and times of a claim stand in its evidence, with their units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.checks.citations import without_citations
from index_artifacts.answers.figures import Figure, figures
from index_artifacts.answers.measures import measures

if TYPE_CHECKING:
    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.lemmas import Words


def check_figures(claim: Claim, grounds: Grounds) -> str:
    """Name the first figure of the claim that its evidence does not hold; else empty."""
    return unsupported_figure(without_citations(claim.text), grounds.support(claim), grounds.lemmas)


def unsupported_figure(text: str, support: str, lemmas: Words) -> str:
    """Name the first figure of ``text`` that ``support`` does not hold; else empty."""
    there = [f for line in support.split("\n") for f in figures(line)]
    for figure in figures(text):
        same = [other for other in there if other.covers & figure.readings]
        if not same:
            return f"{figure.written!r} does not stand in its evidence"
        if not any(_agree(figure, other, lemmas) for other in same):
            return f"{figure.written!r} stands in its evidence for something else"
    return ""


def _agree(figure: Figure, other: Figure, lemmas: Words) -> bool:
    """True where two equal figures count the same thing, as far as the words around them tell."""
    if not figure.measures & other.measures:
        # 5 working days are 5 days; 5 days are not 5 of anything.
        named = {name for word in other.after for name in measures(word)} - {""}
        return bool(figure.measures & named)
    counted = figure.after[0] if figure.after else ""
    if figure.is_year or not counted or not other.after or lemmas.is_function(counted):
        return True
    if lemmas.is_function(other.after[0]) or _same_label(figure, other, lemmas):
        return True
    return any(lemmas.same(counted, word) for word in (*other.after, *other.label))


def _same_label(figure: Figure, other: Figure, lemmas: Words) -> bool:
    """True where the same word names both: "port 2222"."""
    before = figure.before
    return bool(before) and not lemmas.is_function(before) and lemmas.same(before, other.before)
