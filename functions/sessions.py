"""Sessions of those who logged in: in a signed cookie, since functions keep nothing.

A cookie says who somebody is, what they may read, and until when. It is signed, not encrypted:
it holds nothing that its owner may not know, and no token of the identity provider.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from itsdangerous import BadData, URLSafeSerializer

from functions.access import Caller, Role
from functions.address import address_of, asked_from_here

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request, Response

    from functions.address import Address
    from functions.settings import Settings

FORMAT = 1
"""Of what is signed: who writes other facts counts on, so that nobody misreads an older cookie."""
MOST_COOKIE = 3_800
"""Characters of a value: browsers drop a cookie of more than 4,096 with its name and attributes."""


class Seal:
    """Signs what a browser keeps for us. What one purpose signed is worth nothing for another."""

    def __init__(
        self, settings: Settings, purpose: str, clock: Callable[[], float] = time.time
    ) -> None:
        # Sessions of another provider, or of another client there, are not believed either.
        salt = f"edgewiki {FORMAT} {purpose} {settings.oidc_issuer} {settings.oidc_client_id}"
        signing = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        self._serializer = URLSafeSerializer(settings.session_keys, salt, signer_kwargs=signing)
        self._clock = clock

    def closed(self, facts: dict[str, Any], seconds: float) -> str:
        """``facts``, good for ``seconds``. Raises `ValueError` where they fit no cookie."""
        text = self._serializer.dumps({**facts, "expires": int(self._clock() + seconds)})
        if len(text) > MOST_COOKIE:
            raise ValueError(f"{len(text)} characters fit no cookie")
        return str(text)

    def opened(self, text: str) -> dict[str, Any] | None:
        """The facts, None where they are not ours or their time is over."""
        try:
            facts: dict[str, Any] = self._serializer.loads(text)
        except BadData:
            return None
        return facts if facts["expires"] > self._clock() else None


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who logged in. ``name`` is what people call them; the caller's is their subject."""

    caller: Caller
    name: str


class Sessions:
    """Reads and writes the cookie of a session."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self._seal = Seal(settings, "session", clock)
        self._seconds = int(settings.session_hours * 3600)

    def of(self, request: Request) -> Session | None:
        """Whose session a request carries; nobody's where a foreign page made the browser ask."""
        address = address_of(request)
        shown = request.cookies.get(cookie_name("session", address))
        if not shown or not asked_from_here(request, address):
            return None
        facts = self._seal.opened(shown)
        return _session(facts) if facts else None

    def begin(self, response: Response, address: Address, session: Session) -> None:
        """Let the browser keep ``session``. Raises `ValueError` where it fits no cookie."""
        caller = session.caller
        allowed = None if caller.collections is None else sorted(caller.collections)
        facts = {
            "caller": caller.name,
            "name": session.name,
            "role": caller.role.name.lower(),
            "collections": allowed,
        }
        value = self._seal.closed(facts, self._seconds)
        keep(response, cookie_name("session", address), value, address, self._seconds)

    def end(self, response: Response, address: Address) -> None:
        """Let the browser forget its session."""
        forget(response, cookie_name("session", address), address)


def cookie_name(purpose: str, address: Address) -> str:
    """The name of a cookie, whose prefix keeps neighbours below one domain from setting it."""
    prefix = ("__Secure-" if address.base else "__Host-") if address.is_secure else ""
    return f"{prefix}edgewiki_{purpose}"


def keep(response: Response, name: str, value: str, address: Address, seconds: int) -> None:
    """Set a cookie that no script reads and no foreign form brings along."""
    response.set_cookie(
        name, value, seconds, path=address.base or "/", secure=address.is_secure, httponly=True,
        samesite="lax",
    )  # fmt: skip


def forget(response: Response, name: str, address: Address) -> None:
    """Take a cookie of that name away."""
    keep(response, name, "", address, 0)


def _session(facts: dict[str, Any]) -> Session:
    allowed = facts["collections"]
    caller = Caller(
        facts["caller"],
        Role.named(facts["role"]),
        None if allowed is None else frozenset(allowed),
    )
    return Session(caller, facts["name"])
