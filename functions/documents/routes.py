"""Pages: listed, read with their history, and written as commits."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated

from fastapi import Depends, File, Form, Query, Request, Response, UploadFile
from fastapi import Path as PathParameter

from functions.access import Role
from functions.documents.collection_routes import router as collection_router
from functions.documents.conditions import IfMatch, IfNoneMatch, etag, expected_blob
from functions.documents.content import is_wide, page_bytes, page_text
from functions.documents.editing import Edit, Editor
from functions.documents.models import (
    FORGE,
    READING,
    SHA,
    WRITING,
    DeleteParameters,
    EditResponse,
    ListParameters,
    PageParameters,
    PageResponse,
    PutBody,
)
from functions.documents.page import page_response
from functions.documents.plain_text import is_plain_text, page_of, page_path
from functions.documents.reading import Reader, reader_of
from functions.documents.status_routes import router as status_router
from functions.documents.syncing import ask_for_rebuild
from functions.router import tool_router
from functions.security import require_role
from functions.settings import Settings
from functions.tools.documents import ListResponse
from index_artifacts.errors import QueryError

router = tool_router("documents")
routers = (router, collection_router, status_router)
"""All that the documents function answers."""

PageId = Annotated[
    str,
    PathParameter(
        min_length=1, max_length=1_000, description="The page's path, such as guides/servers.md."
    ),
]
Readers = Annotated[Reader, Depends(reader_of)]
_EDITORS = [Depends(require_role(Role.USER))]


def body_limits(settings: Settings) -> dict[str, int]:
    """Pages are larger than questions; JSON may write each of their bytes as three."""
    return {"/documents/": 3 * settings.document_max_bytes + settings.max_body_bytes}


@router.get("/documents", summary="List the wiki's pages", responses={403: READING[403]})
def list_documents(parameters: Annotated[ListParameters, Query()], reader: Readers) -> ListResponse:
    """List pages in the order of their paths."""
    return reader.listing(parameters)


@router.get(
    "/documents/{id:path}",
    summary="Read a page with its history",
    description=(
        "The page as the version has it. Who may edit pages also gets the file as it is on the "
        "branch now, with the `sha` (also as ETag) to send back with an edit."
    ),
    responses={**READING, **FORGE},
)
def read_document(
    id: PageId,
    parameters: Annotated[PageParameters, Query()],
    reader: Readers,
    request: Request,
    response: Response,
) -> PageResponse:
    """Read a page by its path, permalink, link or route."""
    page = page_response(id, parameters, reader, request.app.state.settings)
    response.headers.update(etag(page.sha))
    return page


@router.put(
    "/documents/{id:path}",
    summary="Add or change a page",
    description=(
        "One commit on the branch, by its caller. A new page is sent without `sha` or with "
        "If-None-Match: *; a change with the `sha` of what it replaces, and is refused with 409 "
        "where somebody else was faster. Users change pages that they added, admins all."
    ),
    responses={**WRITING, 201: {"model": EditResponse, "description": "The page is new"}},
    dependencies=_EDITORS,
)
def put_document(
    id: PageId,
    body: PutBody,
    reader: Readers,
    request: Request,
    response: Response,
    if_match: IfMatch = "",
    if_none_match: IfNoneMatch = "",
) -> EditResponse:
    """Write a page given as JSON."""
    sha = expected_blob(body.sha, if_match, if_none_match)
    editor = Editor(reader, request.app.state.settings)
    edit = editor.put(id, page_bytes(body.content), body.content, sha, body.message)
    return _answer(edit, reader, request, response)


@router.post(
    "/documents/upload",
    summary="Upload a page as a file",
    description=(
        "A .md file is written as it is; a .txt file becomes a page of the same name, its words "
        "kept and its title taken from its name. Else as PUT."
    ),
    responses={**WRITING, 201: {"model": EditResponse, "description": "The page is new"}},
    dependencies=_EDITORS,
)
def upload_document(
    file: Annotated[UploadFile, File(description="The file: Markdown or plain text, in UTF-8.")],
    reader: Readers,
    request: Request,
    response: Response,
    path: Annotated[
        str, Form(max_length=1_000, description="Where it goes; a folder ends with /.")
    ] = "",
    sha: Annotated[str, Form(pattern=SHA, description="Blob that it replaces.")] = "",
    message: Annotated[str, Form(max_length=2_000, description="What the commit says.")] = "",
) -> EditResponse:
    """Write a page given as a file of a form."""
    place = _place(path, file.filename or "")
    content = file.file.read()
    text = page_text(content)
    if is_plain_text(place):
        text = page_of(place, text)
        place, content = page_path(place), text.encode()
    elif is_wide(content):
        content = text.encode()
    edit = Editor(reader, request.app.state.settings).put(place, content, text, sha, message)
    return _answer(edit, reader, request, response)


@router.delete(
    "/documents/{id:path}",
    summary="Remove a page",
    description="One commit that removes the page whose `sha` is sent, as a field or If-Match.",
    responses=WRITING,
    dependencies=_EDITORS,
)
def delete_document(
    id: PageId,
    parameters: Annotated[DeleteParameters, Query()],
    reader: Readers,
    request: Request,
    response: Response,
    if_match: IfMatch = "",
) -> EditResponse:
    """Remove a page."""
    sha = expected_blob(parameters.sha, if_match)
    edit = Editor(reader, request.app.state.settings).delete(id, sha, parameters.message)
    return _answer(edit, reader, request, response)


def _place(path: str, filename: str) -> str:
    """Where an uploaded file goes: a folder takes it under its own name, without its folders."""
    if path and not path.endswith("/"):
        return path
    name = PurePosixPath(filename.replace("\\", "/")).name
    if not name:
        raise QueryError("path: the file has no name, so say where it goes")
    return path + name


def _answer(edit: Edit, reader: Reader, request: Request, response: Response) -> EditResponse:
    """Ask for a rebuild where something changed, and tell all of it."""
    made = edit.commit
    rebuild = made and ask_for_rebuild(
        request.app,
        reason=f"{edit.kind} {edit.path}",
        revision=made.sha,
        requested_by=reader.caller.name,
    )
    if edit.kind == "created":
        response.status_code = 201
    response.headers.update(etag(edit.sha))
    return EditResponse(
        status=edit.kind,
        reason=rebuild.reason if rebuild else "",
        path=edit.path,
        collection=edit.collection,
        commit=made.sha if made else "",
        sha=edit.sha,
        url=made.url if made else "",
        job_id=rebuild.job_id if rebuild else "",
        status_url=rebuild.status_url if rebuild else "",
        warnings=list(edit.warnings),
    )
