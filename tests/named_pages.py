"""Versions of pages that have names and no text: what suggestions are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build.index_writer import Compiled, write_index
from build.lemmas import Lemmas
from index_artifacts.artifact import open_artifact
from index_artifacts.graph.model import Entity, KnowledgeGraph, Provenance
from index_artifacts.index import Index
from index_artifacts.manifest import INDEX_FILE, MANIFEST_FILE, Manifest, Source
from index_artifacts.records import Chunk, Document, Link, Section
from index_artifacts.text import ANALYZER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NO_GRAPH = KnowledgeGraph((), ())


def page(
    path: str,
    title: str,
    *,
    aliases: Sequence[str] = (),
    authors: Sequence[str] = (),
    tags: Sequence[str] = (),
    links: Sequence[str] = (),
    collection: str = "wiki",
    published: bool = True,
) -> Document:
    """A page of one empty line; ``links`` are paths."""
    return Document(
        path=path, collection=collection, title=title, language="en", body="\n",
        content_hash=path, published=published, aliases=tuple(aliases), authors=tuple(authors),
        tags=tuple(tags), links=tuple(Link(to, "markdown", 1, "", to) for to in links),
        sections=(Section(0, 0, (), 0, 1, 1),), chunks=(Chunk(0, 0, "\n", 0, 0, 1, 1, 1, 1),),
    )  # fmt: skip


def people(*found: tuple[str, Sequence[str]], about: Sequence[str] = ()) -> KnowledgeGraph:
    """A graph of people: (name, paths of the pages that speak of them).

    ``about`` are the paths of pages about the people, in their order, empty where there is none.
    """
    pages = [*about, *[""] * (len(found) - len(about))]
    return KnowledgeGraph(
        tuple(
            Entity(f"person:{number}", "Person", name, page=own or None,
                   provenance=tuple(Provenance(path, 1, 1, "test") for path in paths))
            for number, ((name, paths), own) in enumerate(zip(found, pages, strict=True))
        ),
        (),
    )  # fmt: skip


def open_pages(
    folder: Path,
    documents: Sequence[Document],
    graph: KnowledgeGraph = NO_GRAPH,
    public_graph: KnowledgeGraph | None = None,
    *,
    collections: Sequence[str] = ("wiki",),
    private: Sequence[str] = (),
) -> Index:
    """Write ``documents`` as the build writes them and open what it wrote."""
    # A collection's pages lie together.
    ordered = sorted(documents, key=lambda document: collections.index(document.collection))
    one_each = ((),) * len(ordered)
    compiled = Compiled(
        collections=tuple(collections), documents=tuple(ordered), lemmas=Lemmas(),
        segments=one_each, sentences=one_each, sentence_rows=(),
        heading_rows=(None,) * len(ordered), blocks=(), language_means={}, encoder="",
        graph=graph, public_graph=public_graph,
    )  # fmt: skip
    config = {
        "collections": [
            {"name": name, "path": name, "private": name in private} for name in collections
        ]
    }
    counts = write_index(folder / INDEX_FILE, compiled)
    manifest = Manifest("test", Source(), (), counts, config, ANALYZER, {})
    (folder / MANIFEST_FILE).write_bytes(manifest.to_json())
    return Index(open_artifact(folder))
