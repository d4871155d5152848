"""Asking a language model in tests: a question about a line of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.chat_model import Completion, Message
from index_artifacts.errors import LanguageModelError

if TYPE_CHECKING:
    from index_artifacts.answers.chat_model import ChatModel

KEY = "a-key-of-the-language-model-0123456789"
EVIDENCE = "The backup runs every night at two."
MESSAGES = [Message("system", "Answer in JSON."), Message("user", EVIDENCE)]
SCHEMA = {"type": "object", "properties": {"claims": {"type": "array"}}, "required": ["claims"]}
PLENTY = 30.0


def ask(model: ChatModel, seconds: float = PLENTY) -> Completion:
    return model.complete(MESSAGES, SCHEMA, seconds)


def failure(model: ChatModel, seconds: float = PLENTY) -> str:
    """The sentence of the error. It tells no host, key, question or evidence."""
    with pytest.raises(LanguageModelError) as raised:
        ask(model, seconds)
    said = str(raised.value)
    for secret in (KEY, EVIDENCE, "127.0.0.1", "localhost"):
        assert secret not in said
    context = raised.value.__context__  # a traceback would print what the server quoted
    assert context is None or raised.value.__suppress_context__
    return said
