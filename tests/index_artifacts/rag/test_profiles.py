"""RAG profiles: which one is meant, and what it lets through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.config import load_config
from index_artifacts.errors import ConfigError, QueryError
from index_artifacts.rag.profiles import Profile, resolve_profile

if TYPE_CHECKING:
    from pathlib import Path

TOML = """
[[collections]]
name = "people"
path = "people"

[[collections]]
name = "wiki"

[[rag_profiles]]
name = "widget"
mode = "selected"
collections = ["people"]
limit = 3
max_tokens = 2000
max_chars = 900
rules = ["Answer in one sentence."]

[[rag_profiles]]
name = "mute"
mode = "none"
"""


@pytest.fixture
def manifest(tmp_path: Path) -> dict[str, object]:
    """The settings as a manifest holds them."""
    (tmp_path / "edgewiki.toml").write_text(TOML)
    return load_config(tmp_path).published_part()


def test_a_profile_comes_out_of_the_manifest_as_it_was_written(
    manifest: dict[str, object],
) -> None:
    assert resolve_profile(manifest, "widget", "") == Profile(
        "widget", "selected", ("people",), 3, 2000, 900, ("Answer in one sentence.",)
    )


def test_the_request_goes_before_the_key_and_the_key_before_the_default(
    manifest: dict[str, object],
) -> None:
    profiles = manifest["rag_profiles"]
    assert isinstance(profiles, list)
    profiles.append({**profiles[0], "name": "default"})
    names = [
        resolve_profile(manifest, requested, of_key).name
        for requested, of_key in [("widget", "mute"), ("", "mute"), ("", "")]
    ]
    assert names == ["widget", "mute", "default"]


def test_without_any_profile_everything_is_as_usual(manifest: dict[str, object]) -> None:
    assert resolve_profile(manifest, "", "") == Profile()
    assert resolve_profile({}, "", "") == Profile()


@pytest.mark.parametrize(("requested", "of_key"), [("robot", ""), ("", "robot"), ("default", "")])
def test_an_unknown_profile_is_refused_with_those_that_there_are(
    manifest: dict[str, object], requested: str, of_key: str
) -> None:
    with pytest.raises(QueryError, match="is unknown; this version has: mute, widget"):
        resolve_profile(manifest, requested, of_key)


def test_a_version_without_profiles_says_so() -> None:
    with pytest.raises(QueryError, match="'robot' is unknown; this version has: none"):
        resolve_profile({}, "robot", "")


def test_a_selection_is_narrowed_and_never_left() -> None:
    profile = Profile("widget", "selected", ("people", "wiki"))
    assert profile.narrow(()) == ("people", "wiki")
    assert profile.narrow(("wiki",)) == ("wiki",)
    with pytest.raises(QueryError, match=r"'secret' is not in .* 'widget', which has: people, wi"):
        profile.narrow(("wiki", "secret"))
    assert Profile("all").narrow(("secret",)) == ("secret",)


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ('mode = "selected"', "needs them"),
        ('collections = ["wiki"]', 'belong to mode = "selected"'),
        ('mode = "none"\ncollections = ["wiki"]', 'belong to mode = "selected"'),
        ('mode = "some"', "Input should be 'all', 'selected' or 'none'"),
        ('mode = "selected"\ncollections = ["pepole"]', "names the collection 'pepole'"),
        ("limit = 51", "less than or equal to 50"),
        ("max_chars = -1", "greater than or equal to 0"),
        ('rules = [""]', "rules.0"),
        ('colour = "red"', "colour"),
    ],
)
def test_a_profile_that_makes_no_sense_stops_the_build(
    tmp_path: Path, profile: str, message: str
) -> None:
    (tmp_path / "edgewiki.toml").write_text(f'[[rag_profiles]]\nname = "bot"\n{profile}\n')
    with pytest.raises(ConfigError, match=r"rag_profiles|settings") as caught:
        load_config(tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["", "Bot", "a b", "-x", "x" * 65])
def test_a_profile_has_a_name_that_a_key_can_carry(tmp_path: Path, name: str) -> None:
    (tmp_path / "edgewiki.toml").write_text(f'[[rag_profiles]]\nname = "{name}"\n')
    with pytest.raises(ConfigError, match="name"):
        load_config(tmp_path)


def test_two_profiles_of_one_name_stop_the_build(tmp_path: Path) -> None:
    (tmp_path / "edgewiki.toml").write_text(2 * '[[rag_profiles]]\nname = "bot"\n')
    with pytest.raises(ConfigError, match="two RAG profiles share a name: bot, bot"):
        load_config(tmp_path)


def test_profiles_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_RAG_PROFILES", '[{"name": "bot", "limit": 2}]')
    [profile] = load_config(tmp_path).rag_profiles
    assert (profile.name, profile.mode, profile.limit) == ("bot", "all", 2)
