"""What every tool that searches takes: the question and the filters."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from functions.models import MAX_FILTERS, MAX_QUERY, Filters
from index_artifacts.errors import QueryError
from index_artifacts.search import SearchRequest

Body = TypeVar("Body", bound=BaseModel)

FOR_PROGRAMS: dict[str, JsonValue] = {"x-for-programs": True}
"""As ``json_schema_extra`` of a field: nothing that a model should be offered to set."""


class QueryBody(BaseModel):
    """A question and the pages that may answer it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    query: str = Field(
        max_length=MAX_QUERY,
        description="A whole question or a few keywords, in any language. Words in double quotes "
        "must occur exactly as written.",
        examples=["Na akom porte počúva server?"],
    )
    mode: Literal["hybrid", "lexical", "vector", "cascade", "flat"] = Field(
        "hybrid",
        description="Which ways of searching to use; hybrid joins all of them.",
        json_schema_extra=FOR_PROGRAMS,
    )
    collections: Filters = Field(
        [], description="Only pages of these collections of the wiki; leave empty for all."
    )
    authors: Filters = Field(
        [],
        description="Only pages that these people wrote, not pages about them; leave empty "
        "unless asked for.",
    )
    tags: Filters = Field(
        [], description="Only pages with any of these tags; leave empty unless asked for."
    )
    categories: Filters = Field(
        [], description="Only pages in any of these categories; leave empty unless asked for."
    )
    languages: Filters = Field(
        [],
        description="Only pages written in these languages, such as sk or en; leave empty: "
        "any language finds pages in every other.",
    )
    years: Annotated[list[Annotated[int, Field(ge=1, le=9999)]], Field(max_length=MAX_FILTERS)] = (
        Field([], description="Only pages dated to these years; leave empty unless asked for.")
    )
    published_only: bool = Field(
        True,
        description="Leave out pages marked as unpublished.",
        json_schema_extra=FOR_PROGRAMS,
    )

    def search_request(self, **more: Any) -> SearchRequest:
        """The question as a version is asked it; ``more`` are further fields of the request."""
        request = SearchRequest(
            query=self.query,
            mode=self.mode,
            collections=tuple(self.collections),
            authors=tuple(self.authors),
            tags=tuple(self.tags),
            categories=tuple(self.categories),
            languages=tuple(self.languages),
            years=tuple(self.years),
            published_only=self.published_only,
        )
        return replace(request, **more)


def checked_body(kind: type[Body], /, **values: object) -> Body:
    """Validate what did not come over HTTP; raises `QueryError`, which names the field."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "body"
        raise QueryError(f"{place}: {first['msg']}") from None
