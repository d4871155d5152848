"""Requests and responses of the documents function: flat, and never null."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from functions.models import ErrorResponse, ToolResponse
from functions.tools.documents import ListBody, RevisionEntry
from functions.tools.search import HitDocument

MAX_MESSAGE = 2_000
SHA = r"^(?:[0-9a-f]{40}|[0-9a-f]{64})?$"

Sha = Annotated[str, Field(pattern=SHA)]
Message = Annotated[str, Field(max_length=MAX_MESSAGE)]

Responses = dict[int | str, dict[str, Any]]

READING: Responses = {
    403: {"model": ErrorResponse, "description": "The caller may not do this"},
    404: {"model": ErrorResponse, "description": "There is no such page"},
}
"""Responses of a route that reads, beside those of every route."""

FORGE: Responses = {
    502: {"model": ErrorResponse, "description": "The forge that keeps the wiki failed"}
}
"""And of one that asks the forge."""

WRITING: Responses = {
    **READING,
    **FORGE,
    409: {"model": ErrorResponse, "description": "Somebody else changed it first: read it again"},
}
"""And of one that writes."""


class ListParameters(ListBody):
    """Which pages to list, as query parameters, where every value arrives as text."""

    model_config = ConfigDict(extra="forbid", strict=False)


class PageParameters(BaseModel):
    """How much to return of a page."""

    model_config = ConfigDict(extra="forbid")

    published_only: bool = Field(True, description="Take an unpublished page for none.")
    offset: int = Field(0, ge=0, description="Where to begin in the text: to read on.")
    max_characters: int = Field(
        100_000, ge=100, le=1_000_000, description="How much text to return at most."
    )


class PageResponse(ToolResponse):
    """A page of the version, its history, and for those who may edit, its file as it is now."""

    document: HitDocument
    text: str = Field(description="Markdown below the front matter, as the version has it.")
    offset: int
    next_offset: int = Field(description="Where to read on; -1 at the end.")
    characters: int = Field(description="Length of the whole text.")
    revisions: list[RevisionEntry] = Field(description="The newest commit first.")
    sha: str = Field(
        description="Blob of the file on the branch, to be sent back with an edit; empty where "
        "there is none, or no forge, or the caller may not edit pages."
    )
    source: str = Field(description="That file, front matter and all; empty as well.")
    newer: bool = Field(description="The file on the branch is not the one the version holds.")


class PutBody(BaseModel):
    """A page as it shall be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    content: str = Field(description="The whole file, front matter too; line ends stay as sent.")
    sha: Sha = Field(
        "",
        description="Blob of the file that is replaced, as it was read; empty for a new page. "
        "The header If-Match says the same.",
    )
    message: Message = Field("", description="What the commit says; its first line counts.")


class DeleteParameters(BaseModel):
    """Which state of a page is removed."""

    model_config = ConfigDict(extra="forbid")

    sha: Sha = Field("", description="Blob of the file; or send the header If-Match.")
    message: Message = Field("", description="What the commit says; its first line counts.")


class EditResponse(BaseModel):
    """What became of an edit."""

    status: str = Field(description="created, changed, deleted, or unchanged: no commit was made.")
    reason: str = Field(description="Why no rebuild was asked for; else empty.")
    path: str = Field(description="The page's path, which is its id.")
    collection: str
    commit: str = Field(description="The commit; empty where nothing changed.")
    sha: str = Field(description="The file's blob, for the next edit; empty where it is removed.")
    url: str = Field(description="The commit at the forge; may be empty.")
    job_id: str = Field(description="The job that builds a version with it; may be empty.")
    status_url: str = Field(description="Where that job is described.")
    warnings: list[str] = Field(description="What of the page the build will repair or pass over.")


class CollectionEntry(BaseModel):
    """A named part of the wiki."""

    name: str
    path: str = Field(description="Its folder; empty for all that no other collection holds.")
    source_url: str = Field(description="Pattern of its pages' addresses; empty: the wiki's.")
    documents: int
    chunks: int
    tokens: int


class CollectionsResponse(BaseModel):
    """The collections, in the order in which they claim pages."""

    collections: list[CollectionEntry]
    index_version: str
    sha: str = Field(
        description="Blob of edgewiki.toml on the branch, to be sent back with a change; empty "
        "where there is none, or no forge, or the caller may not change collections."
    )


class CollectionBody(BaseModel):
    """A collection as it shall be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    path: str = Field(max_length=1_000, description="Its folder; empty for the whole wiki.")
    source_url: str = Field(
        "",
        max_length=2_000,
        description="Pattern of its pages' addresses with {path}, {path_without_extension}, "
        "{route}, {collection} or {revision}; empty: the wiki's.",
    )
    sha: Sha = Field(
        "", description="Blob of edgewiki.toml as it was read; empty where there is none yet."
    )
    message: Message = Field("", description="What the commit says; its first line counts.")


class CollectionEditResponse(BaseModel):
    """What became of a change of a collection."""

    status: str = Field(description="created, changed, or unchanged: no commit was made.")
    reason: str = Field(description="Why no rebuild was asked for; else empty.")
    name: str
    commit: str
    sha: str = Field(description="The blob of edgewiki.toml, for the next change.")
    url: str
    job_id: str
    status_url: str


class StatsResponse(BaseModel):
    """What is served, how much, and how old it is."""

    engine: str = Field(description="edgewiki and its version.")
    schema_version: int = Field(description="Layout of the index.")
    analyzer: str
    index_version: str
    channel: str
    revision: str = Field(description="The commit that was compiled; empty for a plain folder.")
    committed_at: str = Field(description="ISO 8601, in UTC; may be empty.")
    published_at: str
    commit_age_seconds: int = Field(description="Since the commit; -1 if unknown.")
    age_seconds: int = Field(description="Since the version was published; -1 if unknown.")
    checked_seconds_ago: int = Field(description="Since the pointer was looked at.")
    refresh_failed: bool = Field(description="That look failed; the version before it is served.")
    encoder: str = Field(description="Kind of the encoder.")
    encoder_fingerprint: str
    encoder_dimension: int
    collections: int
    documents: int
    chunks: int
    tokens: int
    words: int = Field(description="Different words of published pages.")
    languages: dict[str, int] = Field(description="Pages by language.")


class ReloadResponse(BaseModel):
    """What a look at the pointer found."""

    status: str = Field(description="changed, unchanged, or failed: the old version is served.")
    reason: str = Field(description="In words, where it failed; the cause is in the log.")
    previous_version: str
    index_version: str
