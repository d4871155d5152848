"""The graph of a small department's wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.index import Index
from tests.index_artifacts.graph.graph_wiki import PAGES, graph_of
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact
    from index_artifacts.graph.search import Graph

LANGUAGES = ("sk", "cs", "pl", "ru", "en")


@pytest.fixture(scope="session")
def graph_artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    return build(tmp_path_factory.mktemp("graph"), PAGES, languages=LANGUAGES)


@pytest.fixture(scope="session")
def graph_index(graph_artifact: Artifact) -> Index:
    return Index(graph_artifact)


@pytest.fixture(scope="session")
def graph(graph_index: Index) -> Graph:
    return graph_of(graph_index)
