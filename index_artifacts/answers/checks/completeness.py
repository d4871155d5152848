"""Completeness: "all", "only" and "in total" need evidence that says so, or a complete one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.checks.phrases import beginnings
from index_artifacts.text import words

if TYPE_CHECKING:
    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds


def check_completeness(claim: Claim, grounds: Grounds) -> str:
    """Name the word by which the claim says to be complete, where nothing shows that it is."""
    if grounds.complete:
        return ""
    there = set(words(grounds.support(claim)))
    for word in words(claim.text):
        if word.startswith(beginnings("completeness")) and not any(
            grounds.lemmas.same(word, other) for other in there
        ):
            return f"{word!r} claims completeness, which its evidence does not show"
    return ""
