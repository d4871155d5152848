"""Who asks: authentication of every request, as FastAPI dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import HTTPException, Request
from fastapi.security import APIKeyHeader, HTTPBearer

from functions.access import ANYBODY, Caller, KeyRing, Role
from functions.claims import ClaimRules, accepted_algorithms
from index_artifacts.errors import ForbiddenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.sessions import Session, Sessions
    from functions.settings import Settings
    from functions.tokens import TokenVerifier

# Declared so that the OpenAPI schema names both ways; the check itself reads the headers.
api_key_header = APIKeyHeader(name="X-API-Key", auto_error=False, scheme_name="api_key")
bearer_header = HTTPBearer(auto_error=False, scheme_name="bearer")


class Doorkeeper:
    """Tells who a request is from: by an API key, a token, a session, or by nothing at all."""

    def __init__(self, settings: Settings) -> None:
        self._ring = KeyRing(settings.keys)
        self._tokens = _token_verifier(settings)
        self._sessions = _sessions(settings)
        self._anybody = _anybody(settings) if settings.allow_anonymous else None

    def caller(self, request: Request) -> Caller | None:
        """Who asks, None for nobody known. What is shown has to be right, needed or not.

        Not so a session: browsers send it unasked, long after it is over.
        """
        shown = key_of(request)
        if not shown:
            session = self.session(request)
            return session.caller if session else self._anybody
        caller = self._ring.caller(shown)
        if caller is None and self._tokens is not None:
            caller = self._tokens.caller(shown)
        return caller

    def session(self, request: Request) -> Session | None:
        """Who logged in, where anybody can and did."""
        return self._sessions.of(request) if self._sessions else None


def require_caller(request: Request) -> None:
    """Raise 401 where nobody known asks; else leave who it is in ``request.state.caller``."""
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    caller = doorkeeper.caller(request)
    if caller is None:
        raise HTTPException(
            401,
            "send a valid key as X-API-Key, or a key or token as Authorization: Bearer",
            {"WWW-Authenticate": "Bearer"},
        )
    request.state.caller = caller


def require_role(role: Role) -> Callable[[Request], None]:
    """A dependency, after `require_caller`, that raises `ForbiddenError` below ``role``."""

    def check(request: Request) -> None:
        caller: Caller = request.state.caller
        if caller.role < role:
            raise ForbiddenError(f"this needs the role {role.name.lower()} or a higher one")

    return check


def key_of(request: Request) -> str:
    """The key or token that a request carries, or an empty string."""
    if key := request.headers.get("x-api-key"):
        return key
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _anybody(settings: Settings) -> Caller:
    names = [name.strip() for name in settings.anonymous_collections.split(",")]
    chosen = frozenset(name for name in names if name)
    return Caller(ANYBODY.name, ANYBODY.role, chosen or None)


def _token_verifier(settings: Settings) -> TokenVerifier | None:
    if not settings.jwt_issuer:
        return None
    from functions.tokens import TokenVerifier  # cryptography takes long to import

    return TokenVerifier.from_settings(settings)


def _sessions(settings: Settings) -> Sessions | None:
    if not settings.oidc_issuer:
        return None
    # What only a login reads is checked here, where every function starts.
    ClaimRules.from_settings(settings)
    accepted_algorithms(settings)
    from functions.sessions import Sessions  # itsdangerous, where somebody can log in at all

    return Sessions(settings)
