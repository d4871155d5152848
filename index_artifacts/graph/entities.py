"""Looking entities up: by name in any form, by how a name begins, by type; and what is around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.errors import EntityNotFoundError
from index_artifacts.graph.facts import Fact
from index_artifacts.graph.mentions import find_mentions
from index_artifacts.graph.model import ENTITY_TYPES
from index_artifacts.graph.tokens import tokenise
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.tables import GraphTables, Node, Standing


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """An entity, where it stands, and its facts; ``total`` counts those beyond the limit too."""

    node: Node
    standing: tuple[Standing, ...]
    facts: tuple[Fact, ...]
    total: int


def look_up(tables: GraphTables, name: str, types: Sequence[str] = ()) -> tuple[Node, ...]:
    """The entities that ``name`` names, in any inflection, without diacritics, with a slip.

    A stable id names its entity as well. People come before pages that are called the same.
    """
    by_key = tables.by_keys([name])
    if by_key:
        return _of_types(by_key, types)
    tokens = tokenise(name)
    mentions = find_mentions(tables, name, tokens, Lemmatiser(tables.index))
    found = [node for mention in mentions for node in mention.nodes]
    exact = [node for node in tables.called(name) if node not in found]
    return _of_types([*exact, *found], types)


def list_entities(
    tables: GraphTables, prefix: str, types: Sequence[str], limit: int, offset: int = 0
) -> tuple[tuple[Node, ...], int]:
    """Entities whose name, or a word of it, begins with ``prefix``, and how many there are."""
    wanted = fold(prefix)
    nodes = tables.of_types(types or ENTITY_TYPES)
    fitting = [
        node
        for node in nodes
        if (name := fold(node.name)).startswith(wanted) or f" {wanted}" in name
    ]
    return tuple(fitting[offset : offset + limit]), len(fitting)


def neighbourhood(tables: GraphTables, key: str, limit: int) -> Neighbourhood:
    """What the graph says of the entity ``key``; raises `EntityNotFoundError`."""
    found = tables.by_keys([key])
    if not found:
        raise EntityNotFoundError(f"the graph has no entity {key!r}; look it up by its name first")
    node = found[0]
    edges = sorted(
        {*tables.edges(sources=[node.id]), *tables.edges(targets=[node.id])},
        key=lambda edge: (edge.relation, edge.id),
    )
    shown = edges[:limit]
    others = tables.nodes({id_ for edge in shown for id_ in (edge.source, edge.target)})
    attributes = [
        Fact(
            node,
            attribute=name,
            value=value,
            evidence=tuple(tables.standing(entity=node.id, attribute=name)),
        )
        for name, value in sorted(node.attributes.items())
    ]
    relations = [
        Fact(
            others[edge.source],
            edge.relation,
            others[edge.target],
            evidence=tuple(tables.standing(relation=edge.id)),
        )
        for edge in shown
        if edge.source in others and edge.target in others
    ]
    return Neighbourhood(
        node,
        tuple(tables.standing(entity=node.id)),
        (*attributes, *relations),
        len(attributes) + len(edges),
    )


def _of_types(nodes: Sequence[Node], types: Sequence[str]) -> tuple[Node, ...]:
    unique = {node.id: node for node in nodes if not types or node.type in types}
    return tuple(sorted(unique.values(), key=lambda node: ENTITY_TYPES.index(node.type)))
