"""Who may ask: API keys, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from fastapi import HTTPException, Request
from fastapi.security import APIKeyHeader, HTTPBearer

if TYPE_CHECKING:
    from collections.abc import Iterable

# Declared so that the OpenAPI schema names both ways; the check itself reads the headers.
api_key_header = APIKeyHeader(name="X-API-Key", auto_error=False, scheme_name="api_key")
bearer_header = HTTPBearer(auto_error=False, scheme_name="bearer")


class KeyRing:
    """The keys of an installation and their profiles; none at all means that anyone may ask."""

    def __init__(self, keys: Iterable[tuple[str, str]]) -> None:
        self._profiles = {hashlib.sha256(key.encode()).digest(): profile for key, profile in keys}

    def profile_of(self, key: str) -> str | None:
        """The RAG profile of ``key``, empty where it has none; None where it is no key here.

        Every key is compared, equal or not.
        """
        given = hashlib.sha256(key.encode(errors="surrogateescape")).digest()
        found = None if self._profiles else ""
        for digest, profile in self._profiles.items():
            if hmac.compare_digest(given, digest):
                found = profile
        return found


def require_key(request: Request) -> None:
    """Raise 401 where the request carries no valid key. A FastAPI dependency.

    The key's RAG profile is left in ``request.state.profile``.
    """
    ring: KeyRing = request.app.state.keys
    profile = ring.profile_of(key_of(request))
    request.state.profile = profile
    if profile is None:
        raise HTTPException(
            401,
            "send a valid key as X-API-Key, or as Authorization: Bearer",
            {"WWW-Authenticate": "Bearer"},
        )


def key_of(request: Request) -> str:
    """The key that a request carries, or an empty string."""
    if key := request.headers.get("x-api-key"):
        return key
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
