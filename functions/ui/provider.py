"""The identity provider, by OpenID Connect: where to log in, and who did.

Authlib speaks the protocol (authorisation code, PKCE, authentication of the client), PyJWT verifies
the ID token as it verifies bearer tokens. Both are imported by the first login alone.
"""

from __future__ import annotations

import hmac
import logging
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import jwt
from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.httpx_client import OAuth2Client

from functions.claims import ClaimRules, accepted_algorithms
from functions.tokens import AGAIN_SECONDS, KEPT_SECONDS, LEEWAY_SECONDS, MOST_BYTES, IssuerKeys
from index_artifacts.errors import LoginOverError, ProviderDownError, ProviderError
from index_artifacts.loopback import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings

logger = logging.getLogger("edgewiki")

ANSWER_SECONDS = 3.0
"""The provider may be silent for so long; a login asks it four times at most."""
_WELL_KNOWN = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What only the browser that began a login knows; it comes back with the code."""

    state: str
    nonce: str
    verifier: str

    @classmethod
    def new(cls) -> Attempt:
        """Of 48 random characters each: RFC 7636 wants 43 of a verifier."""
        return cls(generate_token(48), generate_token(48), generate_token(48))

    def facts(self) -> dict[str, str]:
        """As a cookie keeps it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the provider says of itself."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str
    secret_in_body: bool
    """The client's secret is wanted in the form, and not in a header."""


