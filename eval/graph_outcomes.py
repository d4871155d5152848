"""What a run over a graph set leaves behind: one outcome for each question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GraphOutcome:
    """How a question was answered, and how that compares to what was expected.

    ``missing`` and ``extra`` count answers; ``candidates`` says whether those of an ambiguous
    name are right, None where none are expected. ``wrong`` counts answers that were delivered
    and are not so, ``denied`` the facts behind the answer that what is known denies. ``claimed``
    and ``complete`` are the completeness that was claimed and expected, None for anything.

    ``asked`` and what follows is for a reader and empty for TEST questions.
    """

    question: str
    lang: str
    kind: str
    split: str
    expected: str
    outcome: str
    missing: int = 0
    extra: int = 0
    wrong: int = 0
    candidates: bool | None = None
    denied: int = 0
    claimed: bool = False
    complete: bool | None = None
    milliseconds: float = 0.0
    asked: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def strict(self) -> bool:
        """The outcome, every answer and every candidate are right."""
        right = self.outcome == self.expected and self.candidates is not False
        return right and not self.missing and not self.extra

    @property
    def overclaimed(self) -> bool:
        """It calls itself complete where it cannot be."""
        return self.claimed and self.complete is False


@dataclass(frozen=True, slots=True)
class GraphRun:
    """All outcomes of a graph set on a version.

    ``variant`` is how questions were written; ``known`` how many facts the answers' own facts
    were held against; ``test_looks`` how often the TEST split was looked at, 0 where this run
    did not.
    """

    golden: str
    golden_sha256: str
    split: str
    version: str
    variant: str
    outcomes: tuple[GraphOutcome, ...]
    known: int = 0
    overridden: int = 0
    test_looks: int = 0
