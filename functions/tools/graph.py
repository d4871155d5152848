"""The graph tool: a question about what the version lists completely, answered by facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from functions.models import MAX_QUERY, Filters
from functions.tools import answer
from functions.tools.answer import AnswerBody, AnswerResponse

if TYPE_CHECKING:
    from functions.state import State


class GraphBody(BaseModel):
    """A question to the graph."""

    model_config = ConfigDict(extra="forbid", strict=True)

    query: str = Field(
        max_length=MAX_QUERY,
        description="Which pages, or how many, are by an author, or have a tag or a category.",
        examples=["Koľko stránok napísal Peter Zelenák?"],
    )
    collections: Filters = Field([], description="Only pages of these collections.")


def run(body: GraphBody, state: State, key_profile: str = "") -> AnswerResponse:
    """Answer from facts; refuse what is no question about them. Raises `EdgewikiError`."""
    asked = AnswerBody(query=body.query, collections=body.collections, engine="graph")
    return answer.run(asked, state, key_profile)
