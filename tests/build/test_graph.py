"""The graph: what it holds, that its bytes are always the same, and what is never loaded."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from build.graph import build_graph, dump_graph
from index_artifacts.errors import GraphError
from index_artifacts.graph import load_graph
from index_artifacts.records import Document, Link

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = [
    Document(
        "b.md", "wiki", "Druhá", "sk", "", "",
        authors=("Jana Mokrá",), tags=("server", "NLP"), categories=("dp2024",),
        links=(
            Link("a.md", "markdown", 1, document="a.md"),
            Link("a", "wikilink", 2, document="a.md"),
            Link("#x", "markdown", 3, document="b.md"),
            Link("gone", "wikilink", 4),
        ),
    ),
    Document("a.md", "wiki", "Prvá", "sk", "", "", authors=("jana  mokrá",), tags=("Server",)),
]  # fmt: skip


def test_documents_facets_and_links_are_nodes_and_edges() -> None:
    graph = build_graph(DOCUMENTS)
    assert {node: graph.nodes[node]["kind"] for node in graph} == {
        "author:jana mokrá": "author",
        "category:dp2024": "category",
        "document:a.md": "document",
        "document:b.md": "document",
        "tag:nlp": "tag",
        "tag:server": "tag",
    }
    assert set(graph.edges(data="relation")) == {
        ("author:jana mokrá", "document:a.md", "AUTHORED_DOCUMENT"),
        ("author:jana mokrá", "document:b.md", "AUTHORED_DOCUMENT"),
        ("document:a.md", "tag:server", "HAS_KEYWORD"),
        ("document:b.md", "tag:server", "HAS_KEYWORD"),
        ("document:b.md", "tag:nlp", "HAS_KEYWORD"),
        ("document:b.md", "category:dp2024", "IN_CATEGORY"),
        ("document:b.md", "document:a.md", "LINKS_TO"),
    }
    assert graph.nodes["document:b.md"]["label"] == "Druhá"


def test_spellings_of_one_value_are_one_node_in_any_order() -> None:
    one, other = build_graph(DOCUMENTS), build_graph(reversed(DOCUMENTS))
    assert one.nodes["tag:server"]["label"] == other.nodes["tag:server"]["label"] == "Server"
    assert dump_graph(one) == dump_graph(other)


def test_a_dumped_graph_loads_again(tmp_path: Path) -> None:
    graph = build_graph(DOCUMENTS)
    (tmp_path / "graph.pickle").write_bytes(dump_graph(graph))
    loaded = load_graph(tmp_path / "graph.pickle")
    assert nx.utils.graphs_equal(loaded, graph)


def test_no_documents_are_an_empty_graph(tmp_path: Path) -> None:
    (tmp_path / "graph.pickle").write_bytes(dump_graph(build_graph([])))
    assert load_graph(tmp_path / "graph.pickle").number_of_nodes() == 0


DUMP = """
import sys
from build.graph import build_graph, dump_graph
from index_artifacts.records import Document, Link
tags = tuple(f"t{n}" for n in range(50))
pages = [
    Document(f"{n}.md", "w", f"T{n}", "en", "", "", authors=("A", "B"), tags=tags[n:n + 9],
             links=(Link("x", "wikilink", 1, document=f"{(n * 7) % 20}.md"),))
    for n in range(20)
]
sys.stdout.buffer.write(dump_graph(build_graph(pages)))
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
    assert dumps.pop()


class Hostile:
    """Unpickled by an ordinary unpickler, it runs a command."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (self.command,)


def test_a_hostile_pickle_is_refused_and_nothing_is_executed(tmp_path: Path) -> None:
    trace = tmp_path / "executed"
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("a", label=Hostile(f"touch {trace}"))
    path = tmp_path / "graph.pickle"
    for content in (Hostile(f"touch {trace}"), [Hostile(f"touch {trace}")], graph):
        path.write_bytes(pickle.dumps(content))
        with pytest.raises(GraphError, match="system"):
            load_graph(path)
        assert not trace.exists()


@pytest.mark.parametrize(
    "content",
    [{"nodes": []}, [1, 2], "graph", nx.Graph(), frozenset({1}), complex(1, 2)],
    ids=lambda content: type(content).__name__,
)
def test_a_pickle_of_something_else_is_refused(tmp_path: Path, content: object) -> None:
    path = tmp_path / "graph.pickle"
    path.write_bytes(pickle.dumps(content))
    with pytest.raises(GraphError):
        load_graph(path)


def test_what_is_no_whole_pickle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph.pickle"
    whole = dump_graph(build_graph(DOCUMENTS))
    for data in (b"", b"not a pickle", whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(data)
        with pytest.raises(GraphError):
            load_graph(path)
