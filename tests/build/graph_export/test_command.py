"""``edgewiki graph export`` as its user meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from build.graph_export import viewer
from build.publish import publish
from index_artifacts.file_store import FileStore
from tests.department_graph import VERSION, write_artifact

ROOT = Path(__file__).parents[3]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder in which npm might have put cytoscape.js."""
    file = tmp_path / "viewer" / "node_modules" / "cytoscape" / "dist" / "cytoscape.min.js"
    file.parent.mkdir(parents=True)
    file.write_text("var cytoscape = '</SCRIPT><!-- <script>';")
    return tmp_path / "viewer"


@pytest.mark.parametrize("name", ["out/graph.json", "graph.graphml", "GRAPH.HTML", "g.htm"])
def test_the_suffix_decides_the_format(
    run: Any, small_department: Path, library: Path, tmp_path: Path, name: str
) -> None:
    code, out, err = run("--artifact", small_department, "--viewer", library, "-o", tmp_path / name)
    assert (code, out) == (0, b"")
    assert f"from version {VERSION}" in err
    start = {"json": b"{\n", "graphml": b"<?xml", "html": b"<!DOCTYPE html>", "htm": b"<!DOCTYPE"}
    written = (tmp_path / name).read_bytes()
    assert written.startswith(start[name.rpartition(".")[2].lower()])
    assert VERSION.encode() in written


def test_the_graph_goes_to_standard_output(run: Any, small_department: Path) -> None:
    code, out, err = run("--artifact", small_department, "-o", "-", "--format", "json")
    assert code == 0
    graph = nx.node_link_graph(json.loads(out), edges="edges")
    assert f"{len(graph)} entities, {graph.number_of_edges()} relations" in err
    assert {"Collection"} < {node["type"] for _, node in graph.nodes(data=True)}


def test_types_and_a_neighbourhood(run: Any, small_department: Path) -> None:
    code, out, _ = run(
        "--artifact", small_department, "-o", "-", "--format", "json",
        "--types", "person,thesis", "--around", "topic:0", "--depth", "2",
    )  # fmt: skip
    assert code == 0
    types = {node["type"] for node in json.loads(out)["nodes"]}
    assert types == {"Person", "Thesis", "Topic"}


def test_a_picture_says_what_it_leaves_out(
    run: Any, small_department: Path, library: Path, tmp_path: Path
) -> None:
    page = tmp_path / "graph.html"
    run("--artifact", small_department, "--viewer", library, "-o", page, "--around", "topic:0")
    text = page.read_text()
    assert "within 1 of topic:0, without Section, Collection" in text
    assert '"types":["Thesis","Work","Topic","Document"]' in text


def test_a_script_in_the_library_cannot_end_early(
    run: Any, small_department: Path, library: Path, tmp_path: Path
) -> None:
    page = tmp_path / "graph.html"
    run("--artifact", small_department, "--viewer", library, "-o", page)
    text = page.read_text()
    assert r"var cytoscape = '\x3c/SCRIPT>\x3c!-- <script>';" in text
    assert text.lower().count("</script") == 3


def test_what_a_channel_serves_is_exported(
    run: Any, small_department: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"file://{tmp_path / 'store'}"
    publish(small_department, FileStore(tmp_path / "store"))
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    wanted = ("-o", "-", "--format", "json")
    code, out, err = run("--store", store, *wanted)
    assert code == 0, err
    assert json.loads(out)["graph"] == {"index_version": VERSION}
    assert out == run("--artifact", small_department, *wanted)[1]
    assert run("--store", store, "--channel", "next", *wanted)[0] == 5
    code, _, err = run("--store", store, "--artifact", small_department, *wanted)
    assert code == 2 and "not both" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", "graph.svg"], "its suffix is none of .html, .htm, .json, .graphml"),
        (["-o", "graph"], "its suffix is none of"),
        (["-o", "-"], "--output - needs --format"),
        (["-o", "graph.json", "--format", "svg"], "--format 'svg' is none of html, json, graphml"),
        (["-o", "graph.json", "--types", "Teacher"], "'Teacher' is none of Person"),
        (["-o", "graph.json", "--around", "Nikto"], "no entity called 'Nikto'"),
        (["-o", "graph.html", "--viewer", "nowhere"], "run `make graph-viewer`"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_written(
    run: Any, small_department: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], told: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, out, err = run("--artifact", small_department, *arguments)
    assert (code, out) == (2, b"")
    assert told in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_library_is_looked_for_where_make_puts_it() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert f"VIEWER := {viewer.DEFAULT_VIEWER.relative_to(ROOT)}\n" in makefile


def test_no_artifact_a_changed_one_and_a_graph_of_old(
    run: Any, graph: nx.MultiDiGraph[str], tmp_path: Path
) -> None:
    wanted = ("-o", tmp_path / "graph.json", "--artifact")
    assert run(*wanted, tmp_path / "none")[0] == 5
    changed = write_artifact(tmp_path / "changed", graph)
    (changed / "graph.pickle").write_bytes(b"another graph")
    code, _, err = run(*wanted, changed)
    assert code == 7 and "build the artifact again" in err
    for node in graph.nodes.values():
        del node["provenance"]
    code, _, err = run(*wanted, write_artifact(tmp_path / "old", graph))
    assert code == 1 and "build the version again" in err


def test_unpublished_entities_are_exported_on_request_alone(
    run: Any, graph: nx.MultiDiGraph[str], tmp_path: Path
) -> None:
    graph.nodes["topic:0"].update(name="Tajomstvo", published=False)
    artifact = write_artifact(tmp_path / "artifact", graph)
    for kind in ("json", "graphml"):
        wanted = ("--artifact", artifact, "-o", "-", "--format", kind)
        assert "Tajomstvo" not in run(*wanted)[1].decode()
        assert "Tajomstvo" in run(*wanted, "--unpublished")[1].decode()


@pytest.mark.parametrize("kind", ["html", "json", "graphml"])
def test_the_bytes_do_not_hang_on_the_processes_hash_seed(
    small_department: Path, library: Path, kind: str
) -> None:
    command = (
        sys.executable, "-m", "edgewiki", "graph", "export", "--artifact", small_department,
        "--viewer", library, "-o", "-", "--format", kind,
    )  # fmt: skip
    written = {
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        ).stdout
        for seed in ("1", "4242")
    }  # fmt: skip
    assert len(written) == 1
    assert written.pop()
