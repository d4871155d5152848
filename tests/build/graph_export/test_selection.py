"""Which part of a graph is exported, and that nothing unpublished leaves with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import pytest

from build.graph_export.selection import Selection, default_types, find_entity, published_part
from index_artifacts.errors import ConfigError, QueryError
from index_artifacts.graph.model import ENTITY_TYPES

if TYPE_CHECKING:
    Graph = nx.MultiDiGraph[str]

PERSON, PAGE = "person:students-3", "document:students/0003.md"


def unpublish(graph: Graph, path: str) -> None:
    """Do what the build does for an unpublished page: what stands on it alone is unpublished."""
    published = {
        node["page"] for _, node in graph.nodes(data=True) if node["type"] == "Document"
    } - {path}
    for _, node in graph.nodes(data=True):
        node["published"] = any(item[0] in published for item in node["provenance"])
    for _, _, edge in graph.edges(data=True):
        edge["published"] = any(item[0] in published for item in edge["provenance"])


def everything(graph: Graph) -> str:
    """All that a graph says, as one text."""
    return f"{list(graph.nodes(data=True))} {list(graph.edges(keys=True, data=True))}"


def test_an_unpublished_page_leaves_no_trace(graph: Graph) -> None:
    graph.nodes["collection:wiki"]["provenance"] = (
        ("topics/0000.md", 1, 1, "generic.collection", 0, ""),
        ("students/0003.md", 1, 1, "generic.collection", 0, ""),
    )
    unpublish(graph, "students/0003.md")
    shown = published_part(graph)
    assert "students/0003.md" in everything(graph)
    assert "students/0003.md" not in everything(shown)
    assert PERSON not in shown and PAGE not in shown
    assert len(shown.nodes["collection:wiki"]["provenance"]) == 1


def test_an_entity_of_two_pages_keeps_what_the_published_one_says(graph: Graph) -> None:
    hidden, told = "students/0003.md", "teachers/0000.md"
    person = graph.nodes[PERSON]
    person["attributes"] = {"start_year": 2011, "title": "Ing.", "year": 2012}
    person["provenance"] = (
        (hidden, 1, 1, "generic.person", 0, ""), (told, 9, 9, "generic.person", 0, ""),
        (hidden, 5, 5, "thesis.start_year", 0, "start_year"),
        (told, 9, 9, "thesis.title", 0, "title"), (hidden, 2, 2, "thesis.title", 0, "title"),
    )  # fmt: skip
    unpublish(graph, hidden)
    shown = published_part(graph).nodes[PERSON]
    assert shown["attributes"] == {"title": "Ing.", "year": 2012}
    assert [item[:2] for item in shown["provenance"]] == [(told, 9), (told, 9)]
    assert (shown["page"], shown["source_url"]) == ("", "")
    assert graph.nodes[PERSON]["attributes"]["start_year"] == 2011


def test_only_the_types_asked_for_and_what_is_between_them(graph: Graph) -> None:
    part = Selection(("Person", "Thesis")).of(graph)
    assert {node["type"] for _, node in part.nodes(data=True)} == {"Person", "Thesis"}
    assert {relation for *_, relation in part.edges(keys=True)} == {"AUTHORED", "SUPERVISED"}


def test_a_neighbourhood_is_as_deep_as_asked(graph: Graph) -> None:
    near = Selection(ENTITY_TYPES, "topic:0").of(graph)
    assert set(near) == {"topic:0", *graph.predecessors("topic:0")}
    deeper = Selection(ENTITY_TYPES, "topic:0", 2).of(graph)
    authors = {s for s, t, r in graph.edges(keys=True) if r == "AUTHORED" and t in near}
    assert set(near) < set(deeper) and authors and authors <= set(deeper)


def test_the_middle_of_a_neighbourhood_may_be_of_another_type(graph: Graph) -> None:
    part = Selection(("Thesis",), "topic:0", 3).of(graph)
    assert {node["type"] for _, node in part.nodes(data=True)} == {"Topic", "Thesis"}
    assert all(part.has_edge(key, "topic:0") for key in part if key != "topic:0")


@pytest.mark.parametrize("name", ["topic:2", "Dialógové systémy", "dialogove SYSTEMY"])
def test_an_entity_is_found_by_key_name_or_name_without_diacritics(graph: Graph, name: str) -> None:
    graph.remove_node("document:topics/0002.md")  # a page of the same name
    assert find_entity(graph, name) == "topic:2"


def test_further_spellings_name_an_entity(graph: Graph) -> None:
    graph.nodes["topic:2"]["names"] = ("dialógových systémov",)
    assert find_entity(graph, "Dialogovych systemov") == "topic:2"


def test_an_exact_name_goes_before_a_folded_one(graph: Graph) -> None:
    graph.add_node("topic:x", **{**graph.nodes["topic:0"], "name": "Rec"})
    graph.add_node("topic:y", **{**graph.nodes["topic:0"], "name": "Reč"})
    assert find_entity(graph, "Reč") == "topic:y"


def test_of_namesakes_all_keys_are_told(graph: Graph) -> None:
    with pytest.raises(QueryError, match=r"document:topics/0002\.md, topic:2"):
        find_entity(graph, "Dialógové systémy")


def test_a_name_that_nobody_has_is_refused(graph: Graph) -> None:
    with pytest.raises(QueryError, match="no entity called 'Nikto'"):
        Selection(ENTITY_TYPES, "Nikto").of(graph)


def test_types_are_read_in_any_case_and_a_wrong_one_is_told() -> None:
    assert default_types("person, THESIS", drawn=True) == ("Person", "Thesis")
    assert default_types(None, drawn=False) == ENTITY_TYPES
    assert set(ENTITY_TYPES) - set(default_types(None, drawn=True)) == {"Section", "Collection"}
    for wrong in ("Person,Teacher", ",", ""):
        with pytest.raises(ConfigError, match="is none of Person, Thesis, "):
            default_types(wrong, drawn=False)


def test_the_order_does_not_hang_on_how_the_graph_was_made(graph: Graph) -> None:
    backwards: Graph = nx.MultiDiGraph()
    for key, node in reversed(list(graph.nodes.items())):
        backwards.add_node(key, **node)
    for source, target, relation, edge in reversed(list(graph.edges(keys=True, data=True))):
        backwards.add_edge(source, target, relation, **edge)
    one, other = Selection(ENTITY_TYPES).of(graph), Selection(ENTITY_TYPES).of(backwards)
    assert list(one.nodes(data=True)) == list(other.nodes(data=True))
    assert list(one.edges(keys=True, data=True)) == list(other.edges(keys=True, data=True))
