"""Evidence of pages, of the graph, and of both joined, compared on the same questions."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import edgewiki
from eval.golden_set import load_golden
from eval.graph_contexts import compare_contexts
from functions.settings import load_settings
from functions.state import State
from tests.eval.golden_files import write_golden
from tests.index_artifacts.graph.graph_wiki import PAGES
from tests.tiny_wiki import build_and_publish, write_pages

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact

PAGE = "students/2019/jan_kveton/README.md"
ASKED = {
    "id": "led", "question": "Kto viedol diplomovú prácu Jána Kvetoňa?", "lang": "sk",
    "kind": "fact", "gold_doc": PAGE, "split": "dev", "outcome": "answered",
    "expected": [{"type": "Person", "value": "Peter Zelenák"}],
}  # fmt: skip
COUNTED = {**ASKED, "id": "counted", "expected": [{"type": "count", "value": 1}]}
OUTSIDE = {
    **ASKED, "id": "outside", "question": "Ako sa lúpe zemiak?", "kind": "outside",
    "outcome": "not_understood", "expected": [], "gold_doc": "", "should_answer": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Artifact]:
    folder = tmp_path_factory.mktemp("contexts")
    return folder, build_and_publish(folder / "store", folder, PAGES, languages=("sk", "en"))


def test_only_questions_with_an_answer_in_words_are_compared(
    published: tuple[Path, Artifact], tmp_path: Path
) -> None:
    folder, _ = published
    settings = load_settings(
        store=f"file://{folder / 'store'}", cache_dir=tmp_path / "cache", allow_anonymous=True
    )
    golden = load_golden(write_golden(tmp_path / "golden", [ASKED, COUNTED, OUTSIDE]), "dev")
    seen: list[int] = []
    runs = compare_contexts(State(settings), golden, lambda _, at, of: seen.append(of - at))
    assert seen == [1]
    by_engine = {run.engine: run for run in runs}
    assert set(by_engine) == {"rag", "graph", "joined"}
    assert all(run.questions == 1 for run in runs)
    assert by_engine["graph"].recall == by_engine["joined"].recall == 1.0
    assert 0 < by_engine["graph"].tokens < by_engine["joined"].tokens


def test_the_command_prints_a_table_and_json(
    published: tuple[Path, Artifact],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    write_pages(write_golden(Path("golden"), [ASKED]) / "wiki", PAGES)
    artifact = str(published[1].folder)

    def run(*words: str) -> Any:
        words = ("edgewiki", "eval", "contexts", "golden", "--artifact", artifact, *words)
        monkeypatch.setattr(sys, "argv", list(words))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            edgewiki.main()
        assert not ended.value.code
        return capsys.readouterr().out

    assert [line.split("|")[1].strip() for line in run().splitlines()[2:]] == [
        "rag", "graph", "joined",
    ]  # fmt: skip
    assert [row["engine"] for row in json.loads(run("--json"))] == ["rag", "graph", "joined"]
    assert not Path("golden/looks.json").exists()
