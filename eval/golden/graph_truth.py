"""What is true of the demo wiki, for the golden set of its graph: the roster and front matter.

Nothing here comes out of the graph or of what builds it. A page that no version publishes (it is
not UTF-8, or says ``published: false``) takes its person and their theses with it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from build.front_matter import split_front_matter
from build.metadata import read_metadata
from build.report import Report
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PROJECT = "team_project"
PROPOSED, IN_PROGRESS = "proposed", "in_progress"


@dataclass(frozen=True, slots=True)
class Person:
    """A student or a teacher; ``start_year`` is None where the wiki does not state it."""

    slug: str
    name: str
    page: str
    teacher: bool
    start_year: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A thesis or a team project; ``owner`` and ``supervisor`` are slugs of people."""

    owner: str
    kind: str
    year: int
    title: str
    supervisor: str
    state: str


@dataclass(frozen=True, slots=True)
class Page:
    """What the front matter of a published page says."""

    path: str
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    authors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """Whether team projects, proposals and unfinished theses count as "theses"."""

    projects: bool
    proposed: bool
    unfinished: bool


READINGS = tuple(
    Reading(projects, proposed, unfinished)
    for projects in (True, False)
    for proposed in (True, False)
    for unfinished in (True, False)
)
"""All ways to take a question; the first one counts everything."""


@dataclass(frozen=True, slots=True)
class Truth:
    """People by slug, works in the roster's order, published pages by path, topics' titles."""

    people: Mapping[str, Person]
    works: tuple[Work, ...]
    pages: Mapping[str, Page]
    topics: Mapping[str, str]

    def as_read(self, reading: Reading) -> Truth:
        """The same without the works that ``reading`` does not count."""
        return replace(self, works=tuple(work for work in self.works if _counts(work, reading)))

    def students(self) -> Iterator[Person]:
        """Everybody with a page among the students."""
        return (person for person in self.people.values() if not person.teacher)

    def work(self, reference: str) -> Work:
        """The work that ``slug/kind`` names; raises `KeyError`."""
        owner, kind = reference.split("/")
        for work in self.works:
            if (work.owner, work.kind) == (owner, kind):
                return work
        raise KeyError(reference)

    def namesakes(self, slug: str, *, surname: bool) -> list[Person]:
        """Everybody with the name of ``slug``, or with their surname alone; sorted by page."""
        wanted = _words(self.people[slug], surname)
        found = (one for one in self.people.values() if _words(one, surname) == wanted)
        return sorted(found, key=lambda one: one.page)


def _words(person: Person, surname: bool) -> list[str]:
    words = fold(person.name).split()
    return words[-1:] if surname else words


def _counts(work: Work, reading: Reading) -> bool:
    return (
        (reading.projects or work.kind != PROJECT)
        and (reading.proposed or work.state != PROPOSED)
        and (reading.unfinished or work.state != IN_PROGRESS)
    )


def read_truth(corpora: Path) -> Truth:
    """Read ``demo-people.toml`` and the front matter of ``demo/pages`` below ``corpora``."""
    roster = tomllib.loads((corpora / "demo-people.toml").read_text("utf-8"))
    pages = {page.path: page for page in _pages(corpora / "demo" / "pages")}
    teachers = [_teacher(row) for row in roster["teacher"]]
    slugs = {teacher.name: teacher.slug for teacher in teachers}
    rows = [row for row in roster["student"] if row["page"] in pages]
    students = [
        Person(row["slug"], row["name"], row["page"], False, row.get("start_year")) for row in rows
    ]
    return Truth(
        people={person.slug: person for person in (*teachers, *students)},
        works=tuple(_work(row["slug"], one, slugs) for row in rows for one in row["thesis"]),
        pages=pages,
        topics={row["slug"]: row["title"] for row in roster["topic"]},
    )


def _teacher(row: dict[str, Any]) -> Person:
    return Person(row["slug"], row["name"], f"teachers/{row['slug']}/README.md", True)


def _work(owner: str, row: dict[str, Any], slugs: dict[str, str]) -> Work:
    supervisor = slugs[row["supervisor"]]
    return Work(owner, row["kind"], row["year"], row["title"], supervisor, row["state"])


def _pages(root: Path) -> Iterator[Page]:
    for file in sorted(root.rglob("*")):
        if file.suffix.lower() != ".md" or any(part.startswith(".") for part in file.parts):
            continue
        path = file.relative_to(root).as_posix()
        try:
            text = file.read_text("utf-8-sig")
        except UnicodeDecodeError:
            continue
        report = Report()
        data = read_metadata(path, split_front_matter(path, text, report), report)
        if data.published and text.strip():
            yield Page(path, tuple(data.tags), tuple(data.categories), tuple(data.authors))
