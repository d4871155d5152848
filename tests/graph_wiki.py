"""Graphs of pages that were read, but neither split nor embedded: that takes milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from build.config import load_config
from build.graph.extraction import extract_graph
from build.graph.profiles import load_profiles
from build.links import resolve_links
from build.pages import find_pages
from build.reading import PageReader
from build.report import Report
from index_artifacts.manifest import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.lemmas import Lemmas
    from index_artifacts.graph.model import Entity, KnowledgeGraph, Relation
    from index_artifacts.records import Document

DEMO = Path(__file__).parents[1] / "eval" / "corpora" / "demo"


@dataclass(frozen=True)
class Built:
    """A graph with what it was made of, and ways to look into it."""

    graph: KnowledgeGraph
    documents: Sequence[Document]
    report: Report
    entities: dict[str, Entity] = field(init=False)

    def __post_init__(self) -> None:
        self.__dict__["entities"] = {entity.key: entity for entity in self.graph.entities}

    def keys(self, kind: str) -> list[str]:
        return [entity.key for entity in self.graph.entities if entity.type == kind]

    def edges(self, relation: str) -> list[tuple[str, str]]:
        found = [r for r in self.graph.relations if r.relation == relation]
        return [(relation.source, relation.target) for relation in found]

    def relation(self, source: str, name: str, target: str) -> Relation:
        wanted = (source, name, target)
        (found,) = (r for r in self.graph.relations if (r.source, r.relation, r.target) == wanted)
        return found

    def gaps(self) -> list[tuple[str, int, str]]:
        return [(gap.path, gap.line, gap.about) for gap in self.graph.gaps]

    def notes(self, code: str) -> list[str]:
        return [str(row["reason"]) for row in self.report.rows() if row["code"] == code]


def build_graph(
    wiki: Path, profiles: Sequence[str], lemmas: Lemmas, *, reverse: bool = False, root: str = "."
) -> Built:
    config, report = load_config(wiki, languages=("sk", "cs", "pl", "ru", "en")), Report()
    reader = PageReader(config, Source(), None, report)
    pages = find_pages(wiki / root, None, config.exclude, report)
    documents = resolve_links(reader.read(pages, lambda *_: None), report)
    ordered = documents[::-1] if reverse else documents
    graph = extract_graph(ordered, lemmas, load_profiles(profiles, wiki), report)
    return Built(graph, documents, report)
