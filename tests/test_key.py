"""`edgewiki key`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from edgewiki import app
from functions.access import Caller, KeyRing, Role, parse_api_keys
from index_artifacts.errors import ConfigError


def test_a_key_is_shown_once_and_its_entry_opens_with_it() -> None:
    options = ["--role", "user", "--collection", "wiki", "--collection", "lab"]
    made = CliRunner().invoke(app, ["key", "chat-bot", *options])
    key = made.stderr.strip().rpartition(" ")[2]
    ring = KeyRing(parse_api_keys(json.dumps([json.loads(made.stdout)])))
    assert ring.caller(key) == Caller("chat-bot", Role.USER, frozenset(["wiki", "lab"]))
    assert key not in made.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["two words"], "give a name of letters"), (["bot", "--role", "root"], "role 'root' is")],
)
def test_a_key_that_no_setting_would_take_is_not_made(arguments: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CliRunner().invoke(app, ["key", *arguments], catch_exceptions=False)
