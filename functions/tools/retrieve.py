"""Evidence as one Markdown block, for whoever can only paste text into a system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from functions.models import MAX_QUERY, Filters, QuestionResponse
from functions.tools.rag import LIMIT, RagBody, run
from index_artifacts.rag.context import one_line
from index_artifacts.rag.rules import wording

if TYPE_CHECKING:
    from functions.asker import Asker
    from functions.tools.rag import RagResponse

MAX_CHARACTERS = 4_000


class RetrieveParameters(BaseModel):
    """A question as query parameters."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(max_length=MAX_QUERY, description="The question.")
    top_k: int = Field(LIMIT, ge=1, le=50, description="How many pieces of evidence at most.")
    max_chars: int = Field(
        MAX_CHARACTERS, ge=0, description="Characters of the evidence at most; 0 is any."
    )
    collections: Filters = Field([], description="Only pages of these collections.")
    rag_profile: str = Field("", max_length=64, description="Name of a RAG profile of the wiki.")


class RetrieveResponse(QuestionResponse):
    """Evidence as text."""

    markdown: str = Field(description="Heading, rules, evidence and sources in one block.")
    answerable: bool = Field(description="False: the block says that there is no answer.")


def run_retrieve(parameters: RetrieveParameters, asker: Asker) -> RetrieveResponse:
    """What `functions.tools.rag.run` gives, as Markdown. Raises `EdgewikiError`."""
    # What the caller left to the defaults is left to the profile, too.
    names = {"top_k": "limit", "max_chars": "max_chars"}
    given = {
        names[name]: getattr(parameters, name)
        for name in names
        if name in parameters.model_fields_set
    }
    body = RagBody(
        query=parameters.q,
        collections=parameters.collections,
        rag_profile=parameters.rag_profile,
        **given,
    )
    found = run(body, asker, default_max_chars=MAX_CHARACTERS)
    common = {name: getattr(found, name) for name in QuestionResponse.model_fields}
    return RetrieveResponse(**common, markdown=_markdown(found), answerable=found.answerable)


def _markdown(found: RagResponse) -> str:
    words = wording(found.language)
    parts = [f"## {words.heading}", found.rules]
    if found.answerable:
        named = [
            one_line(f"[{source.number}] {source.title} {source.source_url or source.path}")
            for source in found.sources
        ]
        parts += [found.context, f"{words.sources}:\n" + "\n".join(named)]
    return "\n\n".join(part for part in parts if part)
