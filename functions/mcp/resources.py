"""The pages as resources: ``wiki:///`` and the page's path, percent-encoded."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from functions.mcp.protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError
from index_artifacts.documents import ListRequest, list_documents, read_document
from index_artifacts.errors import DocumentNotFoundError

if TYPE_CHECKING:
    from functions.mcp.protocol import Request
    from index_artifacts.index import Index

SCHEME = "wiki:///"
PAGE_SIZE = 100
_MIME_TYPE = "text/markdown"

TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": SCHEME + "{+path}",
        "name": "page",
        "title": "A page of the wiki",
        "description": "A page's Markdown by its path, such as wiki:///guides/servers.md",
        "mimeType": _MIME_TYPE,
    }
]


def list_resources(request: Request, index: Index) -> dict[str, Any]:
    """The published pages by path, `PAGE_SIZE` at a time."""
    offset = _offset(request.params.get("cursor"))
    listing = list_documents(index, ListRequest(limit=PAGE_SIZE, offset=offset))
    result: dict[str, Any] = {
        "resources": [
            {
                "uri": uri_of(page.id),
                "name": page.id,
                "title": page.title,
                "description": page.summary,
                "mimeType": _MIME_TYPE,
            }
            for page in listing.documents
        ]
    }
    if offset + len(listing.documents) < listing.total:
        result["nextCursor"] = _cursor(offset + PAGE_SIZE)
    return result


def read_resource(request: Request, index: Index) -> dict[str, Any]:
    """A page's whole text. Raises `ProtocolError` where there is no such page."""
    uri = request.params.get("uri")
    if not isinstance(uri, str):
        raise ProtocolError(INVALID_PARAMS, "uri: send a text, such as wiki:///guides/servers.md")
    # The newest revision gave up the code of its own for this.
    code = INVALID_PARAMS if request.modern else RESOURCE_NOT_FOUND
    if not uri.startswith(SCHEME):
        raise ProtocolError(code, f"a page's URI begins with {SCHEME}", {"uri": uri})
    try:
        reading = read_document(index, unquote(uri.removeprefix(SCHEME)))
    except DocumentNotFoundError as error:
        raise ProtocolError(code, str(error), {"uri": uri}) from None
    return {
        "contents": [
            {"uri": uri_of(reading.document.id), "mimeType": _MIME_TYPE, "text": reading.text}
        ]
    }


def uri_of(path: str) -> str:
    """The URI of the page at ``path``."""
    return SCHEME + quote(path)


def _cursor(offset: int) -> str:
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


def _offset(cursor: object) -> int:
    if cursor is None:
        return 0
    try:
        offset = int(base64.b64decode(str(cursor), b"-_", validate=True))
    except (binascii.Error, ValueError):
        offset = -1
    if offset < 0:
        raise ProtocolError(INVALID_PARAMS, "cursor: send the one that the last answer gave")
    return offset
