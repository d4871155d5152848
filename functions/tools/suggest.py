"""What a search box offers while somebody types in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from functions.models import MAX_QUERY, Filters, ToolResponse
from index_artifacts.suggestions import LIMIT, SuggestRequest, suggest

if TYPE_CHECKING:
    from functions.asker import Asker


class SuggestParameters(BaseModel):
    """What was typed so far, as query parameters."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(
        max_length=MAX_QUERY,
        description="What was typed so far: words in any order, the last may be unfinished.",
    )
    limit: int = Field(LIMIT, ge=1, le=LIMIT, description="How many suggestions at most.")
    collections: Filters = Field(
        [], description="Only names that pages of these collections use; leave empty for all."
    )
    published_only: bool = Field(
        True, description="Leave out names that only unpublished pages use."
    )


class SuggestedName(BaseModel):
    """A name that goes on as was typed."""

    text: str = Field(description="The name as the wiki writes it.")
    kind: Literal["title", "person", "keyword"]
    path: str = Field(
        description="The one page that is called so, or is about the person; else empty."
    )


class SuggestResponse(ToolResponse):
    """Names, best first."""

    suggestions: list[SuggestedName]


def run_suggest(parameters: SuggestParameters, asker: Asker) -> SuggestResponse:
    """Suggest names of the version that the caller may see. Raises `EdgewikiError`."""
    served = asker.version()
    found = suggest(
        served.searcher.index,
        SuggestRequest(
            text=parameters.q,
            collections=tuple(parameters.collections),
            published_only=parameters.published_only,
            limit=parameters.limit,
        ),
    )
    return SuggestResponse(
        status="ok" if found.found else "no_hits",
        reason="" if found.found else "no title, person or keyword goes on like this",
        sources=[],
        index_version=served.name,
        complete=True,
        truncated=found.truncated,
        truncation_reasons=["limit"] if found.truncated else [],
        suggestions=[
            SuggestedName.model_validate(one, from_attributes=True) for one in found.found
        ],
    )
