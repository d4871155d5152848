"""A page for a reader, and for an editor its file as it is on the branch now."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from functions.access import Role
from functions.documents.content import page_text
from functions.documents.models import PageResponse
from functions.documents.wiki_files import wiki_files
from functions.tools.documents import RevisionEntry
from functions.tools.search import hit_document, page_source
from index_artifacts.errors import ForgeError, QueryError

if TYPE_CHECKING:
    from functions.documents.models import PageParameters
    from functions.documents.reading import Reader
    from functions.forge import ForgeFile
    from functions.settings import Settings
    from index_artifacts.documents import Reading

logger = logging.getLogger("edgewiki")


@dataclass(frozen=True, slots=True)
class BranchFile:
    """What an editor needs. ``reason`` says why there is nothing to edit, where one may."""

    sha: str = ""
    source: str = ""
    newer: bool = False
    reason: str = ""


def page_response(
    address: str, wanted: PageParameters, reader: Reader, settings: Settings
) -> PageResponse:
    """The page at ``address``. Raises `DocumentNotFoundError`; a forge that fails is reported."""
    reading, history = reader.page(
        address,
        published_only=wanted.published_only,
        offset=wanted.offset,
        most=wanted.max_characters,
    )
    on_branch = _on_branch(reading, reader, settings)
    goes_on = reading.end < reading.characters
    return PageResponse(
        status="ok",
        reason=on_branch.reason,
        sources=[page_source(reading.document)],
        index_version=reader.served.name,
        complete=not on_branch.reason,
        truncated=goes_on,
        truncation_reasons=["max_characters"] if goes_on else [],
        document=hit_document(reading.document),
        text=reading.text,
        offset=reading.offset,
        next_offset=reading.end if goes_on else -1,
        characters=reading.characters,
        revisions=[
            RevisionEntry(
                revision=revision.revision,
                date=revision.date,
                author=revision.author,
                subject=revision.subject,
            )
            for revision in history.revisions
        ],
        sha=on_branch.sha,
        source=on_branch.source,
        newer=on_branch.newer,
    )


def _on_branch(reading: Reading, reader: Reader, settings: Settings) -> BranchFile:
    if not settings.forge or reader.caller.role < Role.USER:
        return BranchFile()
    path = reading.document.id
    try:
        files = wiki_files(settings)
        now = files.read(path)
        if now is None:
            return BranchFile(newer=True)
        revision = reader.served.artifact.manifest.source.revision
        then = files.read(path, revision) if revision else None
    except ForgeError as error:
        logger.warning("%s cannot be read from the forge: %s", path, error)
        return BranchFile(reason="the forge does not show the page's file: it cannot be edited now")
    newer = (then.sha if then else "") != now.sha if revision else not _holds(now, reading)
    try:
        return BranchFile(now.sha, page_text(now.content), newer)
    except QueryError as error:
        return BranchFile(now.sha, "", newer, reason=f"the page's file cannot be shown: {error}")


def _holds(file: ForgeFile, reading: Reading) -> bool:
    """Whether ``file`` ends with the part of the text that was read, where nothing better tells."""
    text = file.content.decode("utf-8-sig", errors="replace")
    return reading.text in text.replace("\r\n", "\n").replace("\r", "\n")
