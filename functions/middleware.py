"""What every request passes through: headers, a last answer to a bug, and a size limit."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("edgewiki")

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"strict-transport-security", b"max-age=31536000"),
]


class BodyLimit:
    """Answers 413 to a request whose body is larger than ``max_bytes``, whatever it declares."""

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        at_paths: Mapping[str, int] = {},
    ) -> None:
        """``at_paths`` have a limit of their own; after a slash, so has all that is below."""
        self._app, self._max_bytes, self._at_paths = app, max_bytes, at_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body up to the limit, then hand the request on."""
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        limit = self._limit(path)
        body = await _read(receive, limit)
        if body is None:
            await _answer(send, 413, "too_large", f"the body is larger than {limit} bytes")
            return
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        await self._app(scope, replay, send)

    def _limit(self, path: str) -> int:
        for known, limit in self._at_paths.items():
            if path == known or (known.endswith("/") and path.startswith(known)):
                return limit
        return self._max_bytes


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


class UnexpectedErrors:
    """Answers 500 to what nobody foresaw, and logs it.

    Starlette's own last resort stands outside of every middleware: its answer would lack the
    headers, and it raises once more, which Mangum answers in its own way.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on; an error after the response began goes its way."""
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception as error:
            if started or scope["type"] != "http":
                raise
            # The route and not the path, which may hold a name that was asked for.
            place = getattr(scope.get("route"), "path", "an unknown address")
            logger.error("unexpected error at %s", place, exc_info=error)
            await _answer(send, 500, "error", "internal error; see the log")


async def _answer(send: Send, status_code: int, status: str, reason: str) -> None:
    body = json.dumps({"status": status, "reason": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status_code, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _read(receive: Receive, limit: int) -> bytes | None:
    """The body, or None where it is longer than ``limit`` bytes."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return bytes(body)
