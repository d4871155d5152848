"""The search function: ``POST /search`` and ``GET /search?q=``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Security
from pydantic import ValidationError

from functions.models import (
    ErrorResponse,
    HitDocument,
    Scores,
    SearchBody,
    SearchHit,
    SearchParameters,
    SearchResponse,
    Source,
)
from functions.security import api_key_header, bearer_header, require_key
from functions.state import State
from index_artifacts.errors import QueryError
from index_artifacts.hits import DocumentInfo, Hit
from index_artifacts.search import SearchRequest, SearchResult

router = APIRouter(
    dependencies=[Depends(require_key), Security(api_key_header), Security(bearer_header)],
    responses={
        401: {"model": ErrorResponse, "description": "No valid key was sent"},
        413: {"model": ErrorResponse, "description": "The body is too large"},
        422: {"model": ErrorResponse, "description": "The request is not valid"},
        503: {"model": ErrorResponse, "description": "There is no version to answer from"},
    },
    tags=["search"],
)


@router.post(
    "/search",
    summary="Search the wiki",
    description=(
        "Find passages of the wiki for a question or keywords in any language. Inflected forms, "
        "missing diacritics and typing errors are handled. Returns passages, best first, each "
        "with its page, heading path, link and scores."
    ),
)
def search_wiki(body: SearchBody, request: Request) -> SearchResponse:
    """Answer a question given as JSON."""
    return answer(body, request.app.state.version_state)


@router.get(
    "/search",
    summary="Search the wiki with a link",
    description="The same search with its fields as query parameters; lists repeat a parameter.",
)
def search_wiki_by_link(
    parameters: Annotated[SearchParameters, Query()], request: Request
) -> SearchResponse:
    """Answer a question given as query parameters."""
    return answer(parameters, request.app.state.version_state)


def checked_body(**values: object) -> SearchBody:
    """Validate a question that did not come over HTTP; raises `QueryError` naming the field."""
    try:
        return SearchBody.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise QueryError(f"{first['loc'][0]}: {first['msg']}") from None


def answer(body: SearchBody, state: State) -> SearchResponse:
    """Search the version that ``state`` holds. Raises `EdgewikiError`."""
    served = state.version()
    result = served.searcher.search(
        SearchRequest(
            query=body.query,
            limit=body.limit,
            mode=body.mode,
            fusion=body.fusion,
            collections=tuple(body.collections),
            authors=tuple(body.authors),
            tags=tuple(body.tags),
            categories=tuple(body.categories),
            languages=tuple(body.languages),
            years=tuple(body.years),
            published_only=body.published_only,
            max_per_document=body.max_per_document,
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
        corrections=result.corrections,
        language=result.language or "",
        matched=result.matched,
        milliseconds=result.milliseconds,
    )


def _sources(result: SearchResult) -> list[Source]:
    pages = {hit.document.id: hit.document for hit in result.hits}
    return [
        Source(
            number=number,
            title=page.title,
            authors=list(page.authors),
            path=page.id,
            source_url=page.source_url,
            published=page.published,
        )
        for number, page in enumerate(pages.values(), 1)
    ]


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
        document=_document(hit.document),
        heading_path=list(hit.heading_path),
        snippet=hit.snippet,
        highlights=[list(span) for span in hit.highlights],
        text=hit.text,
        line=hit.line,
        last_line=hit.last_line,
        source_url=hit.document.source_url,
    )


def _document(page: DocumentInfo) -> HitDocument:
    return HitDocument(
        id=page.id,
        title=page.title,
        summary=page.summary,
        authors=list(page.authors),
        tags=list(page.tags),
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
