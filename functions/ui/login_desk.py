"""Where a login begins and ends in a session.

Nothing is kept here between the two: they may be two processes. What the end needs to know of the
beginning lies in a signed cookie of the browser that began, and so does the session.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

from fastapi.responses import RedirectResponse

from functions.access import LOGIN, Caller
from functions.claims import EVERYTHING, ClaimRules
from functions.sessions import Seal, Session, Sessions, cookie_name, forget, keep
from functions.ui.provider import Attempt, Provider
from index_artifacts.errors import (
    LoginDeniedError,
    LoginError,
    LoginOverError,
    ProviderDownError,
    ProviderError,
)

if TYPE_CHECKING:
    from fastapi import Request, Response

    from functions.address import Address
    from functions.settings import Settings

ATTEMPT_SECONDS = 600
"""Somebody has so long to log in at the provider."""
MOST_NAME = 80
MOST_SUBJECT = 255  # OpenID Connect Core 1.0, section 2
# RFC 6749, section 4.1.2.1; what is not here is a fault of this installation or of the provider.
_ERRORS: dict[str, type[LoginError]] = {
    "access_denied": LoginDeniedError,
    "server_error": ProviderDownError,
    "temporarily_unavailable": ProviderDownError,
}


class LoginDesk:
    """Begins and ends logins at the provider of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._provider = Provider(settings)
        self._attempts = Seal(settings, "login")
        self._sessions = Sessions(settings)

    def begin(self, address: Address, wanted: str) -> Response:
        """Lead the browser to the provider. Raises `ProviderError`."""
        attempt = Attempt.new()
        response = RedirectResponse(self._provider.login_url(attempt, _callback(address)), 303)
        kept = self._attempts.closed({**attempt.facts(), "wanted": wanted}, ATTEMPT_SECONDS)
        keep(response, cookie_name("login", address), kept, address, ATTEMPT_SECONDS)
        return response

    def begun(self, request: Request, address: Address, state: str) -> tuple[Attempt, str]:
        """The attempt that this browser began, and the path it wants. Raises `LoginOverError`."""
        facts = self._attempts.opened(request.cookies.get(cookie_name("login", address), ""))
        if facts is None:
            raise LoginOverError("the cookie of its beginning is missing, too old or not ours")
        attempt = Attempt(facts["state"], facts["nonce"], facts["verifier"])
        if not hmac.compare_digest(attempt.state.encode(), state.encode("utf-8", "replace")):
            raise LoginOverError("its state is that of another login")
        return attempt, facts["wanted"]

    def finish(
        self, attempt: Attempt, code: str, error: str, address: Address, wanted: str
    ) -> Response:
        """Begin a session for whoever the code is about. Raises `LoginError`."""
        if error or not code:
            failure = _ERRORS.get(error, ProviderError)
            raise failure(f"the provider sent no code, but the error {error[:64]!r}")
        claims = self._provider.claims(attempt, code, _callback(address))
        session = session_of(claims, self._settings)
        response = RedirectResponse(f"{address.base}{wanted}", 303)
        try:
            self._sessions.begin(response, address, session)
        except ValueError as reason:
            count = len(session.caller.collections or ())
            raise LoginError(
                f"a session of {count} collections cannot be kept: {reason}; give such people `*` "
                "in EDGEWIKI_JWT_WORKSPACES"
            ) from None
        return response

    def leave(self, address: Address) -> Response:
        """Let the browser forget its session."""
        response = RedirectResponse(f"{address.base}/", 303)
        self._sessions.end(response, address)
        return response

    def forget_attempt(self, response: Response, address: Address) -> None:
        """Let the browser forget how its login began."""
        forget(response, cookie_name("login", address), address)


def session_of(claims: dict[str, Any], settings: Settings) -> Session:
    """The session of whom verified ``claims`` are about. Raises `ProviderError`."""
    subject = claims["sub"]
    if not 0 < len(subject) <= MOST_SUBJECT:
        raise ProviderError(f"the provider's `sub` has not 1 to {MOST_SUBJECT} characters")
    rules = ClaimRules.from_settings(settings)
    allowed = rules.collections(claims)
    granted = {name.strip() for name in settings.oidc_collections.split(",") if name.strip()}
    if allowed is not None:
        allowed = None if EVERYTHING in granted else allowed | granted
    # No key can be called so, and no token's bearer is.
    return Session(Caller(f"{LOGIN}{subject}", rules.role(claims), allowed), _name(claims))


def _name(claims: dict[str, Any]) -> str:
    """What to call somebody: their name, else what they log in with, else their subject."""
    said = (claims.get(claim) for claim in ("name", "preferred_username", "email", "sub"))
    texts = ("".join(filter(str.isprintable, text)) for text in said if isinstance(text, str))
    return next((text.strip()[:MOST_NAME] for text in texts if text.strip()), "?")


def _callback(address: Address) -> str:
    return f"{address.origin}{address.base}/login/callback"
