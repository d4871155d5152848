"""Bearer tokens of an identity provider, made with real keys and verified through the app."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from functions.access import Caller, Role
from functions.settings import Settings
from functions.tokens import AGAIN_SECONDS, KEPT_SECONDS, IssuerKeys, TokenVerifier
from tests.functions.conftest import Clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ISSUER, AUDIENCE = "https://id.example.org/realms/lab", "edgewiki"
SECRET = "a-shared-secret-of-the-tests-0123456789"
KEYS: dict[str, Any] = {
    "RS256": rsa.generate_private_key(public_exponent=65537, key_size=2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}


def jwks(*names: str) -> str:
    """The issuer's public keys, and one that is secret and has no business there."""
    listed = []
    for name in names:
        made = jwt.get_algorithm_by_name(name).to_jwk(KEYS[name].public_key(), as_dict=True)
        listed.append({**made, "kid": name, "use": "sig"})
    shared = base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("=")
    listed.append({"kty": "oct", "kid": "shared", "k": shared})
    return json.dumps({"keys": listed})


@pytest.fixture
def verifier(file_server: str, tmp_path: Path) -> Callable[..., TokenVerifier]:
    """Make a verifier whose issuer publishes keys on a real server."""
    (tmp_path / "served" / "jwks.json").write_text(jwks(*KEYS))

    def make(**fields: Any) -> TokenVerifier:
        defaults: dict[str, Any] = {
            "allow_anonymous": True,
            "jwt_issuer": ISSUER,
            "jwt_audience": AUDIENCE,
            "jwt_jwks_url": f"{file_server}/jwks.json",
        }
        return TokenVerifier.from_settings(Settings(**{**defaults, **fields}))

    return make


def claims(**more: Any) -> dict[str, Any]:
    now = int(time.time())
    return {"iss": ISSUER, "aud": AUDIENCE, "sub": "eva", "iat": now, "exp": now + 60, **more}


def token(name: str = "RS256", header: dict[str, Any] | None = None, **more: Any) -> str:
    made = {key: value for key, value in claims(**more).items() if value is not None}
    return jwt.encode(made, KEYS[name], algorithm=name, headers={"kid": name, **(header or {})})


@pytest.mark.parametrize("name", list(KEYS))
def test_a_token_of_the_issuer_says_who_asks(
    verifier: Callable[..., TokenVerifier], name: str
) -> None:
    found = verifier().caller(token(name, role="user", workspace=["wiki", "lab"]))
    assert found == Caller("token:eva", Role.USER, frozenset(["wiki", "lab"]))


@pytest.mark.parametrize(
    ("more", "caller"),
    [
        ({}, Caller("token:eva", Role.GUEST, frozenset())),
        ({"workspace": "wiki"}, Caller("token:eva", Role.GUEST, frozenset(["wiki"]))),
        ({"role": ["user", "admin"]}, Caller("token:eva", Role.ADMIN)),
        ({"role": "root", "workspace": 7}, Caller("token:eva", Role.GUEST, frozenset())),
        ({"workspace": ["*"]}, Caller("token:eva", Role.GUEST, frozenset(["*"]))),
        ({"workspace": {"wiki": 1}}, Caller("token:eva", Role.GUEST, frozenset())),
    ],
)
def test_without_a_claim_nothing_is_granted(
    verifier: Callable[..., TokenVerifier], more: dict[str, Any], caller: Caller
) -> None:
    assert verifier().caller(token(**more)) == caller


def test_the_issuers_own_words_are_translated(verifier: Callable[..., TokenVerifier]) -> None:
    made = verifier(
        jwt_role_claim="realm_access.roles",
        jwt_collections_claim="groups",
        jwt_roles='{"wiki-editors": "user"}',
        jwt_workspaces='{"/lab": ["notes", "data"], "/heads": "*"}',
    )
    editor: dict[str, Any] = {
        "realm_access": {"roles": ["wiki-editors", "offline"]},
        "groups": ["/lab", "wiki"],
    }
    assert made.caller(token(**editor)) == Caller(
        "token:eva", Role.USER, frozenset(["notes", "data", "wiki"])
    )
    assert made.caller(token(groups=["/heads"])) == Caller("token:eva", Role.GUEST)


