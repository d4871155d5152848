"""The search page: ``GET /`` with or without a question, and its style; it needs no scripts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from functions.asker import Asker
from functions.errors import described
from functions.health import get_health
from functions.models import MAX_QUERY
from functions.tools.search import SearchBody, SearchResponse, run
from functions.ui.page import page
from functions.ui.wording import language_of, words
from index_artifacts.errors import EdgewikiError

if TYPE_CHECKING:
    from functions.security import Doorkeeper

LIMIT = 20
_POLICY = (
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

router = APIRouter(tags=["ui"])


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
def show_page(request: Request, q: str = "") -> HTMLResponse:
    """Search for ``q``, and show what was found; without it, the form alone."""
    language = language_of(request.headers.get("accept-language", ""))
    base = request.app.state.settings.base_path
    question = q.strip()
    status, message, found = 200, "", None
    if question:
        status, message, found = _searched(request, question, language)
    health = get_health(request, Response()) if found is not None else None
    html = page(
        language, base, question=question[:MAX_QUERY], message=message, found=found, health=health
    )
    headers = {"Content-Security-Policy": _POLICY, "Vary": "Accept-Language"}
    return HTMLResponse(html.encode("utf-8", "replace"), status, headers)


@router.get("/style.css", include_in_schema=False)
def show_style() -> Response:
    """How the page looks."""
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(_style(), media_type="text/css", headers=headers)


def _searched(
    request: Request, question: str, language: str
) -> tuple[int, str, SearchResponse | None]:
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    caller = doorkeeper.caller(request)
    if caller is None:
        return 401, words(language)["needs_key"], None
    if len(question) > MAX_QUERY:
        return 422, words(language)["too_long"], None
    request.state.caller = caller
    asker = Asker(request.app.state.version_state, caller)
    try:
        return 200, "", run(SearchBody(query=question, limit=LIMIT), asker)
    except EdgewikiError as error:
        status, _, reason = described(error)
        return status, reason, None


@cache
def _style() -> bytes:
    return Path(__file__).with_name("style.css").read_bytes()
