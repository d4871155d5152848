"""The settings of the functions: unsafe ones stop the start, and no secret is ever told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from functions.app import create_app
from functions.settings import load_settings
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

LONG = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210-and-something-else"
SHORT = "hunter2-hunter2"
LLM = {"LLM_URL": "https://models.example.org/v1", "LLM_MODEL": "m"}


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "EDGEWIKI_API_KEYS is empty: set keys, or EDGEWIKI_ALLOW_ANONYMOUS=true"),
        ({"API_KEYS": " , "}, "EDGEWIKI_API_KEYS is empty"),
        ({"API_KEYS": "", "ALLOW_ANONYMOUS": "false"}, "EDGEWIKI_API_KEYS is empty"),
        ({"API_KEYS": SHORT}, "EDGEWIKI_API_KEYS: a secret has fewer than 32 characters"),
        ({"API_KEYS": f"{LONG},{SHORT}"}, "EDGEWIKI_API_KEYS: a secret has fewer than 32"),
        ({"API_KEYS": LONG[:31]}, "fewer than 32 characters"),
        ({"API_KEYS": LONG, "SIGNING_KEY": SHORT}, "EDGEWIKI_SIGNING_KEY: a secret has fewer"),
        ({"API_KEYS": f"{LONG},{LONG}"}, "a secret is used twice"),
        ({"API_KEYS": LONG, "SIGNING_KEY": LONG}, "a secret is used twice"),
        ({"API_KEYS": LONG, "EMBEDDINGS_API_KEY": LONG}, "a secret is used twice"),
        ({"API_KEYS": LONG.replace("a", "á")}, "EDGEWIKI_API_KEYS: a key holds more than ASCII"),
        ({"API_KEYS": LONG, "REFRESH_SECONDS": "soon"}, "EDGEWIKI_REFRESH_SECONDS: "),
        ({"API_KEYS": LONG, "REFRESH_SECONDS": "-1"}, "EDGEWIKI_REFRESH_SECONDS: "),
        ({"API_KEYS": LONG, "MAX_BODY_BYTES": "12"}, "EDGEWIKI_MAX_BODY_BYTES: "),
        ({"API_KEYS": LONG, "ALLOW_ANONYMOUS": "perhaps"}, "EDGEWIKI_ALLOW_ANONYMOUS: "),
        ({"API_KEYS": LONG, "ENCODER_THREADS": "0"}, "EDGEWIKI_ENCODER_THREADS: "),
        ({"API_KEYS": LONG, "LLM_URL": "http://localhost/v1"}, "EDGEWIKI_LLM_MODEL is empty"),
        ({"API_KEYS": LONG, **LLM, "LLM_API_KEY": LONG}, "a secret is used twice"),
        ({"API_KEYS": LONG, **LLM, "LLM_API_KEY": "a b"}, "EDGEWIKI_LLM_API_KEY: the key holds"),
        ({"API_KEYS": LONG, **LLM, "LLM_API_KEY": "kľúč"}, "EDGEWIKI_LLM_API_KEY: the key holds"),
        ({"API_KEYS": LONG, "LLM_URL": "localhost:8080"}, "EDGEWIKI_LLM_URL: give http://host/v1"),
        ({"API_KEYS": LONG, "LLM_URL": "ftp://host/v1"}, "EDGEWIKI_LLM_URL: give http://host/v1"),
        ({"API_KEYS": LONG, "LLM_URL": f"https://me:{SHORT}@host"}, "EDGEWIKI_LLM_URL: a user, a"),
        ({"API_KEYS": LONG, "LLM_URL": "https://host/v1?key=1"}, "EDGEWIKI_LLM_URL: a user, a"),
        ({"API_KEYS": LONG, "LLM_URL": "http://[::1"}, "EDGEWIKI_LLM_URL: "),
        ({"API_KEYS": LONG, "LLM_JSON": "yaml"}, "EDGEWIKI_LLM_JSON: "),
        ({"API_KEYS": LONG, "LLM_TIMEOUT_SECONDS": "0"}, "EDGEWIKI_LLM_TIMEOUT_SECONDS: "),
        ({"API_KEYS": LONG, "LLM_DEADLINE_SECONDS": "-1"}, "EDGEWIKI_LLM_DEADLINE_SECONDS: "),
        ({"API_KEYS": LONG, "LLM_RETRIES": "99"}, "EDGEWIKI_LLM_RETRIES: "),
        ({"API_KEYS": LONG, "LLM_MAX_TOKENS": "1"}, "EDGEWIKI_LLM_MAX_TOKENS: "),
        ({"API_KEYS": LONG, "LLM_TEMPERATURE": "3"}, "EDGEWIKI_LLM_TEMPERATURE: "),
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
    for secret in (SHORT, LONG, OTHER, LONG[:31]):
        assert secret not in str(raised.value)
    assert raised.value.__suppress_context__  # a traceback would print what pydantic was given


def test_several_long_keys_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWIKI_API_KEYS", f" {LONG} , {OTHER},")
    monkeypatch.setenv("EDGEWIKI_SIGNING_KEY", LONG[::-1])
    settings = load_settings()
    assert settings.keys == [(LONG, ""), (OTHER, "")]
    assert settings.signing_key_bytes == LONG[::-1].encode()
    assert LONG not in repr(settings)
    assert LONG not in settings.model_dump_json()


def test_the_key_of_a_language_model_may_be_short_and_end_in_a_line_break(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"ALLOW_ANONYMOUS": "true", **LLM, "LLM_API_KEY": f"{SHORT}\n"}.items():
        monkeypatch.setenv(f"EDGEWIKI_{name}", value)
    settings = load_settings()
    assert settings.llm_api_key.get_secret_value() == SHORT
    assert SHORT not in repr(settings) + settings.model_dump_json()


def test_anonymous_has_to_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWIKI_ALLOW_ANONYMOUS", "true")
    settings = load_settings()
    assert settings.keys == []
    assert settings.signing_key_bytes is None


@pytest.mark.parametrize(
    ("given", "path"), [("", ""), ("/", ""), ("prod", "/prod"), ("/prod/", "/prod")]
)
def test_a_base_path_begins_with_one_slash_and_ends_with_none(
    monkeypatch: pytest.MonkeyPatch, given: str, path: str
) -> None:
    monkeypatch.setenv("EDGEWIKI_API_KEYS", LONG)
    monkeypatch.setenv("EDGEWIKI_BASE_PATH", given)
    assert load_settings().base_path == path


def test_the_default_store_can_be_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from index_artifacts.store import open_store

    monkeypatch.setenv("EDGEWIKI_API_KEYS", LONG)
    monkeypatch.chdir(tmp_path)
    store = open_store(load_settings().store)
    assert store.url == (tmp_path / ".edgewiki" / "store").as_uri()
