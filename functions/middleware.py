"""What every request passes through: a size limit, and headers that browsers heed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"strict-transport-security", b"max-age=31536000"),
]


class BodyLimit:
    """Answers 413 to a request whose body is larger than ``max_bytes``, whatever it declares."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app, self._max_bytes = app, max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body up to the limit, then hand the request on."""
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        body = await self._read(receive)
        if body is None:
            await _too_large(send, self._max_bytes)
            return
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        await self._app(scope, replay, send)

    async def _read(self, receive: Receive) -> bytes | None:
        body = bytearray()
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self._max_bytes:
                return None
            if not message.get("more_body", False):
                return bytes(body)


class SecurityHeaders:
    """Adds headers to every response, errors included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wrap ``send``; a header that the response has already is left alone."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((name, value) for name, value in _HEADERS if name not in present),
                ]
            await send(message)

        await self._app(scope, receive, with_headers)


async def _too_large(send: Send, max_bytes: int) -> None:
    reason = f"the body is larger than {max_bytes} bytes"
    body = json.dumps({"status": "too_large", "reason": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
