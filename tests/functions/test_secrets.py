"""Settings that lie in AWS, read through its own client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws

from functions.settings import load_settings
from index_artifacts.errors import ConfigError, UnavailableError
from tests.functions.test_settings import LONG, OTHER
from tests.keys import entry, one_key

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Keep a text under a name in both services."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tester")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tester-secret")

    def kept(name: str, text: str) -> None:
        ssm, manager = boto3.client("ssm"), boto3.client("secretsmanager")
        ssm.put_parameter(Name=name, Value=text, Type="SecureString", Overwrite=True)
        manager.create_secret(Name=name.strip("/"), SecretString=text)

    with mock_aws():
        yield kept


@pytest.mark.parametrize("place", ["ssm:/edgewiki/keys", "secretsmanager:edgewiki/keys"])
def test_settings_are_read_from_where_secrets_are_kept(
    keep: Any, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    values = {"EDGEWIKI_API_KEYS": [entry(LONG)], "EDGEWIKI_SIGNING_KEY": OTHER}
    keep("/edgewiki/keys", json.dumps(values))
    monkeypatch.setenv("EDGEWIKI_SECRETS", place)
    settings = load_settings()
    assert settings.keys[0].caller.name == "tester"
    assert settings.signing_key_bytes == OTHER.encode()
    assert OTHER not in repr(settings)


def test_the_environment_ranks_above_and_a_later_place_above_an_earlier(
    keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("/one", json.dumps({"EDGEWIKI_API_KEYS": one_key(LONG), "EDGEWIKI_CHANNEL": "one"}))
    keep("/two", json.dumps({"EDGEWIKI_CHANNEL": "two", "RAG_LLM_MAX_TOKENS": "900"}))
    monkeypatch.setenv("EDGEWIKI_SECRETS", "ssm:/one, ssm:/two")
    assert load_settings().channel == "two"
    assert load_settings().rag_llm_max_tokens == 900
    monkeypatch.setenv("EDGEWIKI_CHANNEL", "mine")
    assert load_settings().channel == "mine"


@pytest.mark.parametrize(
    ("places", "text", "message"),
    [
        ("vault:x", "{}", "'vault:x' is no place: give ssm:<parameter> or secretsmanager:<id>"),
        ("secretsmanager:", "{}", "'secretsmanager:' is no place"),
        ("ssm:/list", "[]", "ssm:/list holds no JSON object"),
        ("ssm:/text", LONG, "ssm:/text holds no JSON object"),
        ("ssm:/typo", '{"EDGEWIKI_APIKEYS": ""}', "EDGEWIKI_APIKEYS, in EDGEWIKI_SECRETS, is no"),
    ],
)
def test_what_is_kept_there_has_to_be_settings(
    keep: Any, monkeypatch: pytest.MonkeyPatch, places: str, text: str, message: str
) -> None:
    keep(f"/{places.rpartition('/')[2].replace(':', '-')}", text)
    monkeypatch.setenv("EDGEWIKI_SECRETS", places)
    with pytest.raises(ConfigError) as raised:
        load_settings()
    assert message in str(raised.value)
    assert LONG not in str(raised.value)


@pytest.mark.parametrize("place", ["ssm:/nothing-here", "secretsmanager:nothing-here"])
def test_a_place_that_is_not_there_is_named(
    keep: Any, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    assert keep
    monkeypatch.setenv("EDGEWIKI_SECRETS", place)
    with pytest.raises(UnavailableError, match=f"{place} cannot be read"):
        load_settings()
