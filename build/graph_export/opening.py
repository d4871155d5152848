"""Opening the graph that is to be exported, by the same path that readers take."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

from build.artifact_folder import open_verified
from index_artifacts.artifact import fetch_channel
from index_artifacts.errors import GraphError
from index_artifacts.graph.pickled import load_graph
from index_artifacts.manifest import GRAPH_FILE
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from build.config import BuildConfig
    from index_artifacts.artifact import Artifact

_NODE = {"type", "name", "page", "attributes", "names", "provenance", "source_url", "published"}
_EDGE = {"provenance", "published"}


def open_folder(folder: Path) -> tuple[nx.MultiDiGraph[str], str]:
    """The graph of an artifact folder, and its version.

    Raises `NotFoundError`, `IntegrityError` and `GraphError`.
    """
    return _opened(open_verified(folder, (GRAPH_FILE,)))


def open_published(config: BuildConfig) -> tuple[nx.MultiDiGraph[str], str]:
    """The graph of what the settings' channel serves, and its version.

    Raises `StoreError`, `IntegrityError` and `GraphError`.
    """
    return _opened(published_artifact(config, GRAPH_FILE))


def published_artifact(config: BuildConfig, file: str) -> Artifact:
    """What the settings' channel serves, with ``file`` of it fetched and verified.

    It is kept in EDGEWIKI_CACHE_DIR, else below the temporary folder. Raises `StoreError` and
    `IntegrityError`.
    """
    cache = os.environ.get("EDGEWIKI_CACHE_DIR") or Path(tempfile.gettempdir(), "edgewiki")
    key = os.environ.get("EDGEWIKI_SIGNING_KEY", "").encode() or None
    return fetch_channel(open_store(config.store), config.channel, Path(cache), (file,), key)


def _opened(artifact: Artifact) -> tuple[nx.MultiDiGraph[str], str]:
    graph = load_graph(artifact.graph)
    _require_knowledge_graph(graph)
    return nx.MultiDiGraph(graph), artifact.manifest.version


def _require_knowledge_graph(graph: nx.DiGraph[str]) -> None:
    whole = graph.is_multigraph()
    whole = whole and all(data.keys() >= _NODE for _, data in graph.nodes(data=True))
    if not (whole and all(data.keys() >= _EDGE for _, _, data in graph.edges(data=True))):
        raise GraphError("the graph was written by another edgewiki: build the version again")
