"""Bearer tokens (JWT) of an identity provider: verified by PyJWT, read for role and workspace.

The algorithm is never the token's to choose: a key of the issuer's set is used with an algorithm
for public keys that the settings list, the shared secret with HS256 alone.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

import httpx
import jwt

from functions.access import TOKEN, Caller
from functions.claims import ClaimRules, accepted_algorithms
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from functions.settings import Settings

logger = logging.getLogger("edgewiki")

LEEWAY_SECONDS = 30
KEPT_SECONDS = 600
"""How long the issuer's keys are kept."""
AGAIN_SECONDS = 30
"""A token with an unknown key makes us ask the issuer again, this often at most."""
FETCH_SECONDS = 3
MOST_BYTES = 16_384


class IssuerKeys:
    """The public keys of an issuer, by their ids; kept, and asked for again when one is new."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._url, self._clock = url, clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._asked_at: float | None = None

    def key(self, key_id: str) -> jwt.PyJWK | None:
        """The key called ``key_id``, None where the issuer has none of that name."""
        age = KEPT_SECONDS if self._asked_at is None else self._clock() - self._asked_at
        if age >= KEPT_SECONDS or (key_id not in self._keys and age >= AGAIN_SECONDS):
            self._fetch()
        return self._keys.get(key_id)

    def _fetch(self) -> None:
        """Ask the issuer. Where it does not answer, what was known goes on being believed."""
        self._asked_at = self._clock()
        try:
            answer = httpx.get(self._url, timeout=FETCH_SECONDS).raise_for_status()
            listed = jwt.PyJWKSet.from_dict(answer.json()).keys
        except (httpx.HTTPError, jwt.PyJWTError, ValueError, AttributeError, TypeError) as error:
            logger.warning("the keys of the token issuer cannot be had: %s", error)
            return
        self._keys = {key.key_id or "": key for key in listed if key.key_type != "oct"}


class TokenVerifier:
    """Turns a token into a caller."""

    def __init__(
        self,
        *,
        issuer: str,
        audience: str,
        keys: IssuerKeys | None,
        algorithms: Sequence[str],
        secret: str,
        rules: ClaimRules,
    ) -> None:
        self._issuer, self._audience = issuer, audience
        self._keys, self._algorithms, self._secret = keys, tuple(algorithms), secret
        self._rules = rules

    @classmethod
    def from_settings(cls, settings: Settings) -> TokenVerifier:
        """Raises `ConfigError`, which names the setting, where tokens could not be verified."""
        algorithms = accepted_algorithms(settings)
        secret = settings.jwt_hs256_secret.get_secret_value()
        if not settings.jwt_audience:
            raise ConfigError("EDGEWIKI_JWT_AUDIENCE is empty: tokens made for others would do")
        if not (settings.jwt_jwks_url or secret):
            raise ConfigError("EDGEWIKI_JWT_JWKS_URL is empty: nothing can verify a token")
        return cls(
            issuer=settings.jwt_issuer,
            audience=settings.jwt_audience,
            keys=IssuerKeys(settings.jwt_jwks_url) if settings.jwt_jwks_url else None,
            algorithms=algorithms,
            secret=secret,
            rules=ClaimRules.from_settings(settings),
        )

    def caller(self, token: str) -> Caller | None:
        """Who ``token`` is about, None where it is not one that is to be believed."""
        if len(token) > MOST_BYTES:
            return None
        try:
            claims = self._claims(token)
        except jwt.PyJWTError as error:
            # Its text names the claim that fails, never the token.
            logger.info("a token was refused: %s", error)
            return None
        return None if claims is None else self._read(claims)

    def _claims(self, token: str) -> dict[str, Any] | None:
        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        key: Any = None
        if algorithm == "HS256":
            key = self._secret
        elif algorithm in self._algorithms and self._keys is not None:
            key = self._keys.key(str(header.get("kid", "")))
        if not key:
            return None
        return jwt.decode(
            token,
            key,
            algorithms=[str(algorithm)],
            audience=self._audience,
            issuer=self._issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )

    def _read(self, claims: dict[str, Any]) -> Caller:
        # No key can be called so: who shows a token is nobody who shows a key.
        name = f"{TOKEN}{str(claims['sub'])[:200]}"
        return Caller(name, self._rules.role(claims), self._rules.collections(claims))
