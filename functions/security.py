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
    """The keys of an installation; none at all means that anyone may ask."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._digests = [hashlib.sha256(key.encode()).digest() for key in keys]

    def admits(self, key: str) -> bool:
        """True where ``key`` is one of the keys. Every key is compared, equal or not."""
        given = hashlib.sha256(key.encode(errors="surrogateescape")).digest()
        matches = [hmac.compare_digest(given, digest) for digest in self._digests]
        return any(matches) or not self._digests


def require_key(request: Request) -> None:
    """Raise 401 where the request carries no valid key. A FastAPI dependency."""
    ring: KeyRing = request.app.state.keys
    if not ring.admits(key_of(request)):
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
