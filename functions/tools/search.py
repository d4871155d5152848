"""The search tool: a question in, ranked passages out."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from functions.asker import Asker
from functions.models import MAX_QUERY, QuestionResponse, Source
from functions.tools.query import FOR_PROGRAMS, QueryBody
from index_artifacts.calibration import ANSWER, LOW_CONFIDENCE, NONE, UNKNOWN
from index_artifacts.hits import DocumentInfo, Hit
from index_artifacts.search import SearchResult

STRENGTHS = {ANSWER: "strong", LOW_CONFIDENCE: "weak", NONE: "hidden", UNKNOWN: UNKNOWN}
"""What a verdict on one hit is called."""


class SearchBody(QueryBody):
    """A question to search for."""

    limit: int = Field(10, ge=1, le=50, description="How many hits to return at most.")
    fusion: Literal["weighted", "rrf"] = Field(
        "weighted",
        description="How the ways are joined: by scores, or by reciprocal ranks.",
        json_schema_extra=FOR_PROGRAMS,
    )
    max_per_document: int = Field(
        0,
        ge=0,
        le=50,
        description="Hits from one page at most; 0 is no limit.",
        json_schema_extra=FOR_PROGRAMS,
    )


class SearchParameters(SearchBody):
    """The same question as query parameters, where every value arrives as text."""

    model_config = ConfigDict(extra="forbid", strict=False)

    query: str = Field(alias="q", max_length=MAX_QUERY, description="The question.")


class HitDocument(BaseModel):
    """The page of a hit, to group hits by."""

    id: str
    title: str
    summary: str
    summary_by: str = Field(
        description="author, extractive, or the language model that wrote it; empty without one."
    )
    authors: list[str]
    tags: list[str]
    keywords: list[str] = Field(description="Found in a page that states no tags; no filter.")
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
    strength: str = Field(
        description="strong, weak or hidden (most likely no answer) by the version's calibration; "
        "unknown where it has none."
    )


class SearchResponse(QuestionResponse):
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


def run(body: SearchBody, asker: Asker) -> SearchResponse:
    """Search the version that the caller may see. Raises `EdgewikiError`."""
    served = asker.version()
    result = served.searcher.search(
        body.search_request(
            limit=body.limit, fusion=body.fusion, max_per_document=body.max_per_document
        )
    )
    encoder = served.artifact.manifest.encoder["fingerprint"] if "vector" in result.legs else ""
    return SearchResponse(
        status=result.status,
        reason=result.reason,
        sources=_sources(result),
        index_version=served.name,
        complete=result.complete,
        truncated=result.truncated,
        truncation_reasons=list(result.truncation_reasons),
        hits=[_hit(rank, hit) for rank, hit in enumerate(result.hits, 1)],
        outcome=result.outcome,
        confidence=-1.0 if result.confidence is None else result.confidence,
        mode=body.mode,
        legs=list(result.legs),
        encoder=encoder,
        encoder_kind=result.encoder,
        corrections=result.corrections,
        language=result.language or "",
        matched=result.matched,
        milliseconds=result.milliseconds,
    )


def _sources(result: SearchResult) -> list[Source]:
    pages = {hit.document.id: hit.document for hit in result.hits}
    return [page_source(page, number) for number, page in enumerate(pages.values(), 1)]


def _hit(rank: int, hit: Hit) -> SearchHit:
    scores = hit.scores
    return SearchHit(
        rank=rank,
        score=scores.score,
        scores=Scores(
            lemma=_or_not_run(scores.lemma),
            trigram=_or_not_run(scores.trigram),
            vector=_or_not_run(scores.cosine),
        ),
        chunk_id=hit.chunk_id,
        document=hit_document(hit.document),
        heading_path=list(hit.heading_path),
        snippet=hit.snippet,
        highlights=[list(span) for span in hit.highlights],
        text=hit.text,
        line=hit.line,
        last_line=hit.last_line,
        source_url=hit.document.source_url,
        strength=STRENGTHS[hit.verdict.outcome],
    )


def page_source(page: DocumentInfo, number: int = 1, heading: str = "") -> Source:
    """A page as a source."""
    return Source(
        number=number,
        title=page.title,
        authors=list(page.authors),
        path=page.id,
        heading=heading,
        source_url=page.source_url,
        published=page.published,
    )


def hit_document(page: DocumentInfo) -> HitDocument:
    """A page with all that is known of it."""
    return HitDocument(
        id=page.id,
        title=page.title,
        summary=page.summary,
        summary_by=page.summary_by,
        authors=list(page.authors),
        tags=list(page.tags),
        keywords=list(page.keywords),
        categories=list(page.categories),
        language=page.language,
        collection=page.collection,
        published=page.published,
        created=page.created or "",
        updated=page.updated or "",
        year=page.year or 0,
        source_url=page.source_url,
    )


def _or_not_run(score: float | None) -> float:
    return -1.0 if score is None else score
