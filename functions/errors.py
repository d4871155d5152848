"""From an exception to an HTTP answer, by one table; nothing internal gets out.

What the tree does not foresee is answered by `functions.middleware.UnexpectedErrors`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from index_artifacts.errors import (
    ArtifactError,
    BudgetError,
    ConfigError,
    DocumentNotFoundError,
    EdgewikiError,
    EntityNotFoundError,
    ForbiddenError,
    ForgeConflictError,
    ForgeError,
    IntegrityError,
    JobConflictError,
    JobNotFoundError,
    ModelError,
    NotFoundError,
    QueryError,
    StoreError,
)

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

logger = logging.getLogger("edgewiki")

# The first class that fits decides. A reason of None is the exception's own words: those are
# about what the caller sent; every other error is about this installation and stays in the log.
STATUS: tuple[tuple[type[Exception], int, str, str | None], ...] = (
    (DocumentNotFoundError, 404, "not_found", None),
    (EntityNotFoundError, 404, "not_found", None),
    (QueryError, 422, "invalid_request", None),
    (ForbiddenError, 403, "forbidden", None),
    (BudgetError, 429, "too_many_requests", None),
    (JobNotFoundError, 404, "not_found", None),
    (JobConflictError, 409, "conflict", None),
    (ForgeConflictError, 409, "conflict", None),
    (ForgeError, 502, "forge_failed", "the forge that keeps the wiki failed; see the log"),
    (NotFoundError, 503, "unavailable", "no version is published yet"),
    (IntegrityError, 503, "unavailable", "the published version failed its verification"),
    (StoreError, 503, "unavailable", "the store of the index does not answer"),
    (ModelError, 503, "unavailable", "the encoder is not available; try mode=lexical"),
    (ArtifactError, 503, "unavailable", "the published version cannot be opened"),
    (ConfigError, 500, "misconfigured", "this installation is misconfigured; see its log"),
    (EdgewikiError, 500, "error", "internal error; see the log"),
)


def install_error_handlers(app: FastAPI) -> None:
    """Make every error an `ErrorResponse`."""
    app.add_exception_handler(EdgewikiError, _on_edgewiki_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_error)


def answer(status_code: int, status: str, reason: str, **headers: str) -> JSONResponse:
    """An error response. A reason may quote the request, lone surrogates and all."""
    sayable = reason.encode("utf-8", "replace").decode()
    return JSONResponse({"status": status, "reason": sayable}, status_code, headers)


def described(error: EdgewikiError) -> tuple[int, str, str]:
    """HTTP status, status and reason of an error. What the reason keeps back is logged."""
    found = next(row for row in STATUS if isinstance(error, row[0]))
    _, status_code, status, reason = found
    if reason is None:
        return status_code, status, str(error)
    logger.error("%s: %s", type(error).__name__, error)
    return status_code, status, reason


async def _on_edgewiki_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, EdgewikiError)
    wait = {"Retry-After": str(error.seconds)} if isinstance(error, BudgetError) else {}
    status_code, status, reason = described(error)
    return answer(status_code, status, reason, **wait)


async def _on_invalid_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return answer(422, "invalid_request", "; ".join(_describe(item) for item in error.errors()[:5]))


def _describe(item: dict[str, object]) -> str:
    place = item["loc"]
    assert isinstance(place, tuple)
    if item["type"] == "json_invalid":
        return "the body is not valid JSON"
    if item["type"] == "model_attributes_type":
        return "body: send a JSON object, with the header Content-Type: application/json"
    name = ".".join(str(part) for part in place[1:]) or str(place[0])
    return f"{name}: {item['msg']}"


async def _on_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        # FastAPI's word for a body that is not even text; what a form lacks, it says.
        plain = error.detail == "There was an error parsing the body"
        reason = "the body is not valid JSON" if plain else f"the body is no form: {error.detail}"
        return answer(422, "invalid_request", reason)
    names = {
        401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
        409: "conflict", 413: "too_large", 429: "too_many_requests",
    }  # fmt: skip
    status, headers = names.get(error.status_code, "error"), {**(error.headers or {})}
    if error.status_code == 405 and (methods := _methods(request)):
        headers["Allow"] = ", ".join(methods)
    return answer(error.status_code, status, str(error.detail), **headers)


def _methods(request: Request) -> list[str]:
    """Every method of the path, by the schema: a route itself knows of no other one."""
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    paths = request.app.openapi()["paths"].items()
    return sorted(
        {
            method.upper()
            for template, operations in paths
            if compile_path(template)[0].fullmatch(path)
            for method in operations
        }
    )
