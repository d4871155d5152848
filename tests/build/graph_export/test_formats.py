"""The graph as JSON and as GraphML, opened again by networkx."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import networkx as nx

from build.graph_export.evidence import pages_of, web_address
from build.graph_export.graphml import to_graphml
from build.graph_export.node_link import to_json

if TYPE_CHECKING:
    Graph = nx.MultiDiGraph[str]

EVIDENCE = {
    "path": "students/0000.md", "title": "Ján Kveton",
    "source_url": "https://wiki.example/students/0000.md", "line": 9, "last_line": 9,
    "rule": "thesis.supervised", "chunk": 0, "attribute": "",
}  # fmt: skip


def thesis_of(graph: Graph) -> str:
    return next(key for key in graph if key.startswith("thesis:students-0/"))


def supervision(graph: Any, thesis: str) -> dict[str, Any]:
    found = [edge for _, target, edge in graph.edges(data=True) if target == thesis
             and "supervised" in str(edge["provenance"])]  # fmt: skip
    assert len(found) == 1
    data: dict[str, Any] = found[0]
    return data


def test_json_opens_in_networkx_with_the_evidence(graph: Graph) -> None:
    data = json.loads(to_json(graph, "abc-1", pages_of(graph)))
    again = nx.node_link_graph(data, edges="edges")
    assert again.graph == {"index_version": "abc-1"}
    assert isinstance(again, nx.MultiDiGraph)
    assert set(again.edges(keys=True)) == set(graph.edges(keys=True))
    thesis = thesis_of(graph)
    assert again.nodes[thesis]["attributes"] == graph.nodes[thesis]["attributes"]
    assert supervision(again, thesis)["provenance"] == [EVIDENCE]
    assert list(again) == list(graph)


def test_graphml_opens_in_networkx_with_types_and_evidence(graph: Graph) -> None:
    data = to_graphml(graph, "abc-1", pages_of(graph))
    again = nx.read_graphml(io.BytesIO(data), force_multigraph=True)
    assert again.graph["index_version"] == "abc-1"
    assert set(again) == set(graph)
    relations = {(s, t, edge["relation"]) for s, t, edge in again.edges(data=True)}
    assert relations == set(graph.edges(keys=True))
    thesis = thesis_of(graph)
    node = again.nodes[thesis]
    assert node["year"] == 2010 and isinstance(node["year"], int)
    assert node["published"] is True
    assert (node["type"], node["label"]) == ("Thesis", graph.nodes[thesis]["name"])
    assert json.loads(supervision(again, thesis)["provenance"]) == [EVIDENCE]


def test_every_edge_of_graphml_has_an_id_of_its_own(graph: Graph) -> None:
    data = to_graphml(graph, "v", {})
    keys = re.findall(rb'<edge [^>]* id="([^"]+)"', data)
    assert len(set(keys)) == len(keys) == graph.number_of_edges()


def test_names_that_xml_cannot_hold_still_open(graph: Graph) -> None:
    graph.nodes["topic:0"]["name"] = "a\x0bb\x00 <&> \"'"
    again = nx.read_graphml(io.BytesIO(to_graphml(graph, "v", {})))
    assert again.nodes["topic:0"]["label"] == "a\ufffdb\ufffd <&> \"'"


def test_an_address_that_is_none_of_the_web_is_left_out(graph: Graph) -> None:
    graph.nodes["document:topics/0000.md"]["source_url"] = "javascript:alert(1)"
    for data in (to_json(graph, "v", pages_of(graph)), to_graphml(graph, "v", pages_of(graph))):
        assert b"javascript" not in data
    assert web_address("https://wiki.example/a") == "https://wiki.example/a"
    for wrong in (
        "file:///etc/passwd",
        "//wiki.example",
        "",
        "a b",
        "https://[",
        "data:text/html,x",
    ):
        assert web_address(wrong) == ""


def test_an_empty_graph_can_be_exported() -> None:
    empty: Graph = nx.MultiDiGraph()
    assert json.loads(to_json(empty, "v", {}))["nodes"] == []
    assert len(nx.read_graphml(io.BytesIO(to_graphml(empty, "v", {})))) == 0
