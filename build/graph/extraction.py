"""The knowledge graph of a wiki: pages are read, identities settled, facts put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build.graph.about import add_subjects_of_works
from build.graph.assembly import Assembly
from build.graph.collector import paused_collector
from build.graph.documents import add_documents
from build.graph.gaps import find_gaps
from build.graph.identity import Terms
from build.graph.merges import report_merges
from build.graph.people import add_people, find_people
from build.graph.reading import read_page
from build.graph.topics import add_topics, drop_common_titles, see_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.graph.profile import Compiled
    from build.lemmas import Lemmas
    from build.report import Report
    from index_artifacts.graph.model import KnowledgeGraph
    from index_artifacts.records import Document


@paused_collector()
def extract_graph(
    documents: Sequence[Document],
    lemmas: Lemmas,
    profiles: Sequence[Compiled],
    report: Report,
) -> KnowledgeGraph:
    """Compile the graph of ``documents``; what was joined or contradicts is in the report.

    ``documents`` are split and their links resolved; their order does not matter.
    """
    pages = [read_page(document, profiles) for document in sorted(documents, key=_path)]
    drop_common_titles(pages)
    terms = Terms(lemmas)
    see_terms(pages, terms)
    people = find_people(pages)
    assembly = Assembly()
    works = add_people(assembly, pages, people)
    add_documents(assembly, pages, profiles, terms, people)
    add_topics(assembly, pages, terms)
    add_subjects_of_works(assembly, pages, profiles, terms, lemmas, works)
    gaps = find_gaps(pages, profiles, people, report)
    graph = assembly.finished(gaps)
    report_merges(graph, {d.path: d.aliases for d in documents}, report)
    return graph


def _path(document: Document) -> str:
    return document.path
