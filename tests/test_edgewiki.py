"""The command line, as its user meets it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import edgewiki
from tests.tiny_wiki import PAGES, write_pages

COMMANDS = [
    "model", "build", "publish", "versions", "rollback", "gc", "channel", "inspect", "search",
    "ask", "serve", "ci", "watch", "eval", "graph",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of one's own, and no settings from outside."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


class Ran:
    """What a command left: its exit code and what it printed."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The error, after checking that it is one line, the only one but for progress."""
        *progress, line = self.err.strip().splitlines()
        assert line.startswith("edgewiki: "), self.err
        assert all(before.endswith("…") for before in progress), self.err
        assert not self.out
        return line.removeprefix("edgewiki: ")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command through ``main``, the function that the installed script calls."""

    def call(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["edgewiki", *arguments])
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "environ", os.environ.copy())  # what a command sets, it takes away
            with pytest.raises(SystemExit) as ended:
                edgewiki.main()
        code = ended.value.code
        printed = capsys.readouterr()
        return Ran(code if isinstance(code, int) else int(code is not None), *printed)

    return call


def wiki(pages: dict[str, str] = PAGES, toml: str = "") -> None:
    """Write a wiki called ``wiki`` that is built with the encoder trained on itself."""
    settings = f'[wiki]\nlanguages = ["en"]\n{toml}\n[model]\nkind = "cooccurrence"\n'
    write_pages(Path("wiki"), {**pages, "edgewiki.toml": settings})


def test_help_lists_every_command(run: Any) -> None:
    shown = run("--help")
    assert shown.code == 0
    for command in COMMANDS:
        assert re.search(rf"^\W*{command}\b", shown.out, re.MULTILINE), command
        assert run(command, "--help").code == 0


def test_a_wiki_is_built_published_searched_and_rolled_back(run: Any) -> None:
    wiki()
    built = run("build", "wiki", "--json")
    assert built.code == 0, built.err
    first = built.json["version"]
    assert built.json["counts"]["documents"] == 3
    assert built.json["embeddings"]["computed"] > 0

    published = run("publish", "wiki", "--json")
    assert published.json["version"] == first
    assert published.json["moved"]

    found = run("search", "administrator account", "--wiki", "wiki", "--json")
    assert found.code == 0
    assert found.json["index_version"] == first
    assert found.json["hits"][0]["chunk_id"] == "server.md#1"

    again = run("build", "wiki", "--json").json
    assert (again["version"], again["embeddings"]["computed"]) == (first, 0)
    republished = run("publish", "wiki", "--json").json
    assert (republished["uploaded"], republished["moved"]) == (0, False)

    wiki({**PAGES, "walrus.md": "# Walrus\n\nA walrus lives in the pond.\n"})
    second = run("build", "wiki", "--json").json["version"]
    assert second != first
    assert run("publish", "wiki").code == 0
    rows = run("versions", "wiki", "--json").json
    assert {row["version"]: row["channels"] for row in rows} == {first: [], second: ["latest"]}

    walrus = ("search", "walrus", "--wiki", "wiki", "--mode", "lexical", "--json")
    assert run(*walrus).json["status"] == "ok"
    assert first in run("rollback", "wiki", "--reason", "no walruses").err
    assert run(*walrus).json["status"] == "no_hits"
    assert run("rollback", "wiki", "--to", second).code == 0
    assert run(*walrus).json["status"] == "ok"

    wiki({**PAGES, "heron.md": "# Heron\n\nA heron stands in the pond.\n"})
    third = run("build", "wiki", "--json").json["version"]
    assert run("publish", "wiki").code == 0
    collect = ("gc", "wiki", "--keep", "1", "--grace-hours", "0", "--json")
    would = run(*collect, "--dry-run").json
    assert (would["versions"], would["dry_run"]) == ([first], True)
    assert len(run("versions", "wiki", "--json").json) == 3
    assert run(*collect).json == {**would, "dry_run": False}
    kept = {row["version"] for row in run("versions", "wiki", "--json").json}
    assert kept == {second, third}  # what is served, and what one could roll back to
    assert run(*walrus).json["index_version"] == third
    assert run("rollback", "wiki").code == 0
    assert run(*walrus).json["index_version"] == second

    inspected = run("inspect", "--json").json
    assert inspected["version"] == third
    assert "index.sqlite" in {entry["name"] for entry in inspected["files"]}


def test_people_get_tables_and_plain_lines(run: Any) -> None:
    wiki({**PAGES, "broken.md": "# Broken\n\n[nowhere](nowhere.md)\n"})
    built = run("build", "wiki")
    assert "embeddings computed" in built.out
    assert "broken-link" in built.out
    assert "nowhere.md" in built.out
    lines = built.err.splitlines()
    assert "reading …" in lines
    assert not re.search(r"[\x1b\r]", built.err + built.out)  # no cursor is moved in a log
    assert "latest now serves" in run("publish", "wiki").out
    assert "latest" in run("versions", "wiki").out
    assert "deleted 0 versions" in run("gc", "wiki").out
    shown = run("inspect").out
    assert "encoder  cooccurrence" in shown
    assert "no answer, by lexical evidence" in shown
    assert "broken-link" in run("inspect", "--report").out
    shown = run("search", "printer tonr", "--wiki", "wiki")
    assert "1. Printer" in shown.out
    assert "printer.md:" in shown.out
    assert "looked up 'toner' instead of 'tonr'" in shown.out
    assert "version " in shown.out


def test_a_question_without_an_answer_says_why(run: Any) -> None:
    wiki()
    run("build", "wiki")
    run("publish", "wiki")
    shown = run("search", "???", "--wiki", "wiki")
    assert shown.code == 0
    assert "the query holds no words" in shown.out


def test_the_prepared_model_is_ready_at_once(model_folder: Path, run: Any) -> None:
    ready = run("model", "--target", str(model_folder))
    assert ready.code == 0
    assert f"the model is ready in {model_folder}" in ready.err.replace("\n", "")


def built_and_published(run: Any) -> None:
    wiki()
    assert run("build", "wiki").code == 0
    assert run("publish", "wiki").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["build", "missing", "--model", "cooccurrence"], 3, r"missing is not a folder"),
        (["publish"], 5, r"\.edgewiki/artifact.*: run `?edgewiki build"),
        (["inspect"], 5, r"holds no artifact: run `edgewiki build`"),
        (["search", "x"], 5, r"channel 'latest' has no version yet: run edgewiki publish"),
        (["search", "x", "--store", "ftp://host/x"], 2, r"scheme 'ftp' is unknown; use file://"),
        (["versions", "--store", "ftp://host/x"], 2, r"scheme 'ftp' is unknown; use file://"),
        (["rollback"], 5, r"channel 'latest' has no version yet"),
        (["search", "x", "--channel", "Not A Channel"], 2, r"channel 'Not A Channel': use 1 to"),
        (["search", "x", "--mode", "psychic"], 2, r"mode: Input should be 'hybrid', 'lexical'"),
        (["search", "x" * 2001], 2, r"query: "),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_an_exit_code(
    run: Any, arguments: list[str], code: int, message: str
) -> None:
    ran = run(*arguments)
    assert ran.code == code, ran.err
    assert re.search(message, ran.sentence)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("colour = 'red'", r"edgewiki\.toml: \[wiki\] colour is unknown; known here: root"),
        ("languages = 5", r"edgewiki\.toml: not valid TOML"),  # twice
        ("publication = 'maybe'", r"publication: .*'maybe'"),
        ("[chunking]\nmax_tokens = 'many'", r"chunk_max_tokens: .*'many'"),
    ],
)
def test_a_wrong_setting_names_the_file_and_the_key(run: Any, toml: str, message: str) -> None:
    wiki(toml=toml)
    for command in ("build", "publish", "versions"):
        ran = run(command, "wiki")
        assert ran.code == 2
        assert re.search(message, ran.sentence)


def test_a_missing_model_says_how_to_get_one(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_MODEL_DIR", str(tmp_path / "no-model"))
    write_pages(Path("wiki"), PAGES)
    ran = run("build", "wiki")
    assert ran.code == 4
    assert re.search(r"no-model.*run `edgewiki model`", ran.err.splitlines()[-1])
    assert "Traceback" not in ran.err


def test_an_unknown_collection_is_refused(run: Any) -> None:
    built_and_published(run)
    ran = run("search", "printer", "--wiki", "wiki", "--collection", "teachers")
    assert ran.code == 2
    assert ran.sentence == "collection 'teachers' is unknown; there are: wiki"


def test_a_version_that_was_never_published_cannot_be_served(run: Any) -> None:
    built_and_published(run)
    ran = run("rollback", "wiki", "--to", "nothing-like-it")
    assert ran.code == 5
    assert "nothing-like-it" in ran.sentence


def git(*arguments: str) -> None:
    identity = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "T"), ("EMAIL", "t@example.org"))
    }
    subprocess.run(
        ["git", "-C", "wiki", *arguments], check=True, capture_output=True,
        env={**os.environ, **identity, "GIT_CONFIG_GLOBAL": os.devnull},
    )  # fmt: skip


def test_an_older_commit_is_not_published_unless_forced(run: Any) -> None:
    wiki()
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    assert run("build", "wiki", "--output", "old").code == 0
    (Path("wiki") / "garden.md").write_text("# Garden\n\nOnly basil is left.\n")
    git("commit", "-q", "-a", "-m", "second")
    assert run("build", "wiki", "--output", "new").code == 0
    assert run("publish", "wiki", "--artifact", "new").code == 0
    refused = run("publish", "wiki", "--artifact", "old", "--json")
    assert refused.code == 8
    assert "is an ancestor of it: publish with --force" in refused.sentence
    assert run("publish", "wiki", "--artifact", "old", "--force").code == 0


def test_strict_fails_where_a_page_was_degraded(run: Any) -> None:
    wiki({**PAGES, "empty.md": "---\ntitle: Nothing below\n---\n"})
    ran = run("build", "wiki", "--strict")
    assert ran.code == 3
    assert not Path(".edgewiki/artifact").exists()
    assert run("build", "wiki").code == 0


def test_an_output_that_is_a_file_is_refused(run: Any) -> None:
    wiki()
    Path("taken").write_text("mine")
    ran = run("build", "wiki", "--output", "taken")
    assert ran.code != 0
    assert "Traceback" not in ran.err
    assert Path("taken").read_text() == "mine"


def test_a_folder_that_cannot_be_written_to_is_one_sentence(run: Any) -> None:
    wiki()
    ran = run("build", "wiki", "--output", "/proc/nowhere/artifact")
    assert ran.code == 1
    assert ran.sentence.startswith("/proc/nowhere")
