"""The tools for pages: read one, list them, and ask how one came to be."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from functions.asker import Asker
from functions.models import MAX_FILTERS, Filters, ToolResponse
from functions.tools.search import HitDocument, hit_document, page_source
from index_artifacts.documents import (
    ListRequest,
    document_history,
    list_documents,
    read_document,
)
from index_artifacts.records import Section
from index_artifacts.schema import MAX_REVISIONS


class DocumentBody(BaseModel):
    """A page."""

    model_config = ConfigDict(extra="forbid", strict=True)

    path: str = Field(
        max_length=1_000,
        description="The page: its path as search gives it, its permalink, its link or its route.",
        examples=["guides/servers.md"],
    )
    published_only: bool = Field(True, description="Take an unpublished page for none.")


class ReadBody(DocumentBody):
    """A page to read, or a section of it."""

    heading: str = Field(
        "",
        max_length=500,
        description="Only the section under this heading, with all that is in it; empty: all.",
    )
    offset: int = Field(0, ge=0, description="Where to begin, in characters: to read on.")
    max_characters: int = Field(
        20_000, ge=100, le=100_000, description="How much to return at most."
    )
    include_sections: bool = Field(False, description="Give the page's table of contents too.")


class SectionEntry(BaseModel):
    """A line of a table of contents."""

    level: int = Field(description="1 for the outermost headings; 0 for the text before them.")
    heading_path: list[str]
    line: int = Field(description="1-based, in the page's file.")
    offset: int = Field(description="Where it begins in the page's text, to read from there.")


class ReadResponse(ToolResponse):
    """A page's text, or a part of it."""

    document: HitDocument
    heading_path: list[str] = Field(description="The section read; empty for the whole page.")
    text: str = Field(description="Markdown, as the page has it.")
    offset: int = Field(description="Where the text begins in the page or section.")
    next_offset: int = Field(description="Where to read on; -1 at the end.")
    characters: int = Field(description="Length of the whole page or section.")
    sections: list[SectionEntry] = Field(description="Empty unless asked for.")


class ListBody(BaseModel):
    """Which pages to list."""

    model_config = ConfigDict(extra="forbid", strict=True)

    prefix: str = Field(
        "", max_length=1_000, description="How their paths begin, such as a folder: guides/"
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
    limit: int = Field(50, ge=1, le=200, description="How many pages to return at most.")
    offset: int = Field(0, ge=0, description="How many pages to skip: to read on.")


class ListResponse(ToolResponse):
    """Pages in the order of their paths."""

    documents: list[HitDocument]
    total: int = Field(description="How many pages there are, beyond the limit too.")
    offset: int
    next_offset: int = Field(description="Where to read on; -1 at the end.")


class RevisionEntry(BaseModel):
    """A commit that changed the page."""

    revision: str = Field(description="The commit's full hash.")
    date: str = Field(description="ISO 8601, in UTC.")
    author: str
    subject: str = Field(description="The commit's title.")


class HistoryResponse(ToolResponse):
    """How a page came to be, the newest commit first."""

    document: HitDocument
    revisions: list[RevisionEntry]


def run_read(body: ReadBody, asker: Asker) -> ReadResponse:
    """Read a page of the version that the caller may see. Raises `EdgewikiError`."""
    served = asker.version()
    reading = read_document(
        served.searcher.index,
        body.path,
        heading=body.heading,
        offset=body.offset,
        max_characters=body.max_characters,
        published_only=body.published_only,
    )
    goes_on = reading.end < reading.characters
    heading = reading.heading_path[-1] if reading.heading_path else ""
    return ReadResponse(
        status="ok",
        reason="",
        sources=[page_source(reading.document, heading=heading)],
        index_version=served.name,
        complete=True,
        truncated=goes_on,
        truncation_reasons=["max_characters"] if goes_on else [],
        document=hit_document(reading.document),
        heading_path=list(reading.heading_path),
        text=reading.text,
        offset=reading.offset,
        next_offset=reading.end if goes_on else -1,
        characters=reading.characters,
        sections=[_section(s) for s in reading.sections] if body.include_sections else [],
    )


def run_list(body: ListBody, asker: Asker) -> ListResponse:
    """List pages of the version that the caller may see. Raises `EdgewikiError`."""
    served = asker.version()
    listing = list_documents(
        served.searcher.index,
        ListRequest(
            prefix=body.prefix,
            collections=tuple(body.collections),
            authors=tuple(body.authors),
            tags=tuple(body.tags),
            categories=tuple(body.categories),
            languages=tuple(body.languages),
            years=tuple(body.years),
            published_only=body.published_only,
            limit=body.limit,
            offset=body.offset,
        ),
    )
    end = body.offset + len(listing.documents)
    goes_on = end < listing.total and bool(listing.documents)
    found = bool(listing.documents)
    return ListResponse(
        status="ok" if found else "no_hits",
        reason="" if found else "no page passes the filters, or the offset is beyond the last one",
        sources=[page_source(page, number) for number, page in enumerate(listing.documents, 1)],
        index_version=served.name,
        complete=True,
        truncated=goes_on,
        truncation_reasons=["limit"] if goes_on else [],
        documents=[hit_document(page) for page in listing.documents],
        total=listing.total,
        offset=body.offset,
        next_offset=end if goes_on else -1,
    )


def run_history(body: DocumentBody, asker: Asker) -> HistoryResponse:
    """Tell the history of a page of the version that the caller may see. Raises `EdgewikiError`."""
    served = asker.version()
    history = document_history(served.searcher.index, body.path, published_only=body.published_only)
    known = bool(history.revisions)
    full = len(history.revisions) == MAX_REVISIONS
    return HistoryResponse(
        status="ok" if known else "no_hits",
        reason="" if known else "this version was built without the wiki's Git history",
        sources=[page_source(history.document)],
        index_version=served.name,
        complete=True,
        truncated=full,
        truncation_reasons=["limit"] if full else [],
        document=hit_document(history.document),
        revisions=[
            RevisionEntry(
                revision=revision.revision,
                date=revision.date,
                author=revision.author,
                subject=revision.subject,
            )
            for revision in history.revisions
        ],
    )


def _section(section: Section) -> SectionEntry:
    return SectionEntry(
        level=section.level,
        heading_path=list(section.path),
        line=section.line,
        offset=section.start,
    )
