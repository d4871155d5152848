"""Entities by their names in any form, what is around them, and paths from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.errors import EntityNotFoundError
from index_artifacts.graph.entities import list_entities, look_up, neighbourhood
from index_artifacts.graph.paths import several_paths, shortest_path
from index_artifacts.graph.pickled import load_graph

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact
    from index_artifacts.graph.search import Graph
    from index_artifacts.graph.tables import Node


def one(graph: Graph, key: str) -> Node:
    (node,) = graph.tables.by_keys([key])
    return node


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Ján Kvetoň", "person:jan-kveton"), ("jana kvetona", "person:jan-kveton"),
        ("Kvetoňovi", "person:jan-kveton"), ("J. Kvetoň", "person:jan-kveton"),
        ("Jna Kvetoň", "person:jan-kveton"), ("Ing. Peter Zelenák, PhD.", "person:peter-zelenak"),
        ("Hruškovej", "person:lucia-hruskova"), ("Милоша Гаверлу", "person:milos-haverla"),
        ("detekcie nenávistnej reči", "thesis:lucia-hruskova/master-2023"),
        ("person:jan-kveton", "person:jan-kveton"), ("servery", "keyword:server"),
        ("niekto celkom iný", None),
    ],
)  # fmt: skip
def test_a_name_leads_to_its_entity(graph: Graph, name: str, key: str | None) -> None:
    found = {node.key for node in look_up(graph.tables, name)}
    assert key in found if key else not found


def test_entities_are_listed_by_prefix_and_type(graph: Graph) -> None:
    named, total = list_entities(graph.tables, "hrus", ["Person"], 10)
    assert [node.name for node in named] == ["Lucia Hrušková", "Martin Hruška", "Martin Hruška"]
    assert total == 3
    second, total = list_entities(graph.tables, "hrus", ["Person"], 1, offset=1)
    assert ([node.name for node in second], total) == (["Martin Hruška"], 3)


def test_around_an_entity_are_its_attributes_and_relations(graph: Graph) -> None:
    around = neighbourhood(graph.tables, "person:jan-kveton", limit=100)
    said = {fact.relation or fact.attribute for fact in around.facts}
    assert said >= {"start_year", "AUTHORED", "HAS_DOCUMENT"}
    assert len(around.facts) == around.total
    assert all(fact.evidence for fact in around.facts)
    assert around.standing
    cut = neighbourhood(graph.tables, "person:jan-kveton", limit=1)
    assert len(cut.facts) < cut.total == around.total
    with pytest.raises(EntityNotFoundError, match="no entity 'person:nobody'"):
        neighbourhood(graph.tables, "person:nobody", limit=1)


def test_a_path_is_a_chain_of_facts(graph: Graph) -> None:
    start, end = one(graph, "person:jan-kveton"), one(graph, "person:lucia-hruskova")
    path = shortest_path(graph.tables, start, end)
    assert path is not None
    here = start.key
    for fact in path:
        assert fact.object
        ends = {fact.subject.key, fact.object.key}
        assert here in ends
        (here,) = ends - {here}
    assert here == end.key
    assert shortest_path(graph.tables, start, start) == ()


def test_networkx_finds_other_ways_too(graph: Graph, graph_artifact: Artifact) -> None:
    pickled = load_graph(graph_artifact.graph)
    start, end = one(graph, "person:jan-kveton"), one(graph, "person:lucia-hruskova")
    paths = several_paths(pickled, graph.tables, start, end, 3)
    assert len(paths) == 3
    shortest = shortest_path(graph.tables, start, end)
    assert shortest is not None
    assert len(paths[0]) == len(shortest) <= len(paths[1]) <= len(paths[2])
    names = [str(path) for path in paths]
    assert not [name for name in names if "Samuel" in name]


def test_what_nothing_joins_has_no_path(graph: Graph) -> None:
    lonely, end = one(graph, "category:student"), one(graph, "topic:pripojenie-cez-vpn")
    collection = one(graph, "collection:wiki")
    path = shortest_path(graph.tables, lonely, end)
    # That both are in the wiki joins nothing.
    assert path is None or all(fact.object != collection for fact in path)
