"""Every function in one ASGI app, for a laptop, a test or a plain server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functions.answer.routes import router as answer_router
from functions.app import create_app
from functions.documents.routes import body_limits
from functions.documents.routes import routers as documents_routers
from functions.graph.routes import router as graph_router
from functions.mcp.routes import router as mcp_router
from functions.rag.routes import router as rag_router
from functions.search.routes import router as search_router
from functions.settings import load_settings
from functions.sync.requests import request_sync
from functions.sync.routes import BODY_LIMITS
from functions.sync.routes import router as sync_router
from functions.ui.routes import router as ui_router

if TYPE_CHECKING:
    from fastapi import FastAPI

    from functions.settings import Settings


def create_local_app(settings: Settings | None = None) -> FastAPI:
    """Return an app that answers what all functions answer, from one opened version."""
    settings = settings or load_settings()
    routers = (
        search_router, rag_router, graph_router, answer_router, mcp_router, sync_router, ui_router
    )  # fmt: skip
    limits = {**BODY_LIMITS, **body_limits(settings)}
    app = create_app(*routers, *documents_routers, settings=settings, body_limits=limits)
    if settings.sync_key.get_secret_value():  # else the forge's own workflow rebuilds
        app.state.request_sync = request_sync
    return app
