"""What a server of language models understands: they all speak OpenAI's protocol, and differ."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.chat_model import Message

SCHEMA, OBJECT, TEXT = "schema", "object", "text"

_SIMPLER = {SCHEMA: OBJECT, OBJECT: TEXT}

# As servers word it: OpenAI, Azure, Groq, DeepSeek, LM Studio, vLLM, llama.cpp.
_ABOUT_FORMAT = re.compile(
    r"response.?format|json.?(schema|object|mode)|structured.?output|guided|grammar|"
    r"contain the word .?json|invalid schema",
    re.IGNORECASE,
)
_ABOUT_LIMIT = re.compile(r"max_tokens.{0,40}(not support|unsupported)", re.IGNORECASE)
_ABOUT_TEMPERATURE = re.compile(r"temperature.{0,40}(not support|unsupported)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a completion is asked for.

    ``json`` is ``schema``, ``object`` or ``text``; ``limit`` names the parameter of the token
    limit; ``temperature`` is None where the server's own is taken.
    """

    json: str
    temperature: float | None
    limit: str = "max_tokens"

    def body(
        self, model: str, messages: Sequence[Message], schema: dict[str, Any], max_tokens: int
    ) -> dict[str, Any]:
        """The request's JSON. Lone surrogates, which UTF-8 cannot hold, become U+FFFD."""
        turns = [{"role": one.role, "content": whole_text(one.content)} for one in messages]
        body: dict[str, Any] = {"model": model, "messages": turns, self.limit: max_tokens}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if self.json == SCHEMA:
            described = {"name": "answer", "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": described}
        elif self.json == OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def without(self, complaint: str) -> Dialect | None:
        """A simpler dialect that lacks what a server complains of; None where there is none."""
        if self.limit == "max_tokens" and _ABOUT_LIMIT.search(complaint):
            return replace(self, limit="max_completion_tokens")
        if self.temperature is not None and _ABOUT_TEMPERATURE.search(complaint):
            return replace(self, temperature=None)
        if self.json in _SIMPLER and _ABOUT_FORMAT.search(complaint):
            return replace(self, json=_SIMPLER[self.json])
        return None


def whole_text(text: str) -> str:
    """``text`` with pairs of surrogates joined and lone ones replaced by U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
