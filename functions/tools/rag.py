"""The RAG tool: a question in; numbered evidence, rules and a verdict out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from functions.models import QuestionResponse, Source
from functions.tools.query import FOR_PROGRAMS, QueryBody
from index_artifacts.evidence import KINDS
from index_artifacts.graph.search import ANSWERED, NOT_UNDERSTOOD
from index_artifacts.rag.context import Budget, described
from index_artifacts.rag.facts import ASKED_FOR, NOT_BY_GRAPH, REASONS, Known, ask_graph
from index_artifacts.rag.profiles import NONE, Profile
from index_artifacts.rag.retrieval import Retrieved, retrieve

if TYPE_CHECKING:
    from functions.asker import Asker
    from functions.served_version import ServedVersion
    from index_artifacts.evidence import Evidence
    from index_artifacts.rag.passages import Passage
    from index_artifacts.search_records import SearchRequest

LIMIT = 7


class RagBody(QueryBody):
    """A question to gather evidence for."""

    limit: int = Field(LIMIT, ge=1, le=50, description="How many pieces of evidence at most.")
    max_per_document: int = Field(
        1,
        ge=0,
        le=50,
        description="Pieces from one page at most; 0 is no limit.",
        json_schema_extra=FOR_PROGRAMS,
    )
    max_tokens: int = Field(
        0,
        ge=0,
        description="Estimated tokens of the whole answer at most; 0 is the server's limit.",
        json_schema_extra=FOR_PROGRAMS,
    )
    max_chars: int = Field(
        0,
        ge=0,
        description="Characters of the context at most; 0 is any.",
        json_schema_extra=FOR_PROGRAMS,
    )
    engine: Literal["auto", "rag"] = Field(
        "auto",
        description="auto joins the graph's facts to the pages where the question asks for facts.",
        json_schema_extra=FOR_PROGRAMS,
    )
    include_diagnostics: bool = Field(
        False, description="Say how the evidence was found.", json_schema_extra=FOR_PROGRAMS
    )
    rag_profile: str = Field(
        "",
        max_length=64,
        description="Name of a RAG profile of the wiki; empty: the key's own.",
        json_schema_extra=FOR_PROGRAMS,
    )


class ContextBudget(BaseModel):
    """What the evidence costs a model."""

    encoding: str = Field(description="The encoding whose tokens are estimated.")
    estimate: bool = Field(description="Always true: the tokens were not counted by a model.")
    limit: int = Field(description="Tokens at most.")
    actual: int = Field(description="Tokens of context, rules, sources and version together.")
    characters: int = Field(description="Characters of the context.")
    dropped: int = Field(description="Pieces that were found and did not fit.")


class Diagnostics(BaseModel):
    """How the evidence was found; empty unless asked for."""

    legs: list[str]
    corrections: dict[str, str]
    chunk_ids: list[str] = Field(description="Chunks in the context, as path#ordinal.")
    figures: dict[str, float] = Field(description="What the verdict was made from.")
    milliseconds: dict[str, float]


class RagResponse(QuestionResponse):
    """Evidence for a language model, and how it may be used."""

    context: str = Field(
        description="Numbered evidence between marks that no page can forge; empty without any."
    )
    rules: str = Field(description="Rules for answering from it, in the question's language.")
    answerable: bool = Field(description="False: the wiki holds too little to answer from.")
    outcome: str = Field(description="answer, low_confidence, none, or unknown.")
    confidence: float = Field(description="In [0, 1] by the version's calibration; -1: unknown.")
    language: str = Field(description="The language of the rules.")
    engine: str = Field(description="rag, or joined: the graph's facts come first.")
    engine_reason: str = Field(description="Why that engine.")
    profile: str = Field(description="The RAG profile that was used; empty for none.")
    context_budget: ContextBudget
    diagnostics: Diagnostics


def run(body: RagBody, asker: Asker, default_max_chars: int = 0) -> RagResponse:
    """Gather evidence from the version that the caller may see. Raises `EdgewikiError`.

    ``default_max_chars`` holds where neither the request nor the profile limits the context.
    """
    served = asker.version()
    profile = asker.profile(served, body.rag_profile)
    budget = budget_of(body, profile, asker.state.max_tokens, default_max_chars)
    request = body.search_request(
        limit=chosen(body, "limit", profile.limit), max_per_document=body.max_per_document
    )
    known, reason = _known(served, request, profile, body.engine)
    found = retrieve(served.searcher, request, profile, budget, known=known)
    return RagResponse(
        status=found.status,
        reason=found.reason,
        sources=sources_of(found.context.passages),
        index_version=served.name,
        complete=found.complete,
        truncated=bool(found.truncation_reasons),
        truncation_reasons=list(found.truncation_reasons),
        encoder_kind=found.result.encoder if found.result else "",
        context=found.context.text,
        rules=found.rules,
        answerable=found.answerable,
        outcome=found.outcome,
        confidence=-1.0 if found.confidence is None else found.confidence,
        language=found.language,
        engine="joined" if known else "rag",
        engine_reason=reason,
        profile=profile.name,
        context_budget=_budget(found, budget),
        diagnostics=_diagnostics(found if body.include_diagnostics else None),
    )


def _known(
    served: ServedVersion, request: SearchRequest, profile: Profile, engine: str
) -> tuple[Known | None, str]:
    """What the graph knows of the question, None where nothing; and why."""
    if engine != "auto" or profile.mode == NONE:
        return None, ASKED_FOR if engine != "auto" else NOT_BY_GRAPH[NOT_UNDERSTOOD]
    known = ask_graph(served.searcher, request, profile)
    if known.answers:
        return known, REASONS[ANSWERED]
    outcome = known.found.outcome
    return None, NOT_BY_GRAPH.get(outcome) or REASONS[outcome]


def chosen(body: QueryBody, name: str, of_profile: int) -> int:
    """A limit: what the request says, else what the profile says, else the default."""
    value: int = getattr(body, name)
    return of_profile if of_profile and name not in body.model_fields_set else value


def budget_of(body: RagBody, profile: Profile, most: int, max_chars: int = 0) -> Budget:
    """The budget of a request; nobody can raise it above ``most`` tokens.

    ``max_chars`` limits the context where nobody else does.
    """
    tokens = chosen(body, "max_tokens", profile.max_tokens) or most
    return Budget(min(tokens, most), chosen(body, "max_chars", profile.max_chars or max_chars))


def sources_of(passages: tuple[Passage, ...]) -> list[Source]:
    """The pages of ``passages``, numbered as in the context."""
    return [Source(**described(passage, number)) for number, passage in enumerate(passages, 1)]


def _budget(found: Retrieved, budget: Budget) -> ContextBudget:
    context = found.context
    return ContextBudget(
        encoding=context.encoding,
        estimate=True,
        limit=budget.tokens,
        actual=context.tokens,
        characters=len(context.text),
        dropped=context.dropped,
    )


def _diagnostics(found: Retrieved | None) -> Diagnostics:
    result = found.result if found else None
    if found is None or result is None:
        return Diagnostics(legs=[], corrections={}, chunk_ids=[], figures={}, milliseconds={})
    return Diagnostics(
        legs=list(result.legs),
        corrections=result.corrections,
        chunk_ids=[chunk for passage in found.context.passages for chunk in passage.chunk_ids],
        figures=_figures(result.evidence),
        milliseconds=result.milliseconds,
    )


def _figures(evidence: Evidence | None) -> dict[str, float]:
    if evidence is None:
        return {}
    named = zip(KINDS[evidence.kind], evidence.values(evidence.kind), strict=True)
    return {name: value for name, value in named if value is not None}