def unsigned() -> str:
    return jwt.encode(claims(role="admin"), "", algorithm="none")


def signed_with_the_public_key() -> str:
    """HS256 over the RSA key that everybody knows, the classic confusion; PyJWT makes none."""
    public = KEYS["RS256"].public_key()
    pem = public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return _hs256(pem, {"alg": "HS256", "kid": "RS256", "typ": "JWT"})


def signed_with_the_listed_secret() -> str:
    return _hs256(SECRET.encode(), {"alg": "HS256", "kid": "shared"})


def calling_its_key_another() -> str:
    return _hs256(SECRET.encode(), {"alg": "RS256", "kid": "shared"})


def _hs256(secret: bytes, header: dict[str, Any]) -> str:
    import hashlib
    import hmac

    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in (header, claims(role="admin"))
    ]
    signature = hmac.new(secret, b".".join(parts), hashlib.sha256).digest()
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def tampered() -> str:
    head, _, signature = token(role="guest").split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims(role="admin")).encode()).rstrip(b"=")
    return ".".join([head, body.decode(), signature])


@pytest.mark.parametrize(
    "make",
    [
        unsigned, signed_with_the_public_key, signed_with_the_listed_secret,
        calling_its_key_another, tampered,
        lambda: token(exp=int(time.time()) - 120),
        lambda: token(nbf=int(time.time()) + 120),
        lambda: token(exp=None), lambda: token(sub=None), lambda: token(aud=None),
        lambda: token(iss="https://id.example.org/realms/other"),
        lambda: token(aud="another-service"),
        lambda: token(header={"kid": "unknown"}),
        lambda: token(header={"kid": "ES256"}),
        lambda: token(header={"crit": ["exp"]}),
        lambda: token()[:-4], lambda: "a.b.c", lambda: "..", lambda: "x" * 20_000,
        lambda: token(padding="x" * 20_000),
    ],
)  # fmt: skip
def test_what_is_not_to_be_believed_is_nobodys(
    verifier: Callable[..., TokenVerifier], make: Callable[[], str]
) -> None:
    assert verifier().caller(make()) is None
    assert verifier().caller(token()) is not None


def test_a_shared_secret_counts_only_where_it_is_set(
    verifier: Callable[..., TokenVerifier],
) -> None:
    made = _hs256(SECRET.encode(), {"alg": "HS256"})
    assert verifier().caller(made) is None
    found = verifier(jwt_hs256_secret=SECRET).caller(made)
    assert found == Caller("token:eva", Role.ADMIN)
    confused = verifier(jwt_hs256_secret=SECRET).caller(signed_with_the_public_key())
    assert confused is None


def test_an_algorithm_that_is_not_listed_is_refused(
    verifier: Callable[..., TokenVerifier],
) -> None:
    made = verifier(jwt_algorithms="ES256")
    assert made.caller(token("RS256")) is None
    assert made.caller(token("ES256")) is not None


def test_keys_are_kept_asked_for_when_new_and_survive_an_issuer_that_is_down(
    file_server: str, tmp_path: Path
) -> None:
    served, clock = tmp_path / "served" / "jwks.json", Clock()
    served.write_text(jwks("RS256"))
    keys = IssuerKeys(f"{file_server}/jwks.json", clock)
    assert keys.key("RS256") is not None
    assert keys.key("shared") is None

    served.write_text(jwks("RS256", "ES256"))
    assert keys.key("ES256") is None  # asked for a moment ago
    clock.now += AGAIN_SECONDS
    assert keys.key("ES256") is not None

    served.write_text("<html>maintenance</html>")
    clock.now += KEPT_SECONDS
    assert keys.key("ES256") is not None
    served.unlink()
    clock.now += KEPT_SECONDS
    assert keys.key("ES256") is not None
    served.write_text(jwks("RS256"))
    clock.now += KEPT_SECONDS
    assert keys.key("ES256") is None  # withdrawn
