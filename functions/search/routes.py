"""The search function: ``POST /search``, ``GET /search?q=`` and ``GET /suggest?q=``."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from functions.openapi import TOOL
from functions.router import Asking, tool_router
from functions.tools.search import SearchBody, SearchParameters, SearchResponse, run
from functions.tools.suggest import SuggestParameters, SuggestResponse, run_suggest

router = tool_router("search")

# Who deletes a letter has just been told. What one caller may be told is nothing for another.
_FOR_A_MOMENT = {
    "Cache-Control": "private, max-age=30",
    "Vary": "Authorization, Cookie, X-API-Key",
}


@router.post(
    "/search",
    summary="Search the wiki for pages and passages",
    description=(
        "Search the wiki for a question or keywords and get the matching passages, best first, "
        "each with its page, author, year, heading and link. Use it to find out which pages there "
        "are on a subject, or pages by an author, tag, category, language or year. Inflected "
        "forms, missing diacritics and typing errors are handled. If `outcome` is `none`, the "
        "wiki most likely holds no answer: say so instead of guessing."
    ),
    openapi_extra=TOOL,
)
def search_wiki(body: SearchBody, asker: Asking) -> SearchResponse:
    """Answer a question given as JSON."""
    return run(body, asker)


@router.get(
    "/search",
    summary="Search the wiki with a link",
    description="The same search with its fields as query parameters; lists repeat a parameter.",
)
def search_wiki_by_link(
    parameters: Annotated[SearchParameters, Query()], asker: Asking
) -> SearchResponse:
    """Answer a question given as query parameters."""
    return run(parameters, asker)


@router.get(
    "/suggest",
    summary="Suggest titles, people and keywords while somebody types",
    description=(
        "Names in the wiki that have the words typed so far, of which the last may be unfinished: "
        "at most eight, best first. Case and diacritics do not count."
    ),
)
def suggest_names(
    parameters: Annotated[SuggestParameters, Query()], asker: Asking, response: Response
) -> SuggestResponse:
    """Answer what was typed so far with names that go on like it."""
    response.headers.update(_FOR_A_MOMENT)
    return run_suggest(parameters, asker)
