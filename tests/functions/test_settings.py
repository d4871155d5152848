"""The settings of the functions: unsafe ones stop the start, and no secret is ever told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from functions.access import Caller, Role, hash_of
from functions.app import create_app
from functions.settings import load_settings
from index_artifacts.errors import ConfigError
from tests.keys import entry, one_key, ring

if TYPE_CHECKING:
    from pathlib import Path

LONG = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210-and-something-else"
SHORT = "hunter2-hunter2"
ENTRY = entry(LONG)
KEYS = {"API_KEYS": one_key(LONG)}
JWT = {"JWT_ISSUER": "https://id.example.org", "JWT_AUDIENCE": "wiki"}
OIDC = {"OIDC_ISSUER": "https://id.example.org", "OIDC_CLIENT_ID": "w", "SESSION_KEY": OTHER}
LLM = {"LLM_URL": "https://models.example.org/v1", "LLM_MODEL": "m"}


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "EDGEWIKI_API_KEYS is empty: set keys (`edgewiki key` makes one)"),
        ({"API_KEYS": " "}, "EDGEWIKI_API_KEYS is empty"),
        ({"API_KEYS": "[]"}, "EDGEWIKI_API_KEYS is empty"),
        ({"API_KEYS": "", "ALLOW_ANONYMOUS": "false"}, "EDGEWIKI_API_KEYS is empty"),
        ({"API_KEYS": LONG}, "EDGEWIKI_API_KEYS: not JSON: make an entry with `edgewiki key`"),
        ({"API_KEYS": "{}"}, "EDGEWIKI_API_KEYS: give a list"),
        ({"API_KEYS": "[1]"}, "EDGEWIKI_API_KEYS: entry 1 is no object"),
        ({"API_KEYS": ring({"name": "a"})}, "entry 1 (a): sha256: give the hash of its key"),
        ({"API_KEYS": ring({"name": "a b"})}, "entry 1: give a name of letters"),
        ({"API_KEYS": ring({**ENTRY, "key": LONG})}, "entry 1: 'key' is unknown; there are: "),
        ({"API_KEYS": ring({**ENTRY, "sha256": [LONG]})}, "a hash is 64 lower-case hex digits"),
        ({"API_KEYS": ring({**ENTRY, "sha256": [LONG] * 3})}, "the hash of its key, or of the old"),
        ({"API_KEYS": ring({**ENTRY, "role": "root"})}, "role 'root' is unknown; there are: guest"),
        ({"API_KEYS": ring({**ENTRY, "collections": "wiki"})}, "collections: give a list of names"),
        ({"API_KEYS": ring({**ENTRY, "rag_profile": 1})}, "rag_profile: give a text"),
        ({"API_KEYS": ring(ENTRY, entry(LONG, "b"))}, "EDGEWIKI_API_KEYS: a key is used twice"),
        ({"API_KEYS": ring(ENTRY, entry(OTHER))}, "EDGEWIKI_API_KEYS: a name is used twice"),
        ({**KEYS, "SIGNING_KEY": SHORT}, "EDGEWIKI_SIGNING_KEY: the secret has fewer than 32"),
        ({**KEYS, "SYNC_KEY": SHORT}, "EDGEWIKI_SYNC_KEY: the secret has fewer than 32"),
        ({**KEYS, "WEBHOOK_SECRET_GITEA": SHORT}, "EDGEWIKI_WEBHOOK_SECRET_GITEA: the secret has"),
        ({**KEYS, "WEBHOOK_SECRET_GITHUB": SHORT}, "EDGEWIKI_WEBHOOK_SECRET_GITHUB: the secret"),
        ({**KEYS, "JWT_HS256_SECRET": SHORT}, "EDGEWIKI_JWT_HS256_SECRET: the secret has fewer"),
        ({**KEYS, "SIGNING_KEY": LONG}, "EDGEWIKI_SIGNING_KEY is the same as in EDGEWIKI_API_KEYS"),
        ({**KEYS, "SYNC_KEY": LONG}, "EDGEWIKI_SYNC_KEY is the same as in EDGEWIKI_API_KEYS"),
        (
            {**KEYS, "SYNC_KEY": OTHER, "WEBHOOK_SECRET_GITEA": OTHER},
            "EDGEWIKI_WEBHOOK_SECRET_GITEA is the same as in EDGEWIKI_SYNC_KEY",
        ),
        ({**KEYS, "EMBEDDINGS_API_KEY": LONG}, "EDGEWIKI_EMBEDDINGS_API_KEY is the same as"),
        ({**KEYS, "FORGE_TOKEN": LONG}, "EDGEWIKI_FORGE_TOKEN is the same as"),
        ({**KEYS, "FORGE_TOKEN": "a b"}, "EDGEWIKI_FORGE_TOKEN: the key holds more than printable"),
        ({**KEYS, "FORGE": "svn"}, "EDGEWIKI_FORGE: "),
        ({**KEYS, "FORGE": "github"}, "EDGEWIKI_FORGE_REPOSITORY is empty"),
        ({**KEYS, "FORGE_REPOSITORY": "wiki"}, "EDGEWIKI_FORGE_REPOSITORY: give owner/name"),
        ({**KEYS, "FORGE": "gitea", "FORGE_REPOSITORY": "a/b"}, "EDGEWIKI_FORGE_URL is empty"),
        ({**KEYS, "FORGE_BRANCH": "-x"}, "EDGEWIKI_FORGE_BRANCH: give the name of a branch"),
        ({**KEYS, "FORGE_BRANCH": "a..b"}, "EDGEWIKI_FORGE_BRANCH: give the name of a branch"),
        ({**KEYS, "GIT_SSH_KEY": "/keys/id"}, "EDGEWIKI_GIT_KNOWN_HOSTS is empty"),
        ({"JWT_ISSUER": "https://id.example.org"}, "EDGEWIKI_JWT_AUDIENCE is empty"),
        ({**JWT}, "EDGEWIKI_JWT_JWKS_URL is empty: nothing can verify a token"),
        ({**JWT, "JWT_JWKS_URL": "id.example.org"}, "EDGEWIKI_JWT_JWKS_URL: give https://issuer"),
        ({**JWT, "JWT_HS256_SECRET": LONG, "JWT_ALGORITHMS": "HS256"}, "'HS256' is not for public"),
        ({**JWT, "JWT_HS256_SECRET": LONG, "JWT_ALGORITHMS": "none"}, "'none' is not for public"),
        ({**JWT, "JWT_HS256_SECRET": LONG, "JWT_ROLES": "[]"}, "EDGEWIKI_JWT_ROLES: give a JSON"),
        ({**JWT, "JWT_HS256_SECRET": LONG, "JWT_ROLES": '{"a": "b"}'}, "role 'b' is unknown"),
        (
            {**JWT, "JWT_HS256_SECRET": LONG, "JWT_WORKSPACES": '{"a": 1}'},
            "EDGEWIKI_JWT_WORKSPACES: 'a': give a list of collections, or *",
        ),
        ({**OIDC, "OIDC_ISSUER": "id.example.org"}, "EDGEWIKI_OIDC_ISSUER: give https://issuer"),
        ({**OIDC, "OIDC_ISSUER": "http://id.example.org"}, "EDGEWIKI_OIDC_ISSUER: give https://"),
        ({**OIDC, "OIDC_CLIENT_ID": " "}, "EDGEWIKI_OIDC_CLIENT_ID is empty"),
        ({**OIDC, "OIDC_CLIENT_SECRET": "a b"}, "EDGEWIKI_OIDC_CLIENT_SECRET: the key holds"),
        (
            {**OIDC, "OIDC_CLIENT_SECRET": OTHER},
            "EDGEWIKI_SESSION_KEY is the same as in EDGEWIKI_O",
        ),
        ({**OIDC, "OIDC_SCOPES": "profile"}, "EDGEWIKI_OIDC_SCOPES lacks openid"),
        ({**OIDC, "SESSION_KEY": ""}, "EDGEWIKI_SESSION_KEY is empty: nothing can sign a session"),
        ({**OIDC, "SESSION_KEY": ","}, "EDGEWIKI_SESSION_KEY is empty"),
        ({**OIDC, "SESSION_KEY": SHORT}, "EDGEWIKI_SESSION_KEY: a key has fewer than 32"),
        ({**OIDC, "SESSION_KEY": f"{OTHER},{SHORT}"}, "EDGEWIKI_SESSION_KEY: a key has fewer"),
        (
            {**OIDC, **KEYS, "SESSION_KEY": f"{OTHER},{LONG}"},
            "EDGEWIKI_SESSION_KEY is the same as in EDGEWIKI_API_KEYS",
        ),
        ({**OIDC, "SESSION_HOURS": "0"}, "EDGEWIKI_SESSION_HOURS: "),
        ({**OIDC, "PUBLIC_URL": "http://wiki.example.org"}, "EDGEWIKI_PUBLIC_URL is http"),
        ({**OIDC, "JWT_ROLES": "[]"}, "EDGEWIKI_JWT_ROLES: give a JSON"),
        ({**OIDC, "JWT_WORKSPACES": "[]"}, "EDGEWIKI_JWT_WORKSPACES: give a JSON"),
        ({**OIDC, "JWT_ALGORITHMS": "none"}, "EDGEWIKI_JWT_ALGORITHMS: 'none' is not for public"),
        ({**KEYS, "REFRESH_SECONDS": "soon"}, "EDGEWIKI_REFRESH_SECONDS: "),
        ({**KEYS, "REFRESH_SECONDS": "-1"}, "EDGEWIKI_REFRESH_SECONDS: "),
        ({**KEYS, "MAX_BODY_BYTES": "12"}, "EDGEWIKI_MAX_BODY_BYTES: "),
        ({**KEYS, "ALLOW_ANONYMOUS": "perhaps"}, "EDGEWIKI_ALLOW_ANONYMOUS: "),
        ({**KEYS, "ENCODER_THREADS": "0"}, "EDGEWIKI_ENCODER_THREADS: "),
        ({**KEYS, "LLM_URL": "http://localhost/v1"}, "EDGEWIKI_LLM_MODEL is empty"),
        ({**KEYS, **LLM, "LLM_API_KEY": LONG}, "EDGEWIKI_LLM_API_KEY is the same as in"),
        ({**KEYS, **LLM, "LLM_API_KEY": "a b"}, "EDGEWIKI_LLM_API_KEY: the key holds"),
        ({**KEYS, **LLM, "LLM_API_KEY": "kľúč"}, "EDGEWIKI_LLM_API_KEY: the key holds"),
        ({**KEYS, "LLM_URL": "localhost:8080"}, "EDGEWIKI_LLM_URL: give http://host/v1"),
        ({**KEYS, "LLM_URL": "ftp://host/v1"}, "EDGEWIKI_LLM_URL: give http://host/v1"),
        ({**KEYS, "LLM_URL": f"https://me:{SHORT}@host"}, "EDGEWIKI_LLM_URL: a user, a"),
        ({**KEYS, "LLM_URL": "https://host/v1?key=1"}, "EDGEWIKI_LLM_URL: a user, a"),
        ({**KEYS, "LLM_URL": "http://[::1"}, "EDGEWIKI_LLM_URL: "),
        ({**KEYS, "LLM_JSON": "yaml"}, "EDGEWIKI_LLM_JSON: "),
        ({**KEYS, "LLM_TIMEOUT_SECONDS": "0"}, "EDGEWIKI_LLM_TIMEOUT_SECONDS: "),
        ({**KEYS, "LLM_DEADLINE_SECONDS": "-1"}, "EDGEWIKI_LLM_DEADLINE_SECONDS: "),
        ({**KEYS, "LLM_RETRIES": "99"}, "EDGEWIKI_LLM_RETRIES: "),
        ({**KEYS, "LLM_MAX_TOKENS": "1"}, "EDGEWIKI_LLM_MAX_TOKENS: "),
        ({**KEYS, "LLM_TEMPERATURE": "3"}, "EDGEWIKI_LLM_TEMPERATURE: "),
    ],
)
def test_unsafe_settings_stop_the_start_and_name_the_variable_not_the_secret(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], message: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"EDGEWIKI_{name}", value)
    with pytest.raises(ConfigError) as raised:
        create_app()
    assert message in str(raised.value)
    for secret in (SHORT, LONG, OTHER, hash_of(LONG)):
        assert secret not in str(raised.value)
    # A traceback would print what pydantic was given.
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_keys_are_read_and_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    more = entry(OTHER, "bot", "user", collections=["b", "a"], rag_profile="widget")
    monkeypatch.setenv("EDGEWIKI_API_KEYS", ring(ENTRY, more))
    monkeypatch.setenv("EDGEWIKI_SIGNING_KEY", LONG[::-1])
    settings = load_settings()
    assert [key.caller for key in settings.keys] == [
        Caller("tester", Role.GUEST),
        Caller("bot", Role.USER, frozenset(["a", "b"]), "widget"),
    ]
    assert settings.signing_key_bytes == LONG[::-1].encode()
    for secret in (hash_of(LONG), LONG[::-1]):
        assert secret not in repr(settings)
        assert secret not in settings.model_dump_json()


def test_the_key_of_a_language_model_may_be_short_and_end_in_a_line_break(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"ALLOW_ANONYMOUS": "true", **LLM, "LLM_API_KEY": f"{SHORT}\n"}.items():
        monkeypatch.setenv(f"EDGEWIKI_{name}", value)
    settings = load_settings()
    assert settings.llm_api_key.get_secret_value() == SHORT
    assert SHORT not in repr(settings) + settings.model_dump_json()


def test_logging_in_needs_no_key_and_its_secrets_are_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secrets = {"SESSION_KEY": f"{LONG},{OTHER}", "OIDC_CLIENT_SECRET": f"{SHORT}\n"}
    for name, value in {**OIDC, **secrets}.items():
        monkeypatch.setenv(f"EDGEWIKI_{name}", value)
    settings = load_settings()
    assert settings.session_keys == [LONG, OTHER]
    assert settings.oidc_client_secret.get_secret_value() == SHORT
    for secret in (LONG, OTHER, SHORT):
        assert secret not in repr(settings) + settings.model_dump_json()


def test_anonymous_has_to_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    settings = load_settings()
    assert settings.keys == ()
    assert settings.signing_key_bytes is None


@pytest.mark.parametrize(
    ("given", "path"), [("", ""), ("/", ""), ("prod", "/prod"), ("/prod/", "/prod")]
)
def test_a_base_path_begins_with_one_slash_and_ends_with_none(
    monkeypatch: pytest.MonkeyPatch, given: str, path: str
) -> None:
    monkeypatch.setenv("EDGEWIKI_API_KEYS", one_key(LONG))
    monkeypatch.setenv("EDGEWIKI_BASE_PATH", given)
    assert load_settings().base_path == path


def test_the_default_store_can_be_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from index_artifacts.store import open_store

    monkeypatch.setenv("EDGEWIKI_API_KEYS", one_key(LONG))
    monkeypatch.chdir(tmp_path)
    store = open_store(load_settings().store)
    assert store.url == (tmp_path / ".edgewiki" / "store").as_uri()
