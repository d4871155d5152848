"""Which part of a graph leaves the house: what is published, of some types, around an entity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from index_artifacts.errors import ConfigError, QueryError
from index_artifacts.graph.model import COLLECTION, ENTITY_TYPES, SECTION
from index_artifacts.text import fold

if TYPE_CHECKING:
    Graph = nx.MultiDiGraph[str]

# They fill a picture and say little in it.
_NOT_DRAWN = {SECTION, COLLECTION}


@dataclass(frozen=True, slots=True)
class Selection:
    """Entities of these ``types``; where ``around`` names one, only those near it.

    ``depth`` is how many relations away that is, in whichever direction they point; a path
    leads over entities of ``types`` alone.
    """

    types: tuple[str, ...]
    around: str | None = None
    depth: int = 1

    @property
    def note(self) -> str:
        """What a reader of the picture is told, or nothing."""
        parts = [f"within {self.depth} of {self.around}"] if self.around else []
        if left_out := [name for name in ENTITY_TYPES if name not in self.types]:
            parts.append(f"without {', '.join(left_out)}")
        return ", ".join(parts)

    def of(self, graph: Graph) -> Graph:
        """The selected part, in a stable order; raises `QueryError` as `find_entity` does."""
        centre = find_entity(graph, self.around) if self.around else None
        keys = {
            key
            for key, node in graph.nodes(data=True)
            if node["type"] in self.types or key == centre
        }
        part = graph.subgraph(keys)
        if centre is not None:
            paths = nx.single_source_shortest_path_length(
                part.to_undirected(as_view=True), centre, self.depth
            )
            part = graph.subgraph(paths)
        return _in_order(part)


def default_types(text: str | None, *, drawn: bool) -> tuple[str, ...]:
    """Read ``Person,Thesis``, in any case; None is every type that is worth it when ``drawn``.

    Raises `ConfigError` for a type that there is not.
    """
    if text is None:
        return tuple(name for name in ENTITY_TYPES if not (drawn and name in _NOT_DRAWN))
    known = {name.casefold(): name for name in ENTITY_TYPES}
    wanted = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in wanted if name.casefold() not in known]
    if unknown or not wanted:
        first = f"{unknown[0]!r}" if unknown else "nothing"
        raise ConfigError(f"--types: {first} is none of {', '.join(ENTITY_TYPES)}")
    return tuple(known[name.casefold()] for name in wanted)


def published_part(graph: Graph) -> Graph:
    """Copy what is published, and of that only what published pages say.

    An entity may stand on a published and on an unpublished page: of the second it keeps
    neither the evidence, nor attributes that stand nowhere else, nor the address.
    """
    shown: Graph = nx.MultiDiGraph()
    for key, node in graph.nodes(data=True):
        if node["published"]:
            shown.add_node(key, **_public(graph, node))
    for source, target, relation, edge in graph.edges(keys=True, data=True):
        if edge["published"] and source in shown and target in shown:
            evidence = _public_evidence(graph, edge["provenance"])
            shown.add_edge(source, target, relation, **{**edge, "provenance": evidence})
    return shown


def _in_order(graph: Graph) -> Graph:
    """The same graph; entities by type and key, relations by source, name and target."""
    ordered: Graph = nx.MultiDiGraph()
    rank = {name: number for number, name in enumerate(ENTITY_TYPES)}
    for key, node in sorted(
        graph.nodes.items(),
        key=lambda item: (rank.get(item[1]["type"], len(rank)), item[1]["type"], item[0]),
    ):
        ordered.add_node(key, **node)
    edges = graph.edges(keys=True, data=True)
    for source, target, relation, edge in sorted(edges, key=lambda e: (e[0], e[2], e[1])):
        ordered.add_edge(source, target, relation, **edge)
    return ordered


def find_entity(graph: Graph, name: str) -> str:
    """The key of the entity that is called ``name``: by key, by name, by name without diacritics.

    Raises `QueryError` where there is none, or where several share the name.
    """
    if name in graph:
        return name
    for spelt in (str, fold):
        wanted = spelt(name)
        found = sorted(
            key
            for key, node in graph.nodes(data=True)
            if wanted in map(spelt, (node["name"], *node["names"]))
        )
        if len(found) > 1:
            some = ", ".join(found[:10]) + (", …" if len(found) > 10 else "")
            raise QueryError(f"--around: {name!r} is the name of several entities: {some}")
        if found:
            return found[0]
    raise QueryError(f"--around: the graph holds no entity called {name!r}")


def _public(graph: Graph, node: dict[str, Any]) -> dict[str, Any]:
    evidence = _public_evidence(graph, node["provenance"])
    told, hidden = ({item[5] for item in items} for items in (evidence, node["provenance"]))
    attributes = {
        name: value
        for name, value in node["attributes"].items()
        if name in told or name not in hidden
    }
    shown = {**node, "attributes": attributes, "provenance": evidence}
    if node["page"] and not _is_public(graph, node["page"]):
        shown |= {"page": "", "source_url": ""}
    return shown


def _public_evidence(graph: Graph, provenance: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(item for item in provenance if _is_public(graph, item[0]))


def _is_public(graph: Graph, path: str) -> bool:
    """True for a published page; of a page that the graph does not know, nothing is shown."""
    document = graph.nodes.get(f"document:{path}")
    return document is not None and bool(document["published"])
