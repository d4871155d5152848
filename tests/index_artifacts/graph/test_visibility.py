"""Nothing of a page that may not be seen is in any field of the graph's answers."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.errors import QueryError
from index_artifacts.graph.entities import list_entities, look_up
from index_artifacts.graph.search import open_graph
from index_artifacts.search_records import SearchRequest
from tests.index_artifacts.graph.graph_wiki import graph_of

if TYPE_CHECKING:
    from index_artifacts.graph.search import Graph
    from index_artifacts.index import Index

SECRETS = ("Samuel", "Tichý", "formulár", "samuel_tichy")


def told(graph: Graph, question: str) -> str:
    found = asdict(graph.search(question))
    return json.dumps(found, default=str, ensure_ascii=False)


@pytest.mark.parametrize(
    "question",
    ["Koľko študentov viedla Alžbeta Turčanová?", "Ktoré práce viedla Alžbeta Turčanová?",
     "Ktorí študenti začali študovať v roku 2022?", "Ktoré práce sú z roku 2025?"],
)  # fmt: skip
def test_unpublished_pages_give_no_fact(graph: Graph, question: str) -> None:
    shown = told(graph, question)
    assert not [secret for secret in SECRETS if secret in shown]


def test_a_person_of_an_unpublished_page_is_nobody(graph: Graph, graph_index: Index) -> None:
    question = "Kto viedol Samuela Tichého?"
    assert graph.search(question).outcome == "unknown_entity"
    assert look_up(graph.tables, "Samuel Tichý") == ()
    assert look_up(graph.tables, "person:samuel-tichy") == ()
    assert list_entities(graph.tables, "samuel", (), 10) == ((), 0)
    everything = graph_of(graph_index, published_only=False)
    assert everything.search(question).outcome == "answered"


def test_facts_of_other_collections_are_not_there(graph_index: Index) -> None:
    wiki = graph_of(graph_index, collections=("wiki",))
    assert wiki.search("Kto viedol Jána Kvetoňa?").outcome != "answered"
    assert {node.page for node in wiki.tables.of_types(["Document"])} == {
        "teachers/zelenak/README.md", "topics/rag/README.md", "navody/vpn/README.md",
        "navody/tlac/README.md",
    }  # fmt: skip
    # Who is named on pages of both is seen without what only the other pages say.
    (person,) = wiki.tables.by_keys(["person:peter-zelenak"])
    assert not wiki.tables.edges(sources=[person.id], relations=["SUPERVISED"])


@pytest.mark.parametrize("limits", [{"tags": ("rag",)}, {"authors": ("Alžbeta Turčanová",)}])
def test_filters_limit_the_pages_that_facts_stand_on(
    graph_index: Index, limits: dict[str, Any]
) -> None:
    whole, part = graph_of(graph_index), graph_of(graph_index, **limits)
    question = "Koľko prác viedol Peter Zelenák?"
    assert part.search(question).values[0] < whole.search(question).values[0]


def test_a_profile_that_searches_nothing_sees_nothing(graph_index: Index) -> None:
    mute = open_graph(graph_index, SearchRequest(query=""), nothing=True)
    assert mute.tables.counts() == {"entities": {}, "relations": {}}
    assert mute.search("Kto viedol Jána Kvetoňa?").outcome == "unknown_entity"


def test_an_unknown_collection_is_an_error(graph_index: Index) -> None:
    with pytest.raises(QueryError, match="collection 'x' is unknown"):
        graph_of(graph_index, collections=("x",))
