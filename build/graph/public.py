"""The graph of the collections that are not private, for those who may not read all.

Who an initial stands for, and which names are one, is settled with every page that there is. A
page that somebody may not read would show in what two others are called: so theirs is a graph that
was compiled as if the private collections were not part of the wiki.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from build.graph.extraction import extract_graph
from build.report import Report

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from build.config import BuildConfig
    from build.graph.profile import Compiled
    from build.lemmas import Lemmas
    from index_artifacts.graph.model import KnowledgeGraph
    from index_artifacts.records import Document


def extract_public_graph(
    documents: Sequence[Document],
    config: BuildConfig,
    lemmas: Lemmas,
    profiles: Sequence[Compiled],
    report: Report,
) -> KnowledgeGraph | None:
    """The graph of ``documents`` outside of private collections; None where none is private."""
    if not any(collection.private for collection in config.collections):
        return None

    def is_public(path: str) -> bool:
        collection = config.collection_of(path)
        return collection is None or not collection.private

    public = [document for document in documents if is_public(document.path)]
    paths = {document.path for document in public}
    seen = Report([finding for finding in report.findings if is_public(finding.path)])
    unlinked = [_without_links_out(document, paths) for document in public]
    return extract_graph(unlinked, lemmas, profiles, seen)


def _without_links_out(document: Document, paths: Collection[str]) -> Document:
    links = tuple(
        link if link.document in paths else replace(link, document=None) for link in document.links
    )
    return replace(document, links=links)
