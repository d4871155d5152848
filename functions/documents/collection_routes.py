"""Collections: listed from the version, created and changed in ``edgewiki.toml`` by a commit."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi import Path as PathParameter

from functions.access import Caller, Role
from functions.documents.authorship import author_of, commit_message
from functions.documents.conditions import IfMatch, IfNoneMatch, etag, expected_blob
from functions.documents.config_file import with_collection
from functions.documents.models import (
    READING,
    WRITING,
    CollectionBody,
    CollectionEditResponse,
    CollectionEntry,
    CollectionsResponse,
)
from functions.documents.places import Place
from functions.documents.reading import Reader, reader_of
from functions.documents.syncing import ask_for_rebuild
from functions.documents.wiki_files import wiki_files
from functions.router import tool_router
from functions.security import require_role
from functions.settings import Settings
from index_artifacts.errors import ForbiddenError, ForgeConflictError, ForgeError, QueryError

router = tool_router("collections")
logger = logging.getLogger("edgewiki")

Readers = Annotated[Reader, Depends(reader_of)]
Name = Annotated[
    str, PathParameter(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$", description="The collection's name.")
]


@router.get("/collections", summary="List the collections", responses={403: READING[403]})
def list_collections(reader: Readers, request: Request, response: Response) -> CollectionsResponse:
    """List the collections that the caller may read, with how much is in each."""
    sha = _config_blob(reader.caller, request.app.state.settings)
    response.headers.update(etag(sha))
    return CollectionsResponse(
        collections=[_entry(place, reader) for place in reader.seen],
        index_version=reader.served.name,
        sha=sha,
    )


@router.put(
    "/collections/{name}",
    summary="Create or change a collection",
    description=(
        "One commit that changes edgewiki.toml and nothing else in it. Send the `sha` that "
        "GET /collections gave. A new collection is put before the first that holds its folder, "
        "since the first that matches claims a page. It takes effect with the next version."
    ),
    responses={
        **WRITING,
        201: {"model": CollectionEditResponse, "description": "The collection is new"},
    },
    dependencies=[Depends(require_role(Role.ADMIN))],
)
def put_collection(
    name: Name,
    body: CollectionBody,
    request: Request,
    response: Response,
    if_match: IfMatch = "",
    if_none_match: IfNoneMatch = "",
) -> CollectionEditResponse:
    """Create or change a collection."""
    caller: Caller = request.state.caller
    settings: Settings = request.app.state.settings
    if caller.collections is not None:
        raise ForbiddenError("collections are changed by an admin who may read all of them")
    files = wiki_files(settings)
    sha = expected_blob(body.sha, if_match, if_none_match)
    there = files.read_config()
    if (there.sha if there else "") != sha:
        now = f"its blob is {there.sha} now" if there else "there is none"
        raise ForgeConflictError(f"edgewiki.toml is not what sha says: {now}; read it again")
    text = _text(there.content if there else b"")
    changed, is_new = with_collection(text, name, body.path, body.source_url)
    if changed == text:
        return _answer("unchanged", name, sha=sha)
    verb = "Add" if is_new else "Change"
    commit = files.write_config(
        changed.encode(),
        message=commit_message(body.message, f"{verb} the collection {name}", caller),
        author=author_of(caller, settings.forge_author_domain),
        sha=sha,
    )
    rebuild = ask_for_rebuild(
        request.app,
        reason=f"collection {name}",
        revision=commit.sha,
        requested_by=caller.name,
    )
    response.headers.update(etag(commit.blob))
    response.status_code = 201 if is_new else 200
    return _answer(
        "created" if is_new else "changed",
        name,
        reason=rebuild.reason,
        commit=commit.sha,
        sha=commit.blob,
        url=commit.url,
        job_id=rebuild.job_id,
        status_url=rebuild.status_url,
    )


def _entry(place: Place, reader: Reader) -> CollectionEntry:
    counts = reader.counts(place)
    return CollectionEntry(
        name=place.name,
        path=place.path,
        source_url=place.source_url,
        documents=counts.documents,
        chunks=counts.chunks,
        tokens=counts.tokens,
    )


def _config_blob(caller: Caller, settings: Settings) -> str:
    """The blob of ``edgewiki.toml``, for those who may change it; empty where there is none."""
    if not settings.forge or caller.role < Role.ADMIN or caller.collections is not None:
        return ""
    try:
        found = wiki_files(settings).read_config()
    except ForgeError as error:
        logger.warning("edgewiki.toml cannot be read from the forge: %s", error)
        return ""
    return found.sha if found else ""


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QueryError("edgewiki.toml on the branch is not UTF-8") from None


def _answer(status: str, name: str, **fields: str) -> CollectionEditResponse:
    empty = dict.fromkeys(("reason", "commit", "sha", "url", "job_id", "status_url"), "")
    return CollectionEditResponse(status=status, name=name, **{**empty, **fields})
