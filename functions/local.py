"""Every function in one ASGI app, for a laptop, a test or a plain server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functions.app import create_app
from functions.search.routes import router as search_router

if TYPE_CHECKING:
    from fastapi import FastAPI

    from functions.settings import Settings


def create_local_app(settings: Settings | None = None) -> FastAPI:
    """Return an app that answers what all functions answer, from one opened version."""
    return create_app(search_router, settings=settings)
