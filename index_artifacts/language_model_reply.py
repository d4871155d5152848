"""Reading what a server of language models replied."""

from __future__ import annotations

import json
from typing import Any

from index_artifacts.answers.chat_model import Completion
from index_artifacts.errors import LanguageModelError
from index_artifacts.language_model_dialect import whole_text


def read_completion(body: bytes, attempts: int) -> Completion:
    """The first choice of ``body``. Raises `LanguageModelError`, which says what is missing.

    A text that was cut at the token limit is told as such: what is whole in it may be of use.
    """
    reply = _object(body)
    choice = _first(reply.get("choices"))
    text = _content(choice)
    usage = reply.get("usage")
    return Completion(
        text=whole_text(text),
        cut=choice.get("finish_reason") == "length",
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
        attempts=attempts,
    )


def _object(body: bytes) -> dict[str, Any]:
    if not body.strip():
        raise _error("sent an empty body")
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        raise _error("sent a body that is no JSON") from None
    if not isinstance(reply, dict):
        raise _error("sent JSON that is no object")
    return reply


def _first(choices: Any) -> dict[str, Any]:
    if not isinstance(choices, list):
        raise _error("sent no choices")
    if not choices or not isinstance(choices[0], dict):
        raise _error("sent an empty list of choices")
    return choices[0]


def _content(choice: dict[str, Any]) -> str:
    """The text of a choice; servers may send it in parts."""
    reason, message = choice.get("finish_reason"), choice.get("message")
    if reason == "content_filter":
        raise _error("was stopped by its content filter (finish_reason content_filter)")
    if not isinstance(message, dict):
        raise _error("sent a choice without a message")
    content = message.get("content")
    if content is None:
        refused = bool(message.get("refusal"))
        raise _error("refused to answer" if refused else "sent no content (content null)")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise _error("sent content that is no text")
    if not content.strip() and reason == "length":
        raise _error("was cut at its token limit before it wrote anything")
    if not content.strip():
        raise _error("gave an empty answer")
    return content


def _count(usage: Any, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and count >= 0 else 0


def _error(cause: str) -> LanguageModelError:
    return LanguageModelError(f"the language model {cause}")
