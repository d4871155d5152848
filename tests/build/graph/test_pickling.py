"""The pickled graph: what it holds, and that its bytes are always the same."""

from __future__ import annotations

import os
import pickletools
import subprocess
import sys
from typing import TYPE_CHECKING

from build.graph.pickling import dump_graph, to_networkx
from index_artifacts.graph.pickled import load_graph

if TYPE_CHECKING:
    from pathlib import Path

    from tests.build.graph.conftest import Compile
    from tests.graph_wiki import Built

PAGES = {
    "students/2019/jan_malik/README.md": "# Ján Malík\n\nZačiatok štúdia: 2019\n\n"
    "## Diplomová práca 2024\n\nNázov: O rybách\n\nVedúca: Eva Dubská\n",
    "draft.md": "---\npublished: false\ntags: [Tajné]\n---\n# Koncept\n\nText.\n",
}


def dumped(built: Built) -> bytes:
    return dump_graph(to_networkx(built.graph, {d.path: d for d in built.documents}))


def test_nodes_and_edges_carry_what_the_contract_says(
    compile_pages: Compile, tmp_path: Path
) -> None:
    (tmp_path / "graph.pickle").write_bytes(dumped(compile_pages(PAGES)))
    graph = load_graph(tmp_path / "graph.pickle")
    path = "students/2019/jan_malik/README.md"
    assert graph.nodes["person:jan-malik"] == {
        "type": "Person", "name": "Ján Malík", "page": path, "attributes": {"start_year": 2019},
        "names": (), "source_url": "", "published": True,
        "provenance": (
            (path, 1, 1, "thesis/student-page", None, ""),
            (path, 3, 3, "thesis/start-year-label", None, "start_year"),
        ),
    }  # fmt: skip
    edge = graph.edges["person:eva-dubska", "thesis:jan-malik/master-2024", "SUPERVISED"]
    assert edge == {
        "provenance": ((path, 9, 9, "thesis/supervisor-label", None, ""),), "published": True,
    }  # fmt: skip
    assert list(graph)[:2] == ["person:eva-dubska", "person:jan-malik"]


def test_equal_pages_give_equal_bytes(compile_pages: Compile, demo: Built) -> None:
    assert dumped(compile_pages(PAGES)) == dumped(compile_pages(PAGES, reverse=True))
    assert dumped(demo) == dumped(demo)


DUMP = """
import sys
from build.graph.extraction import extract_graph
from build.graph.pickling import dump_graph, to_networkx
from build.graph.profiles import load_profiles
from build.lemmas import Lemmas
from build.report import Report
from eval.benchmark.department import department
from pathlib import Path
pages = department(40)
graph = extract_graph(pages, Lemmas(), load_profiles(["generic", "thesis"], Path()), Report())
sys.stdout.buffer.write(dump_graph(to_networkx(graph, {page.path: page for page in pages})))
"""


def test_the_bytes_do_not_hang_on_the_processes_hash_seed() -> None:
    dumps = {
        subprocess.run(
            [sys.executable, "-c", DUMP],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(dumps) == 1
    pickletools.optimize(dumps.pop())
