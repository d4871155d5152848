"""What the page's ``data.js`` reads: rows of nodes and edges, which name pages and rules by number.

A megabyte less in a picture of 5,000 entities than a mapping for each would be.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from build.graph_export.evidence import web_address
from build.graph_export.layout import layout
from index_artifacts.graph.model import ENTITY_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx as nx

    from build.graph_export.evidence import Page

    Ends = tuple[int, int]

_LEAST_RADIUS, _MOST_RADIUS, _RADIUS_OF_ONE = 4.5, 36.0, 1.6


def page_data(graph: nx.MultiDiGraph[str], pages: dict[str, Page]) -> dict[str, Any]:
    """The graph with a position for every node, as plain JSON values."""
    number = {key: index for index, key in enumerate(graph)}
    ends = [(number[source], number[target]) for source, target in graph.edges()]
    radii = _radii(len(number), ends)
    points = layout(len(number), ends, radii)
    rows = _Rows(_types(graph))
    nodes = [
        rows.node(key, node, (float(x), float(y)), radius)
        for (key, node), (x, y), radius in zip(graph.nodes.items(), points, radii, strict=True)
    ]
    edges = [
        [*pair, rows.relations[relation], rows.evidence(edge["provenance"])]
        for pair, (*_, relation, edge) in zip(ends, graph.edges(keys=True, data=True), strict=True)
    ]
    return {
        "types": rows.types, "relations": list(rows.relations), "rules": list(rows.rules),
        "pages": [_page(path, pages) for path in rows.paths], "nodes": nodes, "edges": edges,
    }  # fmt: skip


class _Numbered(dict[str, int]):
    """Gives each value a number, in order of appearance."""

    def __missing__(self, value: str) -> int:
        self[value] = len(self)
        return self[value]


class _Rows:
    """Makes rows, and knows which number stands for which path, rule and relation."""

    def __init__(self, types: list[str]) -> None:
        self.types = types
        self.paths, self.rules, self.relations = _Numbered(), _Numbered(), _Numbered()

    def node(
        self, key: str, node: dict[str, Any], point: tuple[float, float], radius: float
    ) -> list[Any]:
        x, y = (round(value, 1) for value in point)
        return [
            key, node["name"], self.types.index(node["type"]), x, y, radius,
            web_address(node["source_url"]), node["page"],
            dict(sorted(node["attributes"].items())), list(node["names"]),
            self.evidence(node["provenance"]),
        ]  # fmt: skip

    def evidence(self, provenance: Iterable[Any]) -> list[list[Any]]:
        return [
            [self.paths[path], line, last_line, self.rules[rule], attribute]
            for path, line, last_line, rule, _, attribute in provenance
        ]


def _types(graph: nx.MultiDiGraph[str]) -> list[str]:
    found = {node["type"] for _, node in graph.nodes(data=True)}
    known = [name for name in ENTITY_TYPES if name in found]
    return known + sorted(found.difference(known))


def _page(path: str, pages: dict[str, Page]) -> list[str]:
    known = pages.get(path)
    return [path, known.title, known.source_url] if known else [path, "", ""]


def _radii(nodes: int, edges: Sequence[Ends]) -> list[float]:
    """A node's area grows with its degree."""
    degree = Counter(node for ends in edges for node in set(ends))
    return [
        round(min(_MOST_RADIUS, _LEAST_RADIUS + _RADIUS_OF_ONE * math.sqrt(degree[node])), 1)
        for node in range(nodes)
    ]
