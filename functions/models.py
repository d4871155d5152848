"""Requests and responses at the HTTP edge. Flat and strict: unknown fields are refused.

No field is optional in the sense of "null or a value": tool importers read such schemas
badly, so what is absent is an empty string, an empty list or 0.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_QUERY = 2_000
MAX_FILTERS = 50

Filter = Annotated[str, Field(min_length=1, max_length=200)]
Filters = Annotated[list[Filter], Field(max_length=MAX_FILTERS)]


class SearchBody(BaseModel):
    """A question to search for."""

    model_config = ConfigDict(extra="forbid", strict=True)

    query: str = Field(
        max_length=MAX_QUERY,
        description='What to look for, in any language; "quoted words" must match exactly.',
        examples=["Na akom porte počúva server?"],
    )
    limit: int = Field(10, ge=1, le=50, description="How many hits to return at most.")
    mode: Literal["hybrid", "lexical", "vector", "cascade", "flat"] = Field(
        "hybrid", description="Which ways of searching to use; hybrid joins all of them."
    )
    fusion: Literal["weighted", "rrf"] = Field(
        "weighted", description="How the ways are joined: by scores, or by reciprocal ranks."
    )
    collections: Filters = Field([], description="Only pages of these collections.")
    authors: Filters = Field([], description="Only pages by any of these authors.")
    tags: Filters = Field([], description="Only pages with any of these tags.")
    categories: Filters = Field([], description="Only pages in any of these categories.")
    languages: Filters = Field([], description="Only pages in these languages, such as sk.")
    years: Annotated[list[Annotated[int, Field(ge=1, le=9999)]], Field(max_length=MAX_FILTERS)] = (
        Field([], description="Only pages of these years.")
    )
    published_only: bool = Field(True, description="Leave out pages marked as unpublished.")
    max_per_document: int = Field(
        0, ge=0, le=50, description="Hits from one page at most; 0 is no limit."
    )


class SearchParameters(SearchBody):
    """The same question as query parameters, where every value arrives as text."""

    model_config = ConfigDict(extra="forbid", strict=False)

    query: str = Field(alias="q", max_length=MAX_QUERY, description="The question.")


class Source(BaseModel):
    """A page that an answer stands on."""

    number: int = Field(description="1-based, in the order of the hits.")
    title: str
    authors: list[str]
    path: str = Field(description="The page's path in the wiki; its id.")
    source_url: str
    published: bool


class ToolResponse(BaseModel):
    """The fields that every tool's answer has."""

    status: str = Field(description="ok, or why there is nothing: no_hits.")
    reason: str = Field(description="One sentence where something is missing; else empty.")
    sources: list[Source]
    index_version: str
    complete: bool = Field(description="Every way of searching that was asked for has run.")
    truncated: bool = Field(description="More matched than was returned.")
    truncation_reasons: list[str]


class HitDocument(BaseModel):
    """The page of a hit, to group hits by."""

    id: str
    title: str
    summary: str
    authors: list[str]
    tags: list[str]
    categories: list[str]
    language: str
    collection: str
    published: bool
    created: str
    updated: str
    year: int = Field(description="0 where the page states none.")
    source_url: str


class Scores(BaseModel):
    """Scores by leg; -1 where a leg did not run."""

    lemma: float = Field(description="BM25 over lemmas.")
    trigram: float = Field(description="BM25 over character trigrams.")
    vector: float = Field(description="Cosine; -1 also means opposite.")


class SearchHit(BaseModel):
    """A chunk of a page, best first."""

    rank: int
    score: float
    scores: Scores
    chunk_id: str
    document: HitDocument
    heading_path: list[str]
    snippet: str
    highlights: list[list[int]] = Field(description="[start, end] pairs in the snippet.")
    text: str
    line: int
    last_line: int
    source_url: str


class SearchResponse(ToolResponse):
    """Ranked hits and what they stand on."""

    hits: list[SearchHit]
    outcome: str = Field(
        description="Whether the first hit answers: answer, low_confidence, none, or unknown."
    )
    confidence: float = Field(description="In [0, 1] by the version's calibration; -1: unknown.")
    mode: str
    legs: list[str] = Field(description="The ways of searching that ran.")
    encoder: str = Field(description="Fingerprint of the encoder, where vectors were used.")
    corrections: dict[str, str] = Field(description="Words typed → words looked up.")
    language: str = Field(description="The question's language as understood; empty if unclear.")
    matched: int = Field(description="How many chunks match by words.")
    milliseconds: dict[str, float]


class HealthResponse(BaseModel):
    """What this process can answer from."""

    status: str = Field(description="ok, degraded (a refresh failed) or unavailable.")
    reason: str
    ready: list[str] = Field(description="What is opened: index, encoder (opened on first use).")
    index_version: str
    channel: str
    published_at: str
    age_seconds: int = Field(description="Since the version was published; -1 if unknown.")
    encoder: str
    refresh_error: str
    chunks: int


class ErrorResponse(BaseModel):
    """An error, in words for its reader."""

    status: str
    reason: str
