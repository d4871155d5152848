"""What is shown where logging in or out does not lead back to the search page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi.responses import HTMLResponse

from functions.address import address_of
from functions.ui.assets import assets_below
from functions.ui.template import template
from functions.ui.wording import language_of, words
from index_artifacts.errors import (
    ForbiddenError,
    LoginDeniedError,
    LoginError,
    LoginOffError,
    LoginOverError,
    ProviderDownError,
)

if TYPE_CHECKING:
    from fastapi import Request

    from index_artifacts.errors import EdgewikiError

logger = logging.getLogger("edgewiki")

# The first class that fits decides; the words are in words.toml.
STATUS: tuple[tuple[type[EdgewikiError], int, str], ...] = (
    (LoginOffError, 404, "login_off"),
    (ForbiddenError, 403, "login_foreign"),
    (LoginOverError, 400, "login_over"),
    (LoginDeniedError, 403, "login_denied"),
    (ProviderDownError, 503, "login_down"),
    (LoginError, 502, "login_failed"),
)
_NOT_AGAIN = {"login_off", "login_foreign"}
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def login_page(request: Request, error: EdgewikiError, wanted: str = "/") -> HTMLResponse:
    """The page about ``error``, with a way to log in again and be led to ``wanted``."""
    _, status, word = next(row for row in STATUS if isinstance(error, row[0]))
    logger.log(logging.ERROR if status >= 500 else logging.INFO, "no login: %s", error)
    language = language_of(request.headers.get("accept-language", ""))
    base = address_of(request).base
    html = template("login.html").render(
        words=words(language),
        language=language,
        base=base,
        assets=assets_below(base),
        message=words(language)[word],
        again="" if word in _NOT_AGAIN else f"/login?next={quote(wanted, safe='')}",
    )
    headers = {"Content-Security-Policy": _POLICY, "Vary": "Accept-Language"}
    return HTMLResponse(html.encode("utf-8", "replace"), status, headers)
