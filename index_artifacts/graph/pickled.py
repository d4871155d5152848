"""Opening the graph: a pickle, so loaded only once verified, and then by a short list."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import GraphError

if TYPE_CHECKING:
    from pathlib import Path

    import networkx as nx

# All that a pickled graph of plain attributes needs besides the pickle's own opcodes.
_ADMITTED = {("networkx.classes.multidigraph", "MultiDiGraph")}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ADMITTED:
            raise GraphError(f"the graph's pickle asks for {module}.{name}: it is refused")
        return super().find_class(module, name)


def load_graph(path: Path) -> nx.MultiDiGraph[str]:
    """Load a graph whose file was verified against its manifest.

    Raises `GraphError` where it holds anything but a graph of plain values, or was written by
    a networkx that this one cannot read.
    """
    import networkx as nx  # 0.15 s: only who asks for the graph

    try:
        with path.open("rb") as stream:
            graph = _Unpickler(stream).load()
        if not isinstance(graph, nx.MultiDiGraph):
            raise GraphError(f"{path.name} holds a {type(graph).__name__}, not a graph")
        graph.number_of_edges()
    except GraphError:
        raise
    except Exception as error:
        raise GraphError(
            f"{path.name} cannot be read by networkx {nx.__version__}: {error!r}; build it again"
        ) from error
    return graph
