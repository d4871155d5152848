"""Routers of tools: protected by a key, with their errors in the schema."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Security

from functions.asker import Asker, asker_of
from functions.models import ErrorResponse
from functions.security import api_key_header, bearer_header, require_caller

Asking = Annotated[Asker, Depends(asker_of)]
"""The parameter of a route that says who asks."""

NOT_FOUND: dict[int | str, dict[str, Any]] = {
    404: {"model": ErrorResponse, "description": "There is nothing of that name"}
}
"""The ``responses`` of a route that looks one thing up."""


def tool_router(tag: str) -> APIRouter:
    """A router whose every route asks for a key; ``tag`` groups its operations."""
    return APIRouter(
        dependencies=[Depends(require_caller), Security(api_key_header), Security(bearer_header)],
        responses={
            401: {"model": ErrorResponse, "description": "No valid key or token was sent"},
            413: {"model": ErrorResponse, "description": "The body is too large"},
            422: {"model": ErrorResponse, "description": "The request is not valid"},
            429: {"model": ErrorResponse, "description": "The caller has had its share for now"},
            503: {"model": ErrorResponse, "description": "There is no version to answer from"},
        },
        tags=[tag],
    )
