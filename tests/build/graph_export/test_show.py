"""``edgewiki graph show`` as its user meets it."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

import edgewiki
from build.publish import publish
from index_artifacts.file_store import FileStore
from tests.index_artifacts.graph.graph_wiki import PAGES
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact

PAGE = "students/2019/jan_kveton/README.md"


@pytest.fixture(scope="module")
def department(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    return build(tmp_path_factory.mktemp("show"), PAGES, languages=("sk", "en"))


@pytest.fixture
def show(
    department: Artifact, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Run ``edgewiki graph show …``; return its exit code and what it printed."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "160")

    def call(*words: object, opened: bool = True) -> tuple[int, str, str]:
        where = ["--artifact", str(department.folder)] if opened else []
        arguments = ["edgewiki", "graph", "show", *map(str, words), *where]
        monkeypatch.setattr(sys, "argv", arguments)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            edgewiki.main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return call


@pytest.mark.parametrize("name", ["Ján Kvetoň", "jan kveton", "person:jan-kveton"])
def test_an_entity_is_a_tree_with_the_page_and_line_of_every_fact(show: Any, name: str) -> None:
    code, out, _ = show(name)
    assert code == 0
    assert out.splitlines()[0].split() == ["Ján", "Kvetoň", "Person", "person:jan-kveton"]
    assert "AUTHORED →" in out and "Generovanie odpovedí (Thesis)" in out
    lines = [line for line in out.splitlines() if "(Thesis)" in line]
    assert lines and all(f"{PAGE}:" in line for line in lines)


def test_what_stands_around_is_seen_from_both_ends(show: Any) -> None:
    _, out, _ = show("Generovanie odpovedí")
    assert "← SUPERVISED" in out and "Peter Zelenák (Person)" in out


def test_namesakes_are_all_shown(show: Any) -> None:
    _, out, _ = show("Martin Hruška", "--json")
    types = [one["node"]["type"] for one in json.loads(out)]
    assert types == ["Person", "Person", "Document", "Document"]


def test_a_limit_says_how_many_are_left(show: Any) -> None:
    _, out, _ = show("Peter Zelenák", "--limit", "1")
    assert "more: see --limit" in out


def test_a_published_version_needs_no_artifact(
    show: Any, department: Artifact, tmp_path: Path
) -> None:
    store = f"file://{tmp_path / 'store'}"
    publish(department.folder, FileStore(tmp_path / "store"), force=True)
    code, out, _ = show("Ján Kvetoň", "--store", store, "--channel", "latest", opened=False)
    assert code == 0 and "person:jan-kveton" in out


def test_a_name_that_nobody_has_is_an_error_that_names_it(show: Any) -> None:
    code, out, err = show("Zuzana Nijaká")
    assert code != 0 and not out
    assert "Zuzana Nijaká" in err
