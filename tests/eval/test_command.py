"""``edgewiki eval`` as its user meets it."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import edgewiki
from eval.golden_set import QUESTIONS_FILE
from tests.eval.golden_files import ACCOUNT, BASIL, PORT, QUESTIONS, write_golden
from tests.tiny_wiki import build_and_publish


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tiny wiki's ``artifact`` and the ``store`` that serves it."""
    folder = tmp_path_factory.mktemp("published")
    build_and_publish(folder / "store", folder)
    return folder


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A golden set in the current folder."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return write_golden(Path("golden"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run ``edgewiki eval …``; return its exit code and what it printed."""

    def call(*arguments: object) -> tuple[int, str, str]:
        words = [str(argument) for argument in arguments]
        monkeypatch.setattr(sys, "argv", ["edgewiki", "eval", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            edgewiki.main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return call


def test_help_is_that_of_eval_and_of_its_commands(run: Any, golden: Path) -> None:
    assert golden.exists()
    code, out, _ = run("--help")
    assert code == 0
    for command in ("run", "compare", "check"):
        assert re.search(rf"^\W*{command}\b", out, re.MULTILINE), command
    assert "--baseline" in run("run", "--help")[1]


def test_json_has_the_figures_of_each_system(run: Any, golden: Path, published: Path) -> None:
    artifact = published / "artifact"
    code, out, err = run("run", golden, "--artifact", artifact, "--json", "--systems", "flat,lemma")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["questions"], found["left_out"], found["test_looks"]) == (2, 1, 0)
    whole = [row for row in found["rows"] if (row["group"], row["level"]) == ("all", "page")]
    assert {row["system"]: row["metrics"]["hit@1"][0] for row in whole} == {"flat": 1, "lemma": 1}


def test_a_test_run_says_how_often_that_test_was_looked_at(
    run: Any, golden: Path, published: Path
) -> None:
    store = f"file://{published / 'store'}"
    asked = ("run", golden, "--store", store, "--systems", "lexical", "--split")
    assert "looked at" not in run(*asked, "dev")[1]
    assert "the TEST split of this set was looked at 1 times" in run(*asked, "test")[1]
    assert "the TEST split of this set was looked at 2 times" in run(*asked, "all")[1]


def test_a_run_is_written_and_compared_with_the_next(
    run: Any, golden: Path, published: Path
) -> None:
    asked = ("run", golden, "--artifact", published / "artifact", "--systems", "hybrid,vector")
    assert run(*asked, "--output", "out/a.json")[0] == 0
    assert [path.name for path in Path("out").iterdir()] == ["a.json"]  # no checkpoint is left
    code, out, _ = run(*asked, "--baseline", "out/a.json", "--output", "out/b.json")
    assert code == 0
    assert "difference from the baseline" in out
    code, out, _ = run("compare", "out/b.json", "out/a.json", "--json")
    assert {row["metrics"]["mrr@10"][0] for row in json.loads(out)["compared"]} == {0.0}
    assert "+0.000" in run("compare", "out/b.json", "out/a.json")[1]


class Page(HTMLParser):
    """What an HTML page loads, and whether its elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in {"meta", "img", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_holds_its_charts_and_failures_within_itself(
    run: Any, golden: Path, published: Path
) -> None:
    # Its gold is elsewhere, so it fails; its text must not become markup.
    text = "which port does the <b>server</b> listen on & hum?"
    wrong = {**PORT, "gold_doc": "garden.md", "gold_heading": "Garden", "gold_text": None}
    wrong |= {"question": text, "lang": "sk"}
    write_golden(golden, [wrong, ACCOUNT, BASIL])
    code, _, err = run(
        "run", golden, "--artifact", published / "artifact", "--systems", "hybrid,lexical",
        "--split", "all", "--html", "report.html",
    )  # fmt: skip
    assert code == 0, err
    page = Page(Path("report.html").read_text(encoding="utf-8"))
    assert not page.open
    # overall, by language and by kind, at both levels; nothing comes from elsewhere
    assert len(page.sources) == 6
    for source in page.sources:
        kind, _, data = source.partition(";base64,")
        assert kind == "data:image/svg+xml"
        root = ElementTree.fromstring(base64.b64decode(data))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert text in page.texts
    assert "garden.md › Garden" in page.texts
    assert any(shown.startswith("1. server.md › Server room") for shown in page.texts)


def test_check_holds_a_set_against_a_version_and_freezes_it(
    run: Any, golden: Path, published: Path
) -> None:
    artifact = published / "artifact"
    assert "4 questions are well formed" in run("check", golden)[1]
    code, out, _ = run("check", golden, "--artifact", artifact, "--freeze", "--json")
    assert (code, json.loads(out)["questions"]) == (0, 4)
    assert run("check", golden, "--freeze")[2].startswith("edgewiki: ")
    write_golden(golden, [*QUESTIONS, {**PORT, "id": "more"}])
    code, _, err = run("check", golden)
    assert code == 2
    assert "is not the frozen set" in err


def test_a_set_that_does_not_fit_is_not_measured(run: Any, golden: Path, published: Path) -> None:
    file = golden / QUESTIONS_FILE
    file.write_text(file.read_text().replace("server.md", "cellar.md"))
    code, out, err = run("run", golden, "--artifact", published / "artifact")
    assert (code, out) == (2, "")
    assert "port: page 'cellar.md' is not in the version" in err


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ((), "say what to measure"),
        (("--artifact", "a", "--store", "file:///b"), "say what to measure"),
        (("--artifact", "a", "--systems", "best"), "system 'best' is unknown"),
        (("--artifact", "a", "--split", "train"), "split 'train' is unknown"),
        (("--artifact", "a", "--baseline", "golden/questions.jsonl"), "is not a run"),
        (("--artifact", "a", "--baseline", "none.json"), "cannot be read as a run"),
    ],
)
def test_a_wrong_flag_is_one_sentence_and_exit_code_2(
    run: Any, golden: Path, flags: tuple[str, ...], reason: str
) -> None:
    code, out, err = run("run", golden, *flags)
    assert (code, out) == (2, "")
    assert err.startswith("edgewiki: ")
    assert reason in err
