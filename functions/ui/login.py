"""Logging in at the identity provider, and out: ``/login``, ``/login/callback``, ``/logout``.

What logging in takes is imported by those who do it: Authlib is as heavy as everything else here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response

from functions.address import address_of, asked_from_here
from functions.ui.login_page import login_page
from index_artifacts.errors import EdgewikiError, ForbiddenError, LoginError, LoginOffError

if TYPE_CHECKING:
    from functions.ui.login_desk import LoginDesk

HOME = "/"
MOST_WANTED = 1_500
"""Characters of a path to go on to: it lies in a cookie meanwhile."""
_LOCAL = re.compile(r"/(?!/)[^\\\s\x00-\x1f\x7f]*")
_SAFE = "/?&=%:@!$'()*+,;~-._"

router = APIRouter(tags=["ui"], include_in_schema=False)


@router.get("/login")
def log_in(request: Request, wanted: Annotated[str, Query(alias="next")] = HOME) -> Response:
    """Send the browser to the provider; once logged in, it goes on to the path ``next``."""
    place = local_path(wanted)
    try:
        return _desk(request).begin(address_of(request), place)
    except EdgewikiError as error:
        return login_page(request, error, place)


@router.get("/login/callback")
def end_login(request: Request, state: str = "", code: str = "", error: str = "") -> Response:
    """Where the provider sends the browser back to: begin a session, and go on."""
    address = address_of(request)
    try:
        desk = _desk(request)
        attempt, place = desk.begun(request, address, state)
    except LoginError as failure:
        return login_page(request, failure)  # another tab's login may still go on
    try:
        response = desk.finish(attempt, code, error, address, place)
    except EdgewikiError as failure:
        response = login_page(request, failure, place)
    desk.forget_attempt(response, address)  # one answer is enough, whatever it was
    return response


@router.post("/logout")
def log_out(request: Request) -> Response:
    """End the session here, not the provider's own. Only a page of this wiki may ask."""
    address = address_of(request)
    try:
        desk = _desk(request)
        if not asked_from_here(request, address):
            raise ForbiddenError("a foreign page asked to log somebody out")
    except EdgewikiError as error:
        return login_page(request, error)
    return desk.leave(address)


def local_path(wanted: str) -> str:
    """``wanted`` where it is a path of this installation, below its base path; else its top.

    ``//host``, ``/\\host``, and what a line break hides of either, are another server to browsers.
    """
    path = wanted.partition("?")[0].partition("#")[0]
    is_local = _LOCAL.fullmatch(wanted) and len(wanted) <= MOST_WANTED
    if not is_local or path.strip("/").partition("/")[0] in {"login", "logout"}:
        return HOME
    return quote(wanted, safe=_SAFE)


def _desk(request: Request) -> LoginDesk:
    """This process's one, made by whoever logs in first. Raises `LoginOffError`."""
    state = request.app.state
    if not state.settings.oidc_issuer:
        raise LoginOffError("EDGEWIKI_OIDC_ISSUER is empty: nobody can log in")
    if not hasattr(state, "login_desk"):
        from functions.ui.login_desk import LoginDesk

        state.login_desk = LoginDesk(state.settings)
    desk: LoginDesk = state.login_desk
    return desk
