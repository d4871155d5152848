"""What the answer engine asks of a language model, whoever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and what it cost. Token counts are 0 where the server says none."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    attempts: int
    """Requests that were sent, failed ones included."""
    cut: bool = False
    """True where the text ends at the token limit, wherever that is."""


class ChatModel(Protocol):
    """A language model that completes a conversation."""

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""

    def complete(
        self, messages: Sequence[Message], schema: dict[str, Any], seconds: float
    ) -> Completion:
        """Complete ``messages`` with JSON of ``schema``, within ``seconds`` from now in all.

        Raises `LanguageModelError` for whatever is no completion; it never waits longer.
        """
