"""Streamable HTTP without sessions and without streams: one POST, one JSON answer."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request, Response

from functions.mcp.methods import dispatch
from functions.mcp.protocol import answer
from functions.router import Asking, tool_router
from functions.security import key_of

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}

router = tool_router("mcp")


async def body_of(request: Request) -> bytes:
    """The body as it came: what it is called does not matter. A FastAPI dependency."""
    return await request.body()


def require_known_origin(request: Request) -> None:
    """Raise 403 where anyone may ask and a foreign web page does. A FastAPI dependency.

    A page whose name was made to lead to this address could else read a wiki that only this
    machine serves. A page that has a key is none of those.
    """
    settings = request.app.state.settings
    origin = request.headers.get("origin", "")
    if key_of(request) or not origin or origin in settings.origins:
        return
    if _host(origin) not in _LOOPBACK:
        raise HTTPException(403, "this origin may not ask; name it in EDGEWIKI_CORS_ORIGINS")


@router.post("/mcp", include_in_schema=False, dependencies=[Depends(require_known_origin)])
def answer_message(
    request: Request, body: Annotated[bytes, Depends(body_of)], asker: Asking
) -> Response:
    """Answer one JSON-RPC message, or a batch of them. GET and DELETE get 405: no sessions."""
    reply = answer(body, request.headers, lambda asked: dispatch(asked, asker))
    if reply.body is None:
        return Response(status_code=reply.status)
    # An id or an argument is quoted as it came, and may be no text at all.
    text = json.dumps(reply.body, ensure_ascii=False, separators=(",", ":"))
    content = text.encode("utf-8", "replace")
    return Response(content, reply.status, media_type="application/json")


def _host(origin: str) -> str | None:
    try:
        return urlsplit(origin).hostname
    except ValueError:
        return None
