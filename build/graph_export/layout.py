"""Where each node of a picture lies: communities as islands, each laid out by springs.

Springs alone make a ball of thousands of nodes, slowly. So the graph is cut into its connected
parts, a large part into Louvain communities, and each of those is laid out by itself; then the
islands are laid out the same way, as nodes of a smaller graph.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Points = NDArray[np.float64]

# More nodes than this are never laid out by springs at once: they take quadratic time.
_SPRINGS = 150
_ITERATIONS = 60
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
# How much more than its circle a node and an island take; a small picture has room for labels.
_NODE_GAP, _WIDE_NODE_GAP, _ISLAND_GAP = 1.4, 3.0, 1.06
_SEED = 1


def layout(nodes: int, edges: Iterable[tuple[int, int]], radii: Sequence[float]) -> Points:
    """Return the positions (nodes, 2) of nodes 0, 1, ... with these radii, in the radii's unit.

    Equal arguments give equal positions. Hubs pull less at each of their edges.
    """
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from((source, target) for source, target in edges if source != target)
    for source, target, data in graph.edges(data=True):
        data["weight"] = 1 / math.sqrt(graph.degree(source) * graph.degree(target))
    gap = _NODE_GAP if nodes > _SPRINGS else _WIDE_NODE_GAP
    return _lay_out(graph, np.asarray(radii, dtype=np.float64) * gap)


def _lay_out(graph: nx.Graph[int], radii: Points) -> Points:
    if graph.number_of_edges() == 0:
        return _spiral(radii)
    groups = _parts(graph)
    if len(groups) == 1:
        if len(graph) <= _SPRINGS:
            return _springs(graph, radii)
        found = nx.community.louvain_communities(graph, weight="weight", seed=_SEED)
        groups = [sorted(part) for part in found]
        if len(groups) in {1, len(graph)}:
            return _spiral(radii)
    return _islands(graph, radii, sorted(groups))


def _parts(graph: nx.Graph[int]) -> list[list[int]]:
    """The connected parts; all nodes without an edge are one."""
    parts = [sorted(part) for part in nx.connected_components(graph)]
    lonely = sorted(part[0] for part in parts if len(part) == 1)
    return [part for part in parts if len(part) > 1] + ([lonely] if lonely else [])


def _islands(graph: nx.Graph[int], radii: Points, groups: list[list[int]]) -> Points:
    """Lay each group out by itself, then the groups as nodes as large as what they hold."""
    points = np.zeros((len(graph), 2))
    sizes = np.zeros(len(groups))
    for number, group in enumerate(groups):
        names = {node: index for index, node in enumerate(group)}
        island = _lay_out(nx.relabel_nodes(graph.subgraph(group), names), radii[group])
        points[group] = island
        reach = np.hypot(*island.T) + radii[group]
        sizes[number] = reach.max() * (_ISLAND_GAP if len(group) > 1 else 1)
    centres = _lay_out(_between(graph, groups), sizes)
    for group, centre in zip(groups, centres, strict=True):
        points[group] += centre
    return _centred(points)


def _between(graph: nx.Graph[int], groups: list[list[int]]) -> nx.Graph[int]:
    """The graph of groups; an edge weighs what all between its groups weigh."""
    group_of = {node: number for number, group in enumerate(groups) for node in group}
    between: nx.Graph[int] = nx.Graph()
    between.add_nodes_from(range(len(groups)))
    for source, target, data in graph.edges(data=True):
        one, other = group_of[source], group_of[target]
        if one != other:
            known = between.get_edge_data(one, other, {"weight": 0.0})["weight"]
            between.add_edge(one, other, weight=known + data["weight"])
    return between


def _springs(graph: nx.Graph[int], radii: Points) -> Points:
    """Fruchterman and Reingold's layout, then no two circles on each other."""
    ordered: nx.Graph[int] = nx.Graph()
    ordered.add_nodes_from(range(len(graph)))
    ordered.add_weighted_edges_from(graph.edges(data="weight"))
    placed = nx.spring_layout(
        ordered, weight="weight", iterations=_ITERATIONS, seed=_SEED, scale=None, k=None
    )
    points = _centred(np.array([placed[node] for node in range(len(graph))]))
    spread = np.sqrt((points**2).sum(axis=1).mean()) or 1.0
    return _separated(points * (np.sqrt((radii**2).sum()) / spread), radii)


def _separated(points: Points, radii: Points, rounds: int = 160) -> Points:
    """Draw circles towards the middle and push them off each other, in turn; a small one yields."""
    wanted = radii[:, None] + radii[None, :]
    np.fill_diagonal(wanted, 0)
    area = radii**2
    yields = area[None, :] / (area[:, None] + area[None, :])
    for round_ in range(rounds):
        if round_ < rounds * 0.7:
            points = points * 0.985
        apart = points[:, None, :] - points[None, :, :]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-9)
        push = yields * np.maximum(wanted - distance, 0) / distance
        points = points + 0.8 * (apart * push[..., None]).sum(axis=1)
    return _centred(points)


def _spiral(radii: Points) -> Points:
    """A sunflower's seeds, the largest in the middle; each takes the area of its circle."""
    order = np.argsort(-radii, kind="stable")
    area = np.cumsum(radii[order] ** 2)
    distance = np.sqrt(area - area[:1] / 2) * 1.15
    angle = np.arange(len(radii)) * _GOLDEN_ANGLE
    points = np.empty((len(radii), 2))
    points[order] = np.column_stack([distance * np.cos(angle), distance * np.sin(angle)])
    return _separated(points, radii) if len(radii) <= _SPRINGS else _centred(points)


def _centred(points: Points) -> Points:
    """Put the middle of the points' bounding box at (0, 0)."""
    return points - (points.max(axis=0) + points.min(axis=0)) / 2 if len(points) else points
