"""The app factory: one app for each function, or all of them in one process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from functions.errors import install_error_handlers
from functions.health import router as health_router
from functions.logs import set_up_logging
from functions.middleware import BodyLimit, SecurityHeaders, UnexpectedErrors
from functions.openapi import install_schema
from functions.request_log import RequestLog
from functions.security import Doorkeeper
from functions.settings import load_settings
from functions.state import SEARCHED, State

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from fastapi import APIRouter

    from functions.settings import Settings

VERSION = "0.1.0"

CORS_METHODS = ["GET", "POST", "PUT", "DELETE"]
CORS_HEADERS = [
    "Authorization", "Content-Type", "X-API-Key", "If-Match", "If-None-Match",
    "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id",
]  # fmt: skip


def create_app(
    *routers: APIRouter,
    settings: Settings | None = None,
    files: Collection[str] = SEARCHED,
    body_limits: Mapping[str, int] = {},
) -> FastAPI:
    """Return an app that answers ``routers`` and ``/health``.

    ``files`` are those of a version that the routers need for their first answer,
    ``body_limits`` paths whose bodies have another limit in bytes than the settings'.
    The version is opened by the first request and held by the process, outside of any ASGI
    lifespan: on Lambda that may run for every invocation. Raises `ConfigError` where the
    settings are not safe to start with.
    """
    settings = settings or load_settings()
    set_up_logging(settings)
    app = FastAPI(
        title="edgewiki",
        version=VERSION,
        description="Search a wiki, and gather evidence from it to answer with.",
        openapi_url=None,  # functions.openapi answers it
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    # FastAPI would rather have this from the server's command line; on Lambda there is none.
    app.root_path = settings.base_path
    app.state.settings = settings
    app.state.version_state = State(settings, files=files)
    app.state.doorkeeper = Doorkeeper(settings)
    install_error_handlers(app)
    for router in (*routers, health_router):
        app.include_router(router)
    install_schema(app, settings)
    # The last one added is the first that a request passes.
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes, at_paths=body_limits)
    app.add_middleware(UnexpectedErrors)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=CORS_METHODS,
            allow_headers=CORS_HEADERS,
            expose_headers=["ETag", "X-Request-Id"],
            max_age=3600,
        )
    app.add_middleware(SecurityHeaders)
    app.add_middleware(
        RequestLog,
        function=_function(routers),
        state=app.state.version_state,
        metrics=settings.embeds_metrics,
    )
    return app


def _function(routers: Sequence[APIRouter]) -> str:
    """What logs and metrics call this function: on Lambda its name, by which alarms know it.

    Elsewhere the tag of its router; empty where a process has several.
    """
    tags = {str(tag) for router in routers for tag in router.tags}
    name = tags.pop() if len(tags) == 1 else ""
    return os.environ.get("AWS_LAMBDA_FUNCTION_NAME") or name
