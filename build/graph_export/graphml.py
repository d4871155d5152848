"""The graph as GraphML, for Gephi, yEd, Cytoscape and ``networkx.read_graphml``.

GraphML knows numbers, truth values and texts alone: what an entity says of itself are attributes
of their own (``year``, ``kind``, …), ``names`` and ``provenance`` are JSON in a text.
"""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import networkx as nx

from build.graph_export.evidence import evidence, web_address

if TYPE_CHECKING:
    from build.graph_export.evidence import Page

# XML 1.0 has no way to write these.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_graphml(graph: nx.MultiDiGraph[str], version: str, pages: dict[str, Page]) -> bytes:
    """Write a graph in its own order; equal graphs give equal bytes.

    An edge's ``relation`` is an attribute: an id has to be unique in the file.
    """
    flat: nx.MultiDiGraph[str] = nx.MultiDiGraph(index_version=version)
    for key, node in graph.nodes(data=True):
        flat.add_node(_text(key), **_node(node, pages))
    for number, (source, target, relation, edge) in enumerate(graph.edges(keys=True, data=True)):
        flat.add_edge(
            _text(source), _text(target), f"e{number}", relation=relation,
            published=edge["published"], provenance=_json(evidence(edge["provenance"], pages)),
        )  # fmt: skip
    out = io.BytesIO()
    nx.write_graphml_xml(flat, out)
    return out.getvalue()


def _node(node: dict[str, Any], pages: dict[str, Page]) -> dict[str, Any]:
    flat = {
        "label": node["name"], "type": node["type"], "page": node["page"],
        "source_url": web_address(node["source_url"]), "published": node["published"],
        "names": _json(list(node["names"])), **dict(sorted(node["attributes"].items())),
        "provenance": _json(evidence(node["provenance"], pages)),
    }  # fmt: skip
    return {name: _text(value) for name, value in flat.items()}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(value: Any) -> Any:
    return _NO_XML.sub("\ufffd", value) if isinstance(value, str) else value
