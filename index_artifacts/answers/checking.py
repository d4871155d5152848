"""Checking an answer: every claim by every check, then the claims against each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from index_artifacts.answers.checks import CHECKS
from index_artifacts.answers.checks.contradictions import find_contradictions
from index_artifacts.answers.premise import premise_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.question import Asked

CONTRADICTION, PREMISE = "contradiction", "premise"
CHECK_NAMES = (*CHECKS, PREMISE, CONTRADICTION)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A claim, the name of the check that it failed, and why."""

    claim: Claim
    check: str
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The claims that passed, with verified citations alone, and those that did not."""

    kept: tuple[Claim, ...]
    rejected: tuple[Rejection, ...]

    def failures(self) -> dict[str, int]:
        """How many claims each check refused, by `CHECK_NAMES`."""
        return {
            name: sum(rejection.check == name for rejection in self.rejected)
            for name in CHECK_NAMES
        }


def check_claims(claims: Sequence[Claim], asked: Asked, grounds: Grounds) -> Checked:
    """Check ``claims``: each by `CHECKS` and the question's premise, then for contradictions."""
    kept: list[Claim] = []
    rejected: list[Rejection] = []
    for claim in dict.fromkeys(claims):
        name, reason = _first_failure(claim, asked, grounds)
        if name:
            rejected.append(Rejection(claim, name, reason))
        else:
            kept.append(_with_verified_citations(claim, grounds))
    opposed = {claim for pair in find_contradictions(kept, grounds) for claim in pair}
    rejected += [
        Rejection(claim, CONTRADICTION, "another claim on the same sentence contradicts it")
        for claim in kept
        if claim in opposed
    ]
    return Checked(tuple(claim for claim in kept if claim not in opposed), tuple(rejected))


def _first_failure(claim: Claim, asked: Asked, grounds: Grounds) -> tuple[str, str]:
    for name, check in CHECKS.items():
        if reason := check(claim, grounds):
            return name, reason
    if reason := _premise(claim, asked, grounds):
        return PREMISE, reason
    return "", ""


def _premise(claim: Claim, asked: Asked, grounds: Grounds) -> str:
    """Say where no page that the claim cites is about what the question names.

    Of a question with several parts each may be about another page.
    """
    if len(asked.parts) > 1:
        return ""
    lacking = [
        premise_of(asked, grounds.query.text, source, grounds.lemmas, grounds.page(source))
        for window in grounds.windows(claim)
        if (source := grounds.source(window.number))
    ]
    if not lacking or any(premise.holds for premise in lacking):
        return ""
    return f"its evidence is not about {lacking[0].why_not()}"


def _with_verified_citations(claim: Claim, grounds: Grounds) -> Claim:
    numbers = tuple(window.number for window in grounds.windows(claim))
    return replace(claim, citations=numbers)
