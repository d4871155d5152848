"""Paths between two entities: the shortest by their rows, several by networkx."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from index_artifacts.graph.facts import Fact
from index_artifacts.graph.model import ENTITY_TYPES

if TYPE_CHECKING:
    import networkx as nx

    from index_artifacts.graph.tables import Edge, GraphTables, Node

MOST_STEPS = 6
"""A longer way from one entity to another tells nobody anything."""

# What joins nearly everything to everything: through it any two are neighbours.
_TYPES = tuple(type_ for type_ in ENTITY_TYPES if type_ != "Collection")


def shortest_path(tables: GraphTables, start: Node, end: Node) -> tuple[Fact, ...] | None:
    """The facts that lead from ``start`` to ``end``, whichever way each points; None: no path.

    Searched from both ends, level by level, so that hubs in the middle are met once.
    """
    if start.id == end.id:
        return ()
    reached: tuple[dict[int, list[Edge]], dict[int, list[Edge]]] = ({start.id: []}, {end.id: []})
    frontiers = [{start.id}, {end.id}]
    for _ in range(MOST_STEPS):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        frontiers[side] = _step(tables, frontiers[side], reached[side])
        meeting = sorted(frontiers[side] & reached[1 - side].keys())
        if meeting:
            return _facts(tables, [*reached[0][meeting[0]], *reversed(reached[1][meeting[0]])])
        if not frontiers[side]:
            return None
    return None


def several_paths(
    graph: nx.MultiDiGraph[str] | None, tables: GraphTables, start: Node, end: Node, most: int
) -> list[tuple[Fact, ...]]:
    """Up to ``most`` paths of `MOST_STEPS` steps at most, the shortest first.

    ``graph`` is all that the version holds, None to read it from the tables: for those who may
    not read all of a version, the tables hold another one. A relation that stands on no page that
    may be seen would take a place among the paths, and so be told.
    """
    import networkx as nx

    seen = {node.key: node for node in tables.of_types(_TYPES)}
    plain: nx.Graph[str] = nx.Graph()
    if graph is None:
        key_of = {node.id: node.key for node in seen.values()}
        pairs = [(key_of.get(e.source, ""), key_of.get(e.target, "")) for e in tables.edges()]
    else:
        pages = tables.paths
        pairs = [
            (a, b)
            for a, b, data in graph.edges(data=True)
            if any(place[0] in pages for place in data["provenance"])
        ]
    # In one order, wherever they are from: of paths equally long the first found are told.
    plain.add_edges_from(sorted((a, b) for a, b in pairs if a != b and a in seen and b in seen))
    if start.key not in plain or end.key not in plain or not nx.has_path(plain, start.key, end.key):
        return []
    found = []
    for keys in islice(nx.shortest_simple_paths(plain, start.key, end.key), most):
        if len(keys) > MOST_STEPS + 1:
            break
        edges = [_between(tables, seen[a], seen[b]) for a, b in pairwise(keys)]
        if all(edges):
            found.append(_facts(tables, [edge for edge in edges if edge]))
    return found


def _between(tables: GraphTables, one: Node, other: Node) -> Edge | None:
    ends = {one.id, other.id}
    for edge in tables.edges(sources=[one.id, other.id]):
        if {edge.source, edge.target} == ends:
            return edge
    return None


def _step(tables: GraphTables, frontier: set[int], reached: dict[int, list[Edge]]) -> set[int]:
    """Go one edge on from ``frontier``; ``reached`` learns the way to each new entity."""
    found: dict[int, list[Edge]] = {}
    for edge in (*tables.edges(sources=frontier), *tables.edges(targets=frontier)):
        if edge.relation == "IN_COLLECTION":
            continue
        for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
            if here in frontier and there not in reached and there not in found:
                found[there] = [*reached[here], edge]
    reached.update(found)
    return set(found)


def _facts(tables: GraphTables, edges: list[Edge]) -> tuple[Fact, ...]:
    nodes = tables.nodes({id_ for edge in edges for id_ in (edge.source, edge.target)})
    return tuple(
        Fact(
            nodes[edge.source],
            edge.relation,
            nodes[edge.target],
            evidence=tuple(tables.standing(relation=edge.id)),
        )
        for edge in edges
    )
