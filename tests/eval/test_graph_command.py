"""``edgewiki eval graph`` as its user meets it; what answers is scripted."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import edgewiki
from eval.commands import graph as command
from tests.eval.golden_files import write_golden
from tests.tiny_wiki import PAGES, write_pages

if TYPE_CHECKING:
    from eval.graph_runner import Ask, Response

WELLS = {
    "id": "wells",
    "question": "Kto napísal Studne?",
    "lang": "sk",
    "kind": "fact",
    "gold_doc": "server.md",
    "split": "dev",
    "outcome": "answered",
    "expected": [{"type": "count", "value": 2}],
}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A graph set ``golden`` in the current folder; what its questions are asked as."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_MODEL", "cooccurrence")
    monkeypatch.setenv("EDGEWIKI_LANGUAGES", '["en"]')
    monkeypatch.chdir(tmp_path)
    folder = write_golden(Path("golden"), [WELLS, {**WELLS, "id": "other", "split": "test"}])
    write_pages(folder / "wiki", PAGES)
    texts: list[str] = []

    def ask(text: str) -> Response:
        texts.append(text)
        answers = [{"type": "count", "value": 2}]
        rest = {"candidates": [], "facts": [], "complete": False, "reason": ""}
        return {"outcome": "answered", "answers": answers, **rest}

    def scripted(_state: object) -> Ask:
        return ask

    monkeypatch.setattr(command, "graph_of", scripted)
    return texts


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run ``edgewiki eval graph golden …``; return its exit code and what it printed."""

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["edgewiki", "eval", "graph", "golden", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            edgewiki.main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return call


def test_a_run_is_printed_and_written(run: Any, asked: list[str]) -> None:
    code, out, _ = run("--variant", "no-diacritics", "--json", "--output", "out/run.json")
    assert (code, asked) == (0, ["Kto napisal Studne?"])
    assert json.loads(out)["rows"][0]["metrics"]["strict"][0] == 1.0
    written = json.loads(Path("out/run.json").read_text("utf-8"))
    assert (written["variant"], len(written["outcomes"])) == ("no-diacritics", 1)
    assert not Path("golden/looks.json").exists()


def test_a_look_at_test_is_counted_and_shown(run: Any, asked: list[str]) -> None:
    code, out, _ = run("--split", "test")
    assert (code, len(asked)) == (0, 1)
    assert "looked at 1 times" in out and "Studne" not in out
    assert list(json.loads(Path("golden/looks.json").read_text("utf-8")).values()) == [1]


def test_markdown_is_one_line_for_a_table(run: Any, asked: list[str]) -> None:
    code, out, _ = run("--markdown", "--limit-questions", "1")
    assert (code, len(asked), len(out.splitlines())) == (0, 1, 3)


def test_an_unknown_variant_is_one_sentence(run: Any, asked: list[str]) -> None:
    code, out, err = run("--variant", "shouted")
    assert (code != 0, out, asked) == (True, "", [])
    assert err.count("\n") == 1 and "variant 'shouted' is unknown; use plain" in err