class Provider:
    """The provider of the settings. What it says of itself is kept, and its keys are."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._clock = settings, clock
        self._algorithms = accepted_algorithms(settings)
        self._rules = ClaimRules.from_settings(settings)
        self._metadata: Metadata | None = None
        self._keys: IssuerKeys | None = None
        self._asked_at = 0.0

    def login_url(self, attempt: Attempt, redirect_uri: str) -> str:
        """Where to send the browser. Raises `ProviderError`."""
        metadata = self._known()
        with self._client(metadata, redirect_uri) as client:
            url, _ = client.create_authorization_url(
                metadata.authorization_endpoint,
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url)

    def claims(self, attempt: Attempt, code: str, redirect_uri: str) -> dict[str, Any]:
        """What the provider says of who logged in, verified.

        Raises `LoginOverError` for a code that is used or too old, else `ProviderError`.
        """
        metadata = self._known()
        with self._client(metadata, redirect_uri) as client:
            try:
                token = client.fetch_token(
                    metadata.token_endpoint,
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=attempt.verifier,
                )
                claims = self._verified(str(token.get("id_token") or ""), attempt.nonce)
                if self._rules.lacks(claims) and metadata.userinfo_endpoint:
                    claims = {**self._user_info(client, metadata, claims), **claims}
            except AuthlibBaseError as error:
                if error.error == "invalid_grant":
                    raise LoginOverError("the code was used already, or is too old") from None
                raise ProviderError(f"the provider refuses this client: {error}") from error
            except (httpx2.HTTPError, ValueError) as error:
                raise _failed("a token", error) from error
        return claims

    def _known(self) -> Metadata:
        """The metadata. Where the provider does not answer, what was known goes on to count."""
        age = self._clock() - self._asked_at
        if self._metadata is None or age >= KEPT_SECONDS:
            try:
                self._keep(self._discovered())
            except ProviderError as error:
                if self._metadata is None:
                    raise
                logger.warning("%s; what it said before is believed", error)
                self._asked_at += AGAIN_SECONDS
        assert self._metadata is not None
        return self._metadata

    def _keep(self, metadata: Metadata) -> None:
        if self._metadata is None or self._metadata.jwks_uri != metadata.jwks_uri:
            self._keys = IssuerKeys(metadata.jwks_uri, self._clock)
        self._metadata, self._asked_at = metadata, self._clock()

    def _discovered(self) -> Metadata:
        issuer = self._settings.oidc_issuer
        try:
            answer = httpx2.get(f"{issuer.rstrip('/')}{_WELL_KNOWN}", timeout=ANSWER_SECONDS)
            said = answer.raise_for_status().json()
        except (httpx2.HTTPError, ValueError) as error:
            raise _failed(_WELL_KNOWN, error) from error
        if not isinstance(said, dict) or said.get("issuer") != issuer:
            raise ProviderError(
                f"EDGEWIKI_OIDC_ISSUER: {issuer} does not call itself so: write it as `issuer` "
                f"in its {_WELL_KNOWN}"
            )
        ways = str(said.get("token_endpoint_auth_methods_supported", "client_secret_basic"))
        return Metadata(
            _endpoint(said, "authorization_endpoint"),
            _endpoint(said, "token_endpoint"),
            _endpoint(said, "jwks_uri"),
            _endpoint(said, "userinfo_endpoint") if "userinfo_endpoint" in said else "",
            "client_secret_basic" not in ways and "client_secret_post" in ways,
        )

    def _client(self, metadata: Metadata, redirect_uri: str) -> OAuth2Client:
        settings = self._settings
        secret = settings.oidc_client_secret.get_secret_value()
        how = "client_secret_post" if metadata.secret_in_body else "client_secret_basic"
        return OAuth2Client(
            client_id=settings.oidc_client_id,
            client_secret=secret or None,
            token_endpoint_auth_method=how if secret else "none",
            scope=settings.oidc_scopes,
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            timeout=ANSWER_SECONDS,
            leeway=0,  # a token that lives for a minute is used at once, or never
        )

    def _verified(self, token: str, nonce: str) -> dict[str, Any]:
        """The claims of an ID token, by OpenID Connect Core 1.0, section 3.1.3.7."""
        client = self._settings.oidc_client_id
        try:
            if len(token) > MOST_BYTES:
                raise jwt.InvalidTokenError("it is too long")
            claims = self._decoded(token)
        except jwt.PyJWTError as error:
            # Its text names the claim that fails, never the token.
            raise ProviderError(f"the ID token cannot be believed: {error}") from None
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ProviderError("the ID token is not of this login: its nonce is another one")
        parties = claims.get("azp", claims["aud"])
        if parties not in (client, [client]):
            raise ProviderError("the ID token is for several clients, and not made for this one")
        return claims

    def _decoded(self, token: str) -> dict[str, Any]:
        header = jwt.get_unverified_header(token)
        algorithm = str(header.get("alg"))
        if algorithm not in self._algorithms:
            raise jwt.InvalidAlgorithmError(
                f"it is signed by {algorithm[:16]!r}, which EDGEWIKI_JWT_ALGORITHMS does not list"
            )
        key = self._keys.key(str(header.get("kid", ""))) if self._keys else None
        if key is None:
            raise jwt.InvalidKeyError("its key is none of the provider's")
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=self._settings.oidc_client_id,
            issuer=self._settings.oidc_issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )

    def _user_info(
        self, client: OAuth2Client, metadata: Metadata, claims: dict[str, Any]
    ) -> dict[str, Any]:
        """What a provider keeps out of its ID tokens, said of the same person."""
        answer = client.get(metadata.userinfo_endpoint).raise_for_status()
        said = answer.json()
        if not isinstance(said, dict) or said.get("sub") != claims["sub"]:
            raise ProviderError("the provider's user info is about somebody else")
        return said


def _endpoint(said: dict[str, Any], name: str) -> str:
    try:
        url = str(said.get(name, ""))
        scheme, host = urlsplit(url).scheme, urlsplit(url).hostname
        if host and (scheme == "https" or (scheme == "http" and is_loopback(url))):
            return url
    except ValueError:
        pass
    raise ProviderError(f"the provider's {name} is no https address")


def _failed(what: str, error: Exception) -> ProviderError:
    """What became of asking for ``what``; the error's text names an address, and no secret."""
    refused = isinstance(error, httpx2.HTTPStatusError) and error.response.status_code < 500
    if refused or isinstance(error, ValueError):
        return ProviderError(f"the provider gives no {what}: {error}")
    return ProviderDownError(f"the provider does not answer for {what}: {error!r}")
