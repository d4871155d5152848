"""Contradictions: two claims that say the same of one thing with other figures, or deny it."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.negation import denies
from index_artifacts.answers.figures import figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds

# Claims on one thing share this much of their words; different things share less.
_ALIKE = 0.8


def find_contradictions(claims: Sequence[Claim], grounds: Grounds) -> list[tuple[Claim, Claim]]:
    """Pairs of ``claims`` on one sentence of the evidence of which at most one can be true.

    Evidence may contradict itself: claims on different sentences may differ, and both are told.
    """
    return [
        (one, other)
        for one, other in combinations(claims, 2)
        if _on_one_sentence(one, other, grounds) and _contradict(one, other, grounds)
    ]


def _on_one_sentence(one: Claim, other: Claim, grounds: Grounds) -> bool:
    places = [
        {(window.number, unit.start) for window in grounds.windows(claim) for unit in window.units}
        for claim in (one, other)
    ]
    return bool(places[0] & places[1])


def _contradict(one: Claim, other: Claim, grounds: Grounds) -> bool:
    lemmas = grounds.lemmas
    words = [
        {word for word in lemmas.content(claim.text) if not any(c.isdigit() for c in word)}
        for claim in (one, other)
    ]
    shared = {a for a in words[0] for b in words[1] if lemmas.same(a, b)}
    if not shared or len(shared) < _ALIKE * max(map(len, words)):
        return False
    if denies(one.text, lemmas) != denies(other.text, lemmas):
        return True
    told = [[f.readings for f in figures(claim.text)] for claim in (one, other)]
    if len(told[0]) != len(told[1]):
        return False
    return any(not a & b for a, b in zip(*told, strict=True))
