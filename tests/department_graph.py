"""Knowledge graphs of an invented department, of any size and always the same."""

from __future__ import annotations

import hashlib
import pickle
from random import Random
from typing import TYPE_CHECKING, Any

import networkx as nx

from index_artifacts.graph.model import RELATIONS
from index_artifacts.manifest import FileEntry, Manifest, Source

if TYPE_CHECKING:
    from pathlib import Path

FIRST_NAMES = ("Ján", "Eva", "Žofia", "Štefan", "Ľubica", "Ťahan", "Zuzana", "Ondřej", "Łucja")
LAST_NAMES = ("Kveton", "Šoltés", "Čierna", "Novák", "Ďurica", "Hruška", "Kováč", "Mäsiar")
SUBJECTS = (
    "Strojový preklad", "Rozpoznávanie reči", "Dialógové systémy", "Vyhľadávanie", "Sumarizácia",
    "Vektorové reprezentácie", "Jazykové modely", "Syntéza reči", "Emócie v texte", "Korpusy",
)  # fmt: skip
VERSION = "0a1b2c3d4e5f-6071829304a5"


class Department:
    """A graph in the making: every entity and every relation gets its provenance."""

    def __init__(self, seed: int) -> None:
        self.graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        self.random = Random(seed)

    def entity(
        self, key: str, type_: str, name: str, path: str = "", page: str = "", **attributes: Any
    ) -> str:
        """Add an entity that stands on ``path``, once; return its key."""
        if key not in self.graph:
            itself = (path, 1, 1, f"generic.{type_.lower()}", 0, "")
            stated = [(path, 3, 4, f"thesis.{what}", 0, what) for what in sorted(attributes)]
            self.graph.add_node(
                key, type=type_, name=name, page=page, attributes=dict(sorted(attributes.items())),
                names=(), provenance=(itself, *stated) if path else (), published=True,
                source_url=f"https://wiki.example/{page}" if page else "",
            )  # fmt: skip
        return key

    def relation(self, source: str, name: str, target: str, path: str, line: int = 7) -> None:
        """Add a relation that stands in a line of ``path``."""
        assert name in RELATIONS
        provenance = ((path, line, line, f"thesis.{name.lower()}", 0, ""),)
        self.graph.add_edge(source, target, name, provenance=provenance, published=True)

    def page(self, path: str, title: str) -> str:
        """Add a page."""
        document = self.entity(f"document:{path}", "Document", title, path, path)
        self.relation(document, "IN_COLLECTION", "collection:wiki", path, 1)
        return document


def department_graph(students: int, seed: int = 1) -> nx.MultiDiGraph[str]:
    """A graph of about four entities for each student, by the contract of ``graph.pickle``."""
    made = Department(seed)
    made.entity("collection:wiki", "Collection", "wiki")
    topics = [_topic(made, number) for number in range(max(4, students // 14))]
    teachers = [_person(made, number, "teachers") for number in range(max(2, students // 25))]
    for number in range(students):
        _student(made, number, topics, teachers)
    return made.graph


def _person(made: Department, number: int, folder: str) -> str:
    first, last = FIRST_NAMES[number % len(FIRST_NAMES)], LAST_NAMES[number % len(LAST_NAMES)]
    name = f"{first} {last} {number}" if number >= 72 else f"{first} {last}"
    path = f"{folder}/{number:04}.md"
    person = made.entity(f"person:{folder}-{number}", "Person", name, path, path)
    made.relation(person, "HAS_DOCUMENT", made.page(path, name), path, 1)
    return person


def _topic(made: Department, number: int) -> str:
    name = SUBJECTS[number % len(SUBJECTS)]
    name = f"{name} {number}" if number >= len(SUBJECTS) else name
    path = f"topics/{number:04}.md"
    topic = made.entity(f"topic:{number}", "Topic", name, path, definition=f"Čo je {name}.")
    made.relation(made.page(path, name), "DESCRIBES", topic, path)
    return topic


def _student(made: Department, number: int, topics: list[str], teachers: list[str]) -> None:
    random = made.random
    person, path = _person(made, number, "students"), f"students/{number:04}.md"
    document, year = f"document:{path}", 2010 + number % 16
    topic = topics[int(len(topics) * random.random() ** 2)]
    subject = made.graph.nodes[topic]["name"]
    kind = random.choice(("bachelor", "master"))
    thesis = made.entity(
        f"thesis:students-{number}/{kind}-{year}", "Thesis", f"{subject} pre slovenčinu {number}",
        path, path, year=year, kind=kind, title=f"{subject} pre slovenčinu {number}",
    )  # fmt: skip
    made.relation(person, "AUTHORED", thesis, path)
    made.relation(thesis, "EVIDENCED_BY", document, path)
    made.relation(thesis, "ABOUT", topic, path, 12)
    teacher = teachers[int(len(teachers) * random.random() ** 1.5)]
    made.relation(teacher, "SUPERVISED", thesis, path, 9)
    category = made.entity(f"category:dp{year}", "Category", f"dp{year}", path)
    made.relation(document, "IN_CATEGORY", category, path, 2)
    keyword = f"slovo {int(max(6, len(topics) * 2) * random.random() ** 2)}"
    made.relation(
        document, "HAS_KEYWORD", made.entity(f"keyword:{keyword}", "Keyword", keyword, path), path
    )
    author = made.entity(f"author:{number % 7}", "DocumentAuthor", f"Autor {number % 7}", path)
    made.relation(author, "AUTHORED_DOCUMENT", document, path, 1)
    if number % 3 == 0:
        work = made.entity(
            f"work:students-{number}/team_project-{year}", "Work", f"Tímový projekt {number}",
            path, path, year=year, kind="team_project",
        )  # fmt: skip
        made.relation(person, "HAS_WORK", work, path, 20)
        made.relation(work, "ABOUT", random.choice(topics), path, 21)
    if number:
        other = random.randrange(number)
        made.relation(document, "LINKS_TO", f"document:students/{other:04}.md", path, 30)


def write_artifact(folder: Path, graph: nx.MultiDiGraph[str]) -> Path:
    """Write an artifact that holds a graph alone, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh: nx.MultiDiGraph[str] = nx.MultiDiGraph()  # without the views that networkx caches
    for key, node in graph.nodes(data=True):
        fresh.add_node(key, **node)
    for source, target, relation, edge in graph.edges(keys=True, data=True):
        fresh.add_edge(source, target, relation, **edge)
    data = pickle.dumps(fresh, protocol=5)
    (folder / "graph.pickle").write_bytes(data)
    entry = FileEntry("graph.pickle", hashlib.sha256(data).hexdigest(), len(data))
    manifest = Manifest(VERSION, Source(), (entry,), {}, {}, "test", {})
    (folder / "manifest.json").write_bytes(manifest.to_json())
    return folder
