"""An answer: its text, what it stands on, and what was spent on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index_artifacts.answers.claims import Claim
    from index_artifacts.rag.passages import Passage

ANSWERED, PARTIAL, REFUSED, FAILED = "answered", "partial", "refused", "failed"
EXTRACTIVE = "extractive"
AUTO, RAG, GRAPH = "auto", "rag", "graph"


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer, or a refusal, and what it stands on.

    ``text`` is fit to be shown in either case; ``accepted`` says that it answers. ``claims`` cite
    ``sources`` by their numbers from 1. ``failures`` counts the claims that each check refused,
    over all attempts. ``missing`` are the parts of the question that it does not cover.
    ``encoder`` is the kind of the encoder whose vector the evidence was searched with.
    """

    text: str
    outcome: str
    reason: str
    language: str
    generator: str
    engine: str = RAG
    engine_reason: str = ""
    claims: tuple[Claim, ...] = ()
    sources: tuple[Passage, ...] = ()
    missing: tuple[str, ...] = ()
    confidence: float | None = None
    failures: dict[str, int] = field(default_factory=dict)
    checked: int = 0
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    complete: bool = True
    truncation_reasons: tuple[str, ...] = ()
    milliseconds: dict[str, float] = field(default_factory=dict)
    encoder: str = ""

    @property
    def accepted(self) -> bool:
        """True where the text may be delivered as an answer."""
        return self.outcome in {ANSWERED, PARTIAL}
