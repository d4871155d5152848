"""Settings: file, then environment, then flags; a wrong one is named with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.config import BuildConfig, load_config
from build.config_file import CONFIG_FILE, TOML_KEYS
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in BuildConfig.model_fields:
        monkeypatch.delenv(f"EDGEWIKI_{name.upper()}", raising=False)


def write(tmp_path: Path, toml: str) -> Path:
    (tmp_path / CONFIG_FILE).write_text(toml, encoding="utf-8")
    return tmp_path


def test_without_a_file_every_setting_has_its_default(tmp_path: Path) -> None:
    config = load_config(tmp_path)
    sizes = (config.chunk_max_tokens, config.chunk_overlap_tokens, config.chunk_min_tokens)
    assert sizes == (450, 70, 80)
    assert (config.model, config.channel, config.publication) == ("onnx", "latest", "exclude")
    assert [collection.name for collection in config.collections] == ["wiki"]


def test_the_file_sets_what_it_names(tmp_path: Path) -> None:
    toml = """
        [wiki]
        languages = ["sk", "en"]
        exclude = ["templates/", "!templates/keep.md"]
        fallback_encoding = "windows-1250"
        [chunking]
        max_tokens = 300
        [model]
        kind = "cooccurrence"
        folder = "/models/e5"
        [[collections]]
        name = "people"
        path = "./people/"
        [[collections]]
        name = "rest"
        """
    config = load_config(write(tmp_path, toml))
    assert config.languages == ("sk", "en")
    assert config.exclude == ("templates/", "!templates/keep.md")
    assert config.fallback_encoding == "cp1250"
    assert (config.chunk_max_tokens, config.chunk_overlap_tokens) == (300, 70)
    assert (config.model, str(config.model_dir)) == ("cooccurrence", "/models/e5")
    assert [(c.name, c.path) for c in config.collections] == [("people", "people"), ("rest", "")]


def test_a_variable_wins_over_the_file_and_a_flag_over_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, '[store]\nurl = "file://a"\nchannel = "a"\n[wiki]\nlanguages = ["sk"]\n')
    monkeypatch.setenv("EDGEWIKI_STORE", "file://b")
    monkeypatch.setenv("EDGEWIKI_CHANNEL", "b")
    monkeypatch.setenv("EDGEWIKI_SIGNING_KEY", "is no setting of a build")
    config = load_config(tmp_path, channel="c", store=None)
    assert (config.store, config.channel, config.languages) == ("file://b", "c", ("sk",))


def test_a_variable_is_judged_together_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, '[chunking]\nmax_tokens = 1000\n[model]\nurl = "https://x"\nname = "m"\n')
    monkeypatch.setenv("EDGEWIKI_CHUNK_OVERLAP_TOKENS", "300")
    monkeypatch.setenv("EDGEWIKI_MODEL", "remote")
    config = load_config(tmp_path)
    assert (config.chunk_max_tokens, config.chunk_overlap_tokens) == (1000, 300)
    assert (config.model, config.model_url) == ("remote", "https://x")


def test_lists_in_variables_are_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWIKI_LANGUAGES", '["sk", "pl"]')
    monkeypatch.setenv("EDGEWIKI_COLLECTIONS", '[{"name": "a", "path": "a"}, {"name": "b"}]')
    config = load_config(tmp_path)
    assert config.languages == ("sk", "pl")
    assert [collection.name for collection in config.collections] == ["a", "b"]
    monkeypatch.setenv("EDGEWIKI_LANGUAGES", "sk,pl")
    with pytest.raises(ConfigError, match=r"languages.*is written as JSON"):
        load_config(tmp_path)


def test_every_setting_has_a_place_in_the_file_and_a_description() -> None:
    fields = BuildConfig.model_fields
    assert {*TOML_KEYS.values(), "sources", "collections", "rag_profiles"} == fields.keys()
    assert len(set(TOML_KEYS.values())) == len(TOML_KEYS)
    assert all(field.description for field in fields.values())


OTHER = {
    "root": "'docs'", "source_url": "'https://x/{path}'", "languages": "['pl']",
    "default_language": "'pl'", "fallback_encoding": "'cp1250'", "publication": "'mark'",
    "exclude": "['x']", "chunk_max_tokens": "300", "chunk_overlap_tokens": "9",
    "chunk_min_tokens": "9", "sentence_vectors": "'off'", "model": "'cooccurrence'",
    "graph_profiles": "['thesis']", "gate_enabled": "false", "gate_margin": "0.5",
    "gate_metrics": "['hit@1']", "summaries": "'none'",
    "summaries_url": "'https://x/v1'", "summaries_max_tokens": "999",
    "summaries_timeout_seconds": "9", "summaries_workers": "9",
}  # fmt: skip


@pytest.mark.parametrize(("place", "name"), TOML_KEYS.items(), ids=TOML_KEYS.values())
def test_every_key_of_the_file_reaches_its_setting_alone(
    tmp_path: Path, place: tuple[str, str], name: str
) -> None:
    section, key = place
    config = load_config(
        write(tmp_path, f"[{section}]\n{key} = {OTHER.get(name, repr('other'))}\n")
    )
    found, default = config.model_dump(), BuildConfig().model_dump()
    assert [setting for setting in default if found[setting] != default[setting]] == [name]


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("[wiki]\nlangs = []\n", ["[wiki] langs is unknown", "languages", "source_url"]),
        ("[wikis]\nroot = '.'\n", ["[wikis] root is unknown", "chunking", "store"]),
        ("root = '.'\n", ["'root' stands outside every [section]"]),
        ("[wiki\n", ["not valid TOML"]),
        ("[chunking]\nmax_tokens = 'many'\n", ["chunk_max_tokens", "'many'"]),
        ("[chunking]\nmax_tokens = 3\n", ["chunk_max_tokens", "16", "given: 3"]),
        ("[chunking]\noverlap_tokens = -1\n", ["chunk_overlap_tokens", "given: -1"]),
        ("[chunking]\noverlap_tokens = 300\n", ["half of chunk_max_tokens"]),
        ("[summaries]\nkind = 'model'\n", ['summaries = "model"', "summaries_url"]),
        ("[summaries]\nurl = 'https://me:secret@x'\n", ["a key is no part of it"]),
        ("[chunking]\nmin_tokens = 451\n", ["chunk_min_tokens may not exceed"]),
        ("[wiki]\nlanguages = []\n", ["languages", "ISO 639"]),
        ("[wiki]\nlanguages = ['slovak']\n", ["languages", "ISO 639"]),
        ("[wiki]\nfallback_encoding = 'cp9999'\n", ["fallback_encoding", "cp9999", "cp1250"]),
        ("[wiki]\npublication = 'hide'\n", ["publication", "'hide'", "mark"]),
        ("[wiki]\nsource_url = 'https://x/{slug}'\n", ["source_url", "slug", "route"]),
        ("[wiki]\nsource_url = 'https://x/{'\n", ["source_url", "placeholder"]),
        ("[wiki]\nsource_url = '{path.nothing}'\n", ["source_url", "placeholder"]),
        ("[wiki]\nexclude = ['!']\n", ["exclude", "'!' is no gitignore pattern"]),
        ("[model]\nkind = 'remote'\n", ["needs model_url and model_name"]),
        ("[model]\nkind = 'bert'\n", ["model", "'bert'", "cooccurrence"]),
        ("[[collections]]\nname = 'A b'\n", ["collections.0.name", "'A b'"]),
        ("[[collections]]\npath = 'a'\n", ["collections.0.name"]),
        ("[[collections]]\nname = 'a'\npath = '../b'\n", ["collections.0.path", "leave the wiki"]),
        ("[[collections]]\nname = 'a'\nurl = 'x'\n", ["collections.0.url"]),
        ("[[collections]]\nname = 'a'\nsource_url = '{slug}'\n", ["0.source_url", "slug"]),
        ("[[collections]]\nname='a'\n[[collections]]\nname='a'\n", ["share a name"]),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named_with_its_file(
    tmp_path: Path, toml: str, words: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, toml))
    for word in [*words, CONFIG_FILE]:
        assert word in str(caught.value)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWIKI_CHUNK_MAX_TOKENS", "lots")
    with pytest.raises(ConfigError, match=r"given: 'lots'.*EDGEWIKI_CHUNK_MAX_TOKENS"):
        load_config(tmp_path)


def test_a_wrong_flag_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model: .*given: 'bert'"):
        load_config(tmp_path, model="bert")


def test_what_does_not_decide_the_content_is_no_part_of_a_version(tmp_path: Path) -> None:
    here = load_config(tmp_path, store="file://a", channel="a", model_dir="/a")
    there = load_config(tmp_path, store="s3://b/c", channel="b", model_dir="/b")
    assert here.published_part() == there.published_part()
    assert load_config(tmp_path, chunk_max_tokens=300).published_part() != here.published_part()
