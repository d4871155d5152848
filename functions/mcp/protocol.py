"""JSON-RPC 2.0 as MCP speaks it over HTTP, in all of its revisions; it knows no method.

Up to 2025-11-25 a client introduces itself by ``initialize``; nothing of that is kept here,
since the next message may come to another process. From 2026-07-28 on every request carries
its protocol version in ``params._meta``; those requests are called modern below. A batch is
accepted where its revision has batches, which only 2025-03-26 and older do.
"""

from __future__ import annotations

import base64
import binascii
import json
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

logger = logging.getLogger("edgewiki")

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
RESOURCE_NOT_FOUND, HEADER_MISMATCH, UNSUPPORTED_VERSION = -32002, -32020, -32022

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS = ("2026-07-28",)
_WITH_BATCHES = ("", *HANDSHAKE_VERSIONS[:2])  # they have no version header yet
_MAX_BATCH = 50

# Every other code is an answer like any other in the older revisions.
_STATUS = {PARSE_ERROR: 400, INVALID_REQUEST: 400}
_MODERN_STATUS = {
    **_STATUS,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}

_META = "io.modelcontextprotocol/"
_NAMED_BY = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}


class ProtocolError(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


@dataclass(frozen=True, slots=True)
class Request:
    """A request that awaits an answer."""

    id: str | int
    method: str
    params: dict[str, Any] = field(default_factory=dict)
    modern: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP status and what goes with it; None for no body."""

    status: int
    body: dict[str, Any] | list[dict[str, Any]] | None


def answer(
    body: bytes, headers: Mapping[str, str], call: Callable[[Request], dict[str, Any]]
) -> Reply:
    """Answer what a client posted. ``call`` gives a request's result or raises `ProtocolError`.

    ``headers`` are looked up in lower case. Nothing is raised: what ``call`` does not foresee
    is logged and answered as an internal error.
    """
    try:
        message = _parse(body)
        if isinstance(message, list):
            return _answer_batch(message, headers, call)
    except ProtocolError as error:
        return Reply(_STATUS[error.code], _error(None, error))
    return _answer_one(message, headers, call)


def _answer_batch(
    messages: list[Any], headers: Mapping[str, str], call: Callable[[Request], dict[str, Any]]
) -> Reply:
    if headers.get("mcp-protocol-version", "") not in _WITH_BATCHES:
        raise ProtocolError(INVALID_REQUEST, "send one message: this revision has no batches")
    if not 1 <= len(messages) <= _MAX_BATCH:
        raise ProtocolError(INVALID_REQUEST, f"a batch holds 1 to {_MAX_BATCH} messages")
    replies = [_answer_one(message, headers, call).body for message in messages]
    answers = [body for body in replies if isinstance(body, dict)]
    return Reply(200, answers) if answers else Reply(202, None)


def _answer_one(
    message: Any, headers: Mapping[str, str], call: Callable[[Request], dict[str, Any]]
) -> Reply:
    modern = _version_of(message) is not None
    try:
        request = _read(message, headers)
        if request is None:
            return Reply(202, None)
        return Reply(200, {"jsonrpc": "2.0", "id": request.id, "result": call(request)})
    except ProtocolError as error:
        statuses = _MODERN_STATUS if modern else _STATUS
        return Reply(statuses.get(error.code, 200), _error(_id_of(message), error))
    except Exception as error:
        logger.error("unexpected error in an MCP message", exc_info=error)
        unforeseen = ProtocolError(INTERNAL_ERROR, "internal error; see the log")
        return Reply(200, _error(_id_of(message), unforeseen))


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ProtocolError(PARSE_ERROR, "the body is not valid JSON") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _read(message: Any, headers: Mapping[str, str]) -> Request | None:
    """The request that a message is; None for one that nobody awaits an answer to."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'send a JSON object with "jsonrpc": "2.0"')
    method = message.get("method")
    if method is None and ("result" in message or "error" in message):
        return None  # the answer to a question that was never asked
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "method: a name is missing")
    if "id" not in message:
        return None
    identity = _id_of(message)
    if identity is None:
        raise ProtocolError(INVALID_REQUEST, "id: send a string or a whole number")
    params = message.get("params")
    if not isinstance(params, dict | None):
        raise ProtocolError(INVALID_PARAMS, "params: send an object")
    version = _version_of(message)
    if version is not None:
        _check_envelope(method, params or {}, version, headers)
    return Request(identity, method, params or {}, modern=version is not None)


def _id_of(message: Any) -> str | int | None:
    identity = message.get("id") if isinstance(message, dict) else None
    is_one = isinstance(identity, str | int) and not isinstance(identity, bool)
    return identity if is_one else None


def _version_of(message: Any) -> Any:
    """The protocol version that a modern request carries; None for any other message."""
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None


def _check_envelope(
    method: str, params: dict[str, Any], version: Any, headers: Mapping[str, str]
) -> None:
    """Raise where a modern request's headers say something else, or its version is not known.

    A header that is missing is no harm: nothing here is decided by one.
    """
    name = params.get(_NAMED_BY.get(method, ""))
    for header, said in (
        ("mcp-protocol-version", version), ("mcp-method", method), ("mcp-name", name),
    ):  # fmt: skip
        if said is not None and header in headers and _decoded(headers[header]) != said:
            raise ProtocolError(HEADER_MISMATCH, f"the header {header} does not match the body")
    if version not in MODERN_VERSIONS:
        supported = [*HANDSHAKE_VERSIONS, *MODERN_VERSIONS]
        data = {"supported": supported, "requested": version}
        raise ProtocolError(UNSUPPORTED_VERSION, "unsupported protocol version", data)
    if not isinstance(params["_meta"].get(f"{_META}clientCapabilities"), dict):
        raise ProtocolError(INVALID_PARAMS, f"params._meta: {_META}clientCapabilities is missing")


def _decoded(value: str) -> str:
    """A header's value, which is in Base64 where it is no plain ASCII."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return value


def _error(identity: str | int | None, error: ProtocolError) -> dict[str, Any]:
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": identity, "error": body}
