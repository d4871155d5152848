"""An answer's values by their types, as programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.graph import query as q

if TYPE_CHECKING:
    from index_artifacts.graph.model import Value
    from index_artifacts.graph.search import GraphAnswer
    from index_artifacts.graph.tables import GraphTables

SCALARS = frozenset([q.YEAR, q.START, q.KIND, q.STATE])
"""Slots whose values are no entities."""


def typed_answers(
    tables: GraphTables, found: GraphAnswer
) -> list[tuple[str, str, bool | Value, str]]:
    """(type, id, value, page) of each thing that was asked for; a count or yes and no alone."""
    if found.form in {q.COUNT, q.WHETHER}:
        kind = "count" if found.form == q.COUNT else "boolean"
        return [(kind, "", value, "") for value in found.values]
    if found.asked in SCALARS:
        return [(found.asked, "", value, "") for value in found.values]
    nodes = tables.nodes(set(found.values))
    return [
        (node.type, node.key, node.name, node.page)
        for value in found.values
        if (node := nodes.get(value))
    ]
