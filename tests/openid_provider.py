"""A small OpenID provider on a real socket: discovery, authorisation, tokens, keys, user info.

    def test_something(openid_provider):
        openid_provider.person["workspace"] = "wiki"
        … EDGEWIKI_OIDC_ISSUER = openid_provider.url …
        openid_provider.claims["nonce"] = "another"      # what its next ID tokens say
        openid_provider.faults["/token"] = refuse(503)   # what it answers there instead

It holds clients to the protocol: a code is good once, for the redirect and the PKCE verifier that
it was asked for with, and for who proves to be the client.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CLIENT, SECRET = "wiki-page", "a-client-secret-of-the-tests"
LONGEST = 30.0  # seconds that an answer may be withheld: a test that is stuck must end

Reply = tuple[int, dict[str, str], bytes]


def refuse(status: int, said: dict[str, Any] | None = None) -> Callable[[], Reply]:
    """Answer ``status``, with what is no JSON unless something is ``said``."""
    body = b"<html>no</html>" if said is None else json.dumps(said).encode()
    return lambda: (status, {}, body)


class OpenIdProvider:
    """What it is asked is in ``asked``: the method and the path, in order."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.secret = SECRET
        self.person: dict[str, Any] = {"sub": "eva-7", "name": "Eva Krátka"}
        self.claims: dict[str, Any] = {}
        self.user_info: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.error = ""
        self.algorithm, self.header = "ES256", {"kid": "first"}
        self.keys = {"first": ec.generate_private_key(ec.SECP256R1())}
        self.faults: dict[str, Callable[[], Reply]] = {}
        self.asked: list[str] = []
        self.released = threading.Event()
        self._codes: dict[str, dict[str, str]] = {}

    def hang(self) -> Reply:
        """An answer that never comes while the test lasts."""
        self.released.wait(LONGEST)
        return 503, {}, b""

    def answer(self, method: str, target: str, headers: Any, body: str) -> Reply:
        parts = urlsplit(target)
        self.asked.append(f"{method} {parts.path}")
        if parts.path in self.faults:
            return self.faults[parts.path]()
        form = {name: values[0] for name, values in parse_qs(body or parts.query).items()}
        authorization = headers.get("Authorization", "")
        match method, parts.path:
            case "GET", "/.well-known/openid-configuration":
                return _json(200, self._described())
            case "GET", "/jwks":
                return _json(200, {"keys": [self._public(kid) for kid in self.keys]})
            case "GET", "/authorize":
                return self._authorize(form)
            case "POST", "/token":
                return self._token(form, authorization)
            case "GET", "/userinfo" if authorization.startswith("Bearer access-"):
                return _json(200, self.user_info)
        return _json(404, {})

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        said = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        said |= self.person | self.claims
        kept = {name: value for name, value in said.items() if value is not None}
        key: Any = self.keys.get(self.header["kid"], "")
        return jwt.encode(kept, key, self.algorithm, headers=self.header)

    def _described(self) -> dict[str, Any]:
        said = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
        }
        if self.user_info:
            said["userinfo_endpoint"] = f"{self.url}/userinfo"
        return {**said, **self.metadata}

    def _public(self, kid: str) -> dict[str, Any]:
        public = self.keys[kid].public_key()
        return {**jwt.get_algorithm_by_name("ES256").to_jwk(public, as_dict=True), "kid": kid}

    def _authorize(self, form: dict[str, str]) -> Reply:
        asked = {"client_id": CLIENT, "response_type": "code", "code_challenge_method": "S256"}
        assert {name: form.get(name) for name in asked} == asked, form
        assert "openid" in form["scope"].split()
        if self.error:
            said = {"error": self.error, "state": form["state"]}
        else:
            code = secrets.token_urlsafe(16)
            self._codes[code] = form
            said = {"code": code, "state": form["state"]}
        return 302, {"Location": f"{form['redirect_uri']}?{urlencode(said)}"}, b""

    def _token(self, form: dict[str, str], authorization: str) -> Reply:
        if not self._is_client(form, authorization):
            return _json(401, {"error": "invalid_client"})
        asked = self._codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        given = {"redirect_uri": form.get("redirect_uri"), "code_challenge": challenge}
        if asked is None or {name: asked[name] for name in given} != given:
            return _json(400, {"error": "invalid_grant"})
        token = self.id_token(asked["nonce"])
        made = {"access_token": "access-1", "token_type": "Bearer", "expires_in": 60}
        return _json(200, {**made, "id_token": token})

    def _is_client(self, form: dict[str, str], authorization: str) -> bool:
        scheme, _, encoded = authorization.partition(" ")
        if scheme == "Basic":
            name, _, secret = base64.b64decode(encoded).decode().partition(":")
            return (unquote(name), unquote(secret)) == (CLIENT, self.secret)
        return (form.get("client_id"), form.get("client_secret", "")) == (CLIENT, self.secret)


def _json(status: int, said: dict[str, Any]) -> Reply:
    return status, {"Content-Type": "application/json"}, json.dumps(said).encode()


@pytest.fixture
def openid_provider() -> Iterator[OpenIdProvider]:
    """A provider that is up until the test ends."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            """Say nothing: a test reads what was asked."""

        def do_GET(self) -> None:
            self._reply("GET", "")

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            self._reply("POST", self.rfile.read(length).decode())

        def _reply(self, method: str, body: str) -> None:
            status, headers, content = provider.answer(method, self.path, self.headers, body)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        provider = OpenIdProvider(f"http://127.0.0.1:{running.server_port}")
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield provider
        provider.released.set()
        running.shutdown()
        thread.join()
