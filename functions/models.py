"""What requests and responses at the HTTP edge share. Flat and strict: unknown fields are refused.

No field is optional in the sense of "null or a value": tool importers read such schemas
badly, so what is absent is an empty string, an empty list or 0.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from functions.logs import note

MAX_QUERY = 2_000
MAX_FILTERS = 50

Filter = Annotated[str, Field(min_length=1, max_length=200)]
Filters = Annotated[list[Filter], Field(max_length=MAX_FILTERS)]


class Source(BaseModel):
    """A page that an answer stands on."""

    number: int = Field(description="From 1; what [1] in an answer cites.")
    title: str
    authors: list[str] = Field(description="Who wrote the page, not whom it is about.")
    path: str = Field(description="The page's path in the wiki; its id.")
    heading: str = Field(description="The heading that the evidence stands under; may be empty.")
    source_url: str = Field(description="Link to the page; may be empty.")
    published: bool


class ToolResponse(BaseModel):
    """The fields that every tool's answer has."""

    status: str = Field(description="ok, or why there is nothing, such as no_hits.")
    reason: str = Field(description="One sentence where something is missing; else empty.")
    sources: list[Source]
    index_version: str
    complete: bool = Field(description="Every way of searching that was asked for has run.")
    truncated: bool = Field(description="More matched than was returned.")
    truncation_reasons: list[str]

    def model_post_init(self, _: Any) -> None:
        """Say in the log what came of the question: every tool's answer passes here."""
        names = ("index_version", "outcome", "mode", "legs", "engine", "complete",
                 "encoder_kind")  # fmt: skip
        said = {name: getattr(self, name) for name in names if hasattr(self, name)}
        note(answer_status=self.status, **said)


class QuestionResponse(ToolResponse):
    """What an answer says where pages were searched for it, by words or by vectors."""

    encoder_kind: str = Field(
        description="What made the question's vector: onnx or cooccurrence (the version's own), "
        "or remote; empty where words alone were used."
    )


class HealthResponse(BaseModel):
    """What this process can answer from."""

    status: str = Field(description="ok, degraded (`reason` says by what) or unavailable.")
    reason: str
    ready: list[str] = Field(description="What is opened: index, encoder (opened on first use).")
    index_version: str
    channel: str
    published_at: str
    age_seconds: int = Field(description="Since the version was published; -1 if unknown.")
    encoder: str
    encoders: dict[str, str] = Field(
        description="Encoders in the order in which they are asked, local and remote, with what "
        "is known of each: unasked, ready, down, or refused (it is another model)."
    )
    refresh_error: str


class ErrorResponse(BaseModel):
    """An error, in words for its reader."""

    status: str
    reason: str
