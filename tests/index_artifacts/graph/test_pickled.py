"""Opening a pickled graph: what is admitted, and what is refused and never executed."""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from index_artifacts.errors import GraphError
from index_artifacts.graph.pickled import load_graph

if TYPE_CHECKING:
    from pathlib import Path


def small_graph() -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("person:jan-malik", type="Person", attributes={"start_year": 2019}, names=())
    graph.add_edge("person:jan-malik", "document:a.md", key="HAS_DOCUMENT", provenance=((1, None),))
    return graph


def test_a_graph_of_plain_values_loads_again(tmp_path: Path) -> None:
    (tmp_path / "graph.pickle").write_bytes(pickle.dumps(small_graph()))
    loaded = load_graph(tmp_path / "graph.pickle")
    assert nx.utils.graphs_equal(loaded, small_graph())
    assert loaded.has_edge("person:jan-malik", "document:a.md", key="HAS_DOCUMENT")


class Hostile:
    """Unpickled by an ordinary unpickler, it runs a command."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (self.command,)


def test_a_hostile_pickle_is_refused_and_nothing_is_executed(tmp_path: Path) -> None:
    trace = tmp_path / "executed"
    graph = small_graph()
    graph.add_node("a", name=Hostile(f"touch {trace}"))
    path = tmp_path / "graph.pickle"
    for content in (Hostile(f"touch {trace}"), [Hostile(f"touch {trace}")], graph):
        path.write_bytes(pickle.dumps(content))
        with pytest.raises(GraphError, match="system"):
            load_graph(path)
        assert not trace.exists()


@pytest.mark.parametrize(
    "content",
    [{"nodes": []}, [1, 2], "graph", nx.Graph(), nx.DiGraph(), frozenset({1}), complex(1, 2)],
    ids=lambda content: type(content).__name__,
)
def test_a_pickle_of_something_else_is_refused(tmp_path: Path, content: object) -> None:
    path = tmp_path / "graph.pickle"
    path.write_bytes(pickle.dumps(content))
    with pytest.raises(GraphError):
        load_graph(path)


def test_what_is_no_whole_pickle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph.pickle"
    whole = pickle.dumps(small_graph())
    for data in (b"", b"not a pickle", whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(data)
        with pytest.raises(GraphError):
            load_graph(path)
