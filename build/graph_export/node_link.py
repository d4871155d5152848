"""The graph as JSON in networkx's node-link form, for scripts and for other viewers.

``{"directed": true, "multigraph": true, "graph": {"index_version": …}, "nodes": […],
"edges": […]}``. A node has ``id``, ``type``, ``name``, ``page``, ``source_url``, ``published``,
``names`` (a list), ``attributes`` (a mapping) and ``provenance``; an edge has ``source``,
``target``, ``key`` (the relation), ``published`` and ``provenance``. A provenance is a list of
mappings: ``path``, ``title``, ``source_url``, ``line``, ``last_line``, ``rule``, ``chunk`` (or
null) and ``attribute``. ``networkx.node_link_graph(data, edges="edges")`` opens it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from build.graph_export.evidence import evidence, web_address

if TYPE_CHECKING:
    import networkx as nx

    from build.graph_export.evidence import Page


def to_json(graph: nx.MultiDiGraph[str], version: str, pages: dict[str, Page]) -> bytes:
    """Write a graph in its own order; equal graphs give equal bytes."""
    value = {
        "directed": True,
        "multigraph": True,
        "graph": {"index_version": version},
        "nodes": [_node(key, node, pages) for key, node in graph.nodes(data=True)],
        "edges": [
            {
                "source": source, "target": target, "key": relation,
                "published": edge["published"],
                "provenance": evidence(edge["provenance"], pages),
            }
            for source, target, relation, edge in graph.edges(keys=True, data=True)
        ],
    }  # fmt: skip
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _node(key: str, node: dict[str, Any], pages: dict[str, Page]) -> dict[str, Any]:
    return {
        "id": key, "type": node["type"], "name": node["name"], "page": node["page"],
        "source_url": web_address(node["source_url"]), "published": node["published"],
        "names": list(node["names"]), "attributes": dict(sorted(node["attributes"].items())),
        "provenance": evidence(node["provenance"], pages),
    }  # fmt: skip
