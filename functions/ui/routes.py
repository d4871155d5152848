"""The search page: ``GET /`` with or without a question, and what it is made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from functions.asker import Asker
from functions.errors import described
from functions.health import get_health
from functions.models import MAX_QUERY
from functions.security import key_of
from functions.tools.search import run
from functions.ui.assets import assets, revision
from functions.ui.entities import entities_in, entity_of
from functions.ui.form import Form, choices
from functions.ui.login import router as login_router
from functions.ui.page import Page, render
from functions.ui.session import signed_in
from functions.ui.wording import language_of, words
from index_artifacts.errors import EdgewikiError

if TYPE_CHECKING:
    from functions.access import Caller
    from functions.security import Doorkeeper

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_FOR_A_YEAR, _UNTIL_ASKED = "public, max-age=31536000, immutable", "no-cache"

router = APIRouter(tags=["ui"])
router.include_router(login_router)


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
def show_page(request: Request) -> HTMLResponse:
    """Search for ``q``, or tell of ``entity``; without either, the form alone."""
    language = language_of(request.headers.get("accept-language", ""))
    settings = request.app.state.settings
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    caller = doorkeeper.caller(request)
    form = Form.read(request.query_params)
    page = Page(
        language,
        settings.base_path,
        replace(form, question=form.question[:MAX_QUERY]),
        visitor=signed_in(request),
        asks_for_key=not settings.allow_anonymous,
    )
    if caller is None:
        # A form needs no key, what it finds does; and a key that was sent has to be right.
        asks_nothing = not (form.asks or key_of(request))
        page.status = 200 if asks_nothing else 401
        needed = "login_needed" if page.visitor.can_log_in else "needs_key"
        page.message = "" if asks_nothing else words(language)[needed]
    else:
        request.state.caller = caller
        _fill(page, form, request, caller)
        page.health = get_health(request, Response())
    headers = {
        "Content-Security-Policy": _POLICY,
        "Vary": "Accept-Language, Cookie",
        # Without an origin, older browsers could not prove that logging out was asked for here.
        "Referrer-Policy": "same-origin",
    }
    # What was typed may hold halves of characters.
    return HTMLResponse(render(page).encode("utf-8", "replace"), page.status, headers)


def _fill(page: Page, form: Form, request: Request, caller: Caller) -> None:
    """What the form asks for, or why there is none."""
    asker = Asker(request.app.state.version_state, caller)
    if len(form.question) > MAX_QUERY:
        page.status, page.message = 422, words(page.language)["too_long"]
        return
    try:
        served = asker.version()
        page.title = str(served.artifact.manifest.config.get("title", ""))
        page.choices = choices(form, served.searcher.index)
        if form.entity:
            page.entity = entity_of(form, asker, page.language)
        elif form.question:
            page.found = run(form.body(), asker)
            page.entities = entities_in(form, asker, page.language)
    except EdgewikiError as error:
        page.status, _, page.message = described(error)


@router.get("/assets/{of}/{name}", include_in_schema=False)
def show_asset(of: str, name: str) -> Response:
    """A style, script or picture of the page; ``of`` is the `revision` that wants it."""
    if name not in assets():
        raise HTTPException(404, f"the page has no {name}")
    content, media_type = assets()[name]
    kept = _FOR_A_YEAR if of == revision() else _UNTIL_ASKED
    return Response(content, media_type=media_type, headers={"Cache-Control": kept})
