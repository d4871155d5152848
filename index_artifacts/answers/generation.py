"""Asking a language model for claims: what it is told, and what it is told after a failed check."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.answers.chat_model import Message
from index_artifacts.answers.claims import CLAIMS_SCHEMA, Claim, parse_claims
from index_artifacts.errors import LanguageModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.chat_model import ChatModel, Completion
    from index_artifacts.answers.checking import Rejection

# English, for it is about a format; the rules before it are in the question's language.
_FORMAT = """\
Answer with one JSON object and nothing else. It has one key, "claims": a list of objects with the
keys "text", "citations" and "quote".
- text: one short statement that answers the question, in the question's language, without links.
- citations: a list of the numbers of the evidence it stands on.
- quote: the words of that evidence that prove it, copied exactly, in one piece, without […].
- One claim a fact, as few as answer; an empty list where the evidence holds no answer."""


@dataclass(frozen=True, slots=True)
class Generated:
    """Claims that a model wrote, or why there are none, with what they cost."""

    claims: tuple[Claim, ...]
    reply: str
    failure: str
    prompt_tokens: int
    completion_tokens: int
    requests: int


def prompt(question: str, context: str, rules: str) -> list[Message]:
    """The conversation that asks for claims on ``context``."""
    return [
        Message("system", f"{rules}\n\n{_FORMAT}"),
        Message("user", f"{context}\n\n{question}"),
    ]


def repair_prompt(
    asked: Sequence[Message], reply: str, rejected: Sequence[Rejection], failure: str
) -> list[Message]:
    """The same conversation, with the reply and why it was not accepted."""
    reasons = [
        f"- {json.dumps(r.claim.text[:200], ensure_ascii=False)}: {r.reason}" for r in rejected
    ]
    complaint = "\n".join([*([f"- {failure}"] if failure else []), *reasons])
    return [
        *asked,
        Message("assistant", reply[:4000] or "{}"),
        Message(
            "user",
            f"These claims were not accepted:\n{complaint}\n\nAnswer once more with JSON of the "
            "same form: only claims that the evidence proves word for word, or an empty list.",
        ),
    ]


def generate(model: ChatModel, messages: Sequence[Message], seconds: float) -> Generated:
    """Ask ``model`` for claims. What it writes instead of them is a failure, never an error."""
    try:
        completion = model.complete(messages, CLAIMS_SCHEMA, seconds)
    except LanguageModelError as error:
        return Generated((), "", str(error), 0, 0, 1)
    try:
        claims, failure = parse_claims(completion.text), ""
    except LanguageModelError as error:
        # Of a text that was cut, the claims that are whole count; there may be none.
        cut = "the language model was cut at its token limit (finish_reason length)"
        claims, failure = (), cut if completion.cut else str(error)
    return _generated(completion, claims, failure)


def _generated(completion: Completion, claims: tuple[Claim, ...], failure: str) -> Generated:
    return Generated(
        claims,
        completion.text,
        failure,
        completion.prompt_tokens,
        completion.completion_tokens,
        completion.attempts,
    )
