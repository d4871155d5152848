"""The graph as networkx has it, pickled so that equal graphs give equal bytes."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import networkx as nx

from build.graph.collector import paused_collector

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from index_artifacts.graph.model import KnowledgeGraph, Provenance, Value
    from index_artifacts.records import Document

PICKLE_PROTOCOL = 5


@paused_collector()
def to_networkx(graph: KnowledgeGraph, documents: Mapping[str, Document]) -> nx.MultiDiGraph[str]:
    """The graph with nodes and edges in its order; ``documents`` are its pages by path.

    A node has type, name, page, attributes, names, provenance, source_url and published; an
    edge, whose key is its relation, has provenance and published.
    """
    shared = _Shared()
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for entity in graph.entities:
        page = documents.get(entity.page or "")
        made.add_node(
            shared.text(entity.key),
            type=shared.text(entity.type),
            name=shared.text(entity.name),
            page=shared.text(entity.page or ""),
            attributes=shared.attributes(entity.attributes),
            names=shared.texts(entity.names),
            provenance=shared.places(entity.provenance),
            source_url=shared.text(page.source_url if page else ""),
            published=is_published(entity.provenance, documents),
        )
    for relation in graph.relations:
        made.add_edge(
            shared.text(relation.source),
            shared.text(relation.target),
            key=shared.text(relation.relation),
            provenance=shared.places(relation.provenance),
            published=is_published(relation.provenance, documents),
        )
    return made


def dump_graph(graph: nx.MultiDiGraph[str]) -> bytes:
    """Pickle a graph; equal graphs give equal bytes."""
    graph.graph.clear()
    return pickle.dumps(graph, protocol=PICKLE_PROTOCOL)


def is_published(provenance: tuple[Provenance, ...], documents: Mapping[str, Document]) -> bool:
    """True where any page that speaks for something is published."""
    return any(documents[where.path].published for where in provenance)


class _Shared:
    """Makes equal strings and places one object: a pickle writes an object once.

    Which equal objects happen to be one would else decide the bytes.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._places: dict[Provenance, tuple[Any, ...]] = {}

    def text(self, text: str) -> str:
        return self._texts.setdefault(text, text)

    def texts(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.text(text) for text in texts)

    def attributes(self, attributes: Mapping[str, Value]) -> dict[str, Value]:
        return {
            self.text(name): self.text(value) if isinstance(value, str) else value
            for name, value in attributes.items()
        }

    def places(self, provenance: tuple[Provenance, ...]) -> tuple[tuple[Any, ...], ...]:
        """Plain tuples with a provenance's fields in their order."""
        return tuple(self._place(where) for where in provenance)

    def _place(self, where: Provenance) -> tuple[Any, ...]:
        known = self._places.get(where)
        if known is None:
            known = self._places[where] = (
                self.text(where.path), where.line, where.last_line, self.text(where.rule),
                where.chunk, self.text(where.attribute),
            )  # fmt: skip
        return known
