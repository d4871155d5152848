"""Where nodes lie: apart from each other, always the same, soon enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from build.graph_export.layout import layout
from tests.department_graph import department_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

RING = [(node, (node + 1) % 40) for node in range(40)]
STAR = [(0, leaf) for leaf in range(1, 1000)]
PAIRS = [(2 * pair, 2 * pair + 1) for pair in range(400)]


def department(students: int) -> tuple[int, list[tuple[int, int]]]:
    """The size and the edges of a department's graph."""
    graph = department_graph(students)
    number = {key: index for index, key in enumerate(graph)}
    return len(graph), [(number[s], number[t]) for s, t in graph.edges()]


def overlapping(points: NDArray[np.float64], radius: float) -> float:
    """The share of nodes that lie on another one."""
    apart = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    return float((apart.min(axis=1) < 2 * radius).mean())


@pytest.mark.parametrize(
    ("nodes", "edges"),
    [(1, []), (2, [(0, 1)]), (3, [(0, 0)]), (40, RING), (1000, STAR), (800, PAIRS), (700, []),
     (140, RING), department(8), department(200)],
    ids=["one", "two", "loop", "ring", "star", "pairs", "no edges", "lonely", "small", "large"],
)  # fmt: skip
def test_nodes_do_not_lie_on_each_other(nodes: int, edges: list[tuple[int, int]]) -> None:
    points = layout(nodes, edges, [5.0] * nodes)
    assert points.shape == (nodes, 2)
    assert np.isfinite(points).all()
    if nodes > 1:
        assert overlapping(points, 5.0) < 0.01
        # and the picture is not mostly empty
        assert np.ptp(points, axis=0).max() < 5.0 * 12 * np.sqrt(nodes)


def test_nodes_without_an_edge_lie_together_beside_the_others() -> None:
    points = layout(140, RING, [5.0] * 140)
    ring, lonely = points[:40], points[40:]
    middle = lonely.mean(axis=0)
    reach = np.hypot(*(lonely - middle).T).max()
    assert np.hypot(*(ring - middle).T).min() > reach


def test_no_nodes_have_no_positions() -> None:
    assert layout(0, [], []).shape == (0, 2)


def test_equal_graphs_are_laid_out_equally() -> None:
    nodes, edges = department(200)
    one = layout(nodes, edges, [5.0] * nodes)
    other = layout(nodes, [(t, s) for s, t in reversed(edges)], [5.0] * nodes)
    assert np.array_equal(one, layout(nodes, edges, [5.0] * nodes))
    assert overlapping(other, 5.0) < 0.01


def test_neighbours_lie_nearer_than_strangers() -> None:
    nodes, edges = department(200)
    points = layout(nodes, edges, [5.0] * nodes)
    ends = np.array(edges)
    strangers = np.random.default_rng(1).permutation(ends[:, 1])
    near = np.median(np.hypot(*(points[ends[:, 0]] - points[ends[:, 1]]).T))
    far = np.median(np.hypot(*(points[ends[:, 0]] - points[strangers]).T))
    assert near < 0.7 * far
