"""Answer sets: what a right answer to a golden question holds, and what none does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.golden_set import Question


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of the answer to a question.

    Each of ``facts`` is a tuple of spellings of which one counts; ``forbidden`` strings stand in
    no right answer; ``history`` holds (role, content) of the turns before, oldest first.
    """

    facts: tuple[tuple[str, ...], ...]
    forbidden: tuple[str, ...]
    history: tuple[tuple[str, str], ...]


def expected_of(question: Question) -> Expected:
    """The keys of an answer set, which `load_golden` has checked; each may be missing."""
    extra = question.extra
    return Expected(
        facts=tuple(tuple(spellings) for spellings in extra.get("facts", ())),
        forbidden=tuple(extra.get("forbidden", ())),
        history=tuple((turn["role"], turn["content"]) for turn in extra.get("history", ())),
    )
