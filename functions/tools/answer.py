"""The answer tool: a question in; an answer that was checked before it was shown, or a refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from functions.models import QuestionResponse
from functions.tools.query import FOR_PROGRAMS, QueryBody
from functions.tools.rag import chosen, sources_of
from index_artifacts.answers.chat_model import Message
from index_artifacts.answers.engine import answer_question
from index_artifacts.answers.follow_up import clean, complete
from index_artifacts.answers.pages_engine import HITS, PER_DOCUMENT
from index_artifacts.answers.question import is_asking
from index_artifacts.rag.context import Budget
from index_artifacts.text import fold

if TYPE_CHECKING:
    from functions.asker import Asker
    from index_artifacts.answers.answer import Answer

MAX_TURNS, MAX_TURN = 20, 4_000
_END_OF_SENTENCE = re.compile(r"[?!.;]+(?=\s|$)")


class Turn(BaseModel):
    """One turn of the conversation before the question."""

    model_config = ConfigDict(extra="forbid", strict=True)

    role: Literal["user", "assistant"] = Field(description="Who said it.")
    content: str = Field(max_length=MAX_TURN, description="What was said.")


class AnswerBody(QueryBody):
    """A question to answer."""

    engine: Literal["auto", "rag", "graph"] = Field(
        "auto",
        description="What to answer from: pages (rag), facts (graph), or what fits (auto).",
        json_schema_extra=FOR_PROGRAMS,
    )
    history: Annotated[list[Turn], Field(max_length=MAX_TURNS)] = Field(
        [],
        description="The turns before, oldest first; they complete an elliptic question.",
        json_schema_extra=FOR_PROGRAMS,
    )
    limit: int = Field(HITS, ge=1, le=50, description="How many pieces of evidence at most.")
    rag_profile: str = Field(
        "",
        max_length=64,
        description="Name of a RAG profile of the wiki; empty: the key's own.",
        json_schema_extra=FOR_PROGRAMS,
    )


class AnswerClaim(BaseModel):
    """A statement of the answer and what proves it."""

    text: str
    citations: list[int] = Field(description="Numbers of its sources.")
    quote: str = Field(description="The words of the source that prove it.")


class CheckOutcome(BaseModel):
    """How the claims fared in one check, over all attempts."""

    name: str
    refused: int = Field(description="Claims that it refused; none of them is in the answer.")


class TokenCount(BaseModel):
    """Tokens as the language model's server counted them; 0 without a model."""

    prompt: int
    completion: int


class AnswerResponse(QuestionResponse):
    """A checked answer or a refusal. Rejected text is in no field."""

    answer: str = Field(description="Markdown with [n] citations and its sources, or a refusal.")
    accepted_for_delivery: bool = Field(
        description="True: the answer is verified and may be shown. False: it is a refusal."
    )
    answerable: bool = Field(description="The same; named as in the evidence's response.")
    outcome: str = Field(description="answered, partial, refused, or failed (the model did).")
    question: str = Field(
        description="The question as it was understood, with what the history adds."
    )
    engine: str = Field(description="What was answered from: rag or graph.")
    engine_reason: str = Field(description="Why that engine.")
    generator: str = Field(description="extractive, or the language model's name.")
    claims: list[AnswerClaim]
    checks: list[CheckOutcome]
    checked: int = Field(description="How many claims were checked, over all attempts.")
    missing: list[str] = Field(description="Parts of the question that the answer does not cover.")
    attempts: int = Field(description="1, or 2 after a repair; 0 where nothing was generated.")
    tokens: TokenCount
    language: str
    confidence: float = Field(description="In [0, 1] by the version's calibration; -1: unknown.")
    milliseconds: dict[str, float]


def run(body: AnswerBody, asker: Asker) -> AnswerResponse:
    """Answer from the version that the caller may see. Raises `EdgewikiError`."""
    asker.state.budget.spend(asker.caller.name)
    served = asker.version()
    searcher = served.searcher
    profile = asker.profile(served, body.rag_profile)
    history = [Message(turn.role, turn.content) for turn in body.history]
    question = complete(searcher.index, body.query, history)
    request = body.search_request(
        query=clean(question) if question == body.query else _as_one_sentence(clean(question)),
        limit=chosen(body, "limit", profile.limit),
        max_per_document=PER_DOCUMENT,
    )
    tokens = min(profile.max_tokens or asker.state.max_tokens, asker.state.max_tokens)
    answer = answer_question(
        searcher,
        request,
        profile,
        Budget(tokens, profile.max_chars),
        asker.state.chat_model,
        asker.state.answer_seconds,
        body.engine,
    )
    return _response(answer, question, served.name)


def _as_one_sentence(completed: str) -> str:
    """A question with what it left out inside: whom it names after its mark, it does not name.

    A word that began a question is small inside, or it would be taken for a name.
    """
    said = _END_OF_SENTENCE.sub("", completed).split()
    return " ".join(word.lower() if is_asking(fold(word)) else word for word in said) + "?"


def _response(answer: Answer, question: str, version: str) -> AnswerResponse:
    return AnswerResponse(
        status="ok" if answer.accepted else answer.outcome,
        reason=answer.reason,
        sources=sources_of(answer.sources),
        index_version=version,
        complete=answer.complete,
        truncated=bool(answer.truncation_reasons),
        truncation_reasons=list(answer.truncation_reasons),
        encoder_kind=answer.encoder,
        answer=answer.text,
        accepted_for_delivery=answer.accepted,
        answerable=answer.accepted,
        outcome=answer.outcome,
        question=question,
        engine=answer.engine,
        engine_reason=answer.engine_reason,
        generator=answer.generator,
        claims=[
            AnswerClaim(text=c.text, citations=list(c.citations), quote=c.quote)
            for c in answer.claims
        ],
        checks=[CheckOutcome(name=n, refused=k) for n, k in answer.failures.items()],
        checked=answer.checked,
        missing=list(answer.missing),
        attempts=answer.attempts,
        tokens=TokenCount(prompt=answer.prompt_tokens, completion=answer.completion_tokens),
        language=answer.language,
        confidence=-1.0 if answer.confidence is None else answer.confidence,
        milliseconds=answer.milliseconds,
    )
