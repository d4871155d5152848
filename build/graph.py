"""A graph of documents, authors, tags, categories and links.

Nodes are ``kind:key``; each edge has its ``relation``. Nodes and edges are added in sorted
order and every string is one object, so that equal graphs pickle to equal bytes.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import networkx as nx

from index_artifacts.schema import facet_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from index_artifacts.records import Document

PICKLE_PROTOCOL = 5

Edge = tuple[str, str, str]
Node = tuple[str, str, str]


def build_graph(documents: Iterable[Document]) -> nx.DiGraph[str]:
    """Return the graph of ``documents``; node attributes are ``kind`` and ``label``."""
    known = sorted(documents, key=lambda document: document.path)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for key, kind, label in sorted({node for document in known for node in _nodes(document)}):
        if key not in graph:  # of several spellings, the first in order names the node
            graph.add_node(key, kind=kind, label=label)
    for source, relation, target in sorted({e for document in known for e in _edges(document)}):
        graph.add_edge(source, target, relation=relation)
    return graph


def dump_graph(graph: nx.DiGraph[str]) -> bytes:
    """Pickle a graph; equal graphs give equal bytes."""
    strings: dict[str, str] = {}

    def one(text: str) -> str:
        return strings.setdefault(text, text)

    clean: nx.DiGraph[str] = nx.DiGraph()
    for node, attributes in graph.nodes(data=True):
        clean.add_node(one(node), **{one(k): one(v) for k, v in attributes.items()})
    for source, target, attributes in graph.edges(data=True):
        clean.add_edge(one(source), one(target), **{one(k): one(v) for k, v in attributes.items()})
    return pickle.dumps(clean, protocol=PICKLE_PROTOCOL)


def _facets(document: Document) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, value, relation to the document)."""
    yield from (("author", value, "AUTHORED_DOCUMENT") for value in document.authors)
    yield from (("tag", value, "HAS_KEYWORD") for value in document.tags)
    yield from (("category", value, "IN_CATEGORY") for value in document.categories)


def _nodes(document: Document) -> Iterator[Node]:
    yield f"document:{document.path}", "document", document.title
    for kind, value, _ in _facets(document):
        yield f"{kind}:{facet_key(value)}", kind, value


def _edges(document: Document) -> Iterator[Edge]:
    here = f"document:{document.path}"
    for kind, value, relation in _facets(document):
        there = f"{kind}:{facet_key(value)}"
        yield (there, relation, here) if kind == "author" else (here, relation, there)
    for link in document.links:
        if link.document and link.document != document.path:
            yield here, "LINKS_TO", f"document:{link.document}"
