"""The confusions that matter in a wiki of people and their works.

A page's author is not the person whom the page is about; the year in which studies began is not
the year of a thesis; a topic that was proposed is not a thesis that was defended. A tag never
supports anything: tags are no part of the evidence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.names import holds_name, names
from index_artifacts.answers.checks.phrases import lines_that_speak_of, speaks_of
from index_artifacts.answers.figures import figures
from index_artifacts.text import words

if TYPE_CHECKING:
    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds


def check_page_author(claim: Claim, grounds: Grounds) -> str:
    """Say where a claim makes the author of a page more than that."""
    if speaks_of("page", claim.text) and speaks_of("author", claim.text):
        return ""  # it is about the page and who wrote it
    stated = names(claim.text, grounds.lemmas)
    for window in grounds.windows(claim):
        there = words(window.text)
        for author in window.passage.document.authors:
            parts = words(author)
            named = any(holds_name(parts[-1:], name.words, grounds.lemmas) for name in stated)
            if named and not holds_name(parts[-1:], there, grounds.lemmas):
                return f"{author} wrote the page; its evidence says no more of them"
    return ""


def check_study_year(claim: Claim, grounds: Grounds) -> str:
    """Say where a year in which studies began is given as that of a thesis."""
    if not speaks_of("thesis", claim.text) or speaks_of("study", claim.text):
        return ""
    lines = grounds.support(claim).split("\n")
    starts = set(lines_that_speak_of(("study_start", "study"), "\n".join(lines)))
    elsewhere = {f.written for line in lines if line not in starts for f in figures(line)}
    for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", claim.text):
        if year not in elsewhere and any(year in line for line in starts):
            return f"{year} is the year in which studies began, not that of the thesis"
    return ""


def check_defence(claim: Claim, grounds: Grounds) -> str:
    """Say where a topic is called defended, and its evidence does not say so."""
    if speaks_of("defended", claim.text) and not speaks_of("defended", grounds.support(claim)):
        return "its evidence does not say that anything was defended"
    return ""
