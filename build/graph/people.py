"""People, what they wrote and whom they supervised."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from build.graph.assembly import Places
from build.graph.identity import People, display_name
from build.graph.lines import linked_texts
from build.graph.names import name_words
from build.links import route, stands_for_folder
from index_artifacts.graph.model import DOCUMENT, PERSON, THESIS, WORK, Gap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.graph.assembly import Assembly
    from build.graph.facts import Fact, PageFacts, WorkFacts
    from build.graph.identity import Known


@dataclass(frozen=True, slots=True)
class Written:
    """A thesis or work in the graph: its key, whose page tells of it, and how."""

    key: str
    path: str
    person: str
    facts: WorkFacts


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose page or folder a page is, by its path."""

    people: People
    of: dict[str, str]
    """Path of a page → path of the page that is about its owner."""

    def owner(self, path: str) -> Known | None:
        """The person whose page it is, or in whose folder it lies."""
        page = self.of.get(path)
        return self.people.of_page(page) if page is not None else None


def find_people(pages: Sequence[PageFacts]) -> Owners:
    """Settle who there is: those with pages, then those whom pages only name."""
    own = [page for page in pages if page.of_type(PERSON)]
    folders = {
        posixpath.dirname(page.document.path): page
        for page in own
        if stands_for_folder(page.document.path) and _has_folder(page)
    }
    owners = {page.document.path: _owner(page, folders) for page in pages}
    about = [page for page in own if owners[page.document.path] == page.document.path]
    people = People(
        (_name(page).value, page.document.path, route(page.document.path).rpartition("/")[2])
        for page in about
    )
    _add_link_texts(pages, people)
    people.add_mentioned(s.value for page in pages for w in page.works for s in w.supervisors)
    return Owners(people, {path: owner for path, owner in owners.items() if owner})


def _add_link_texts(pages: Sequence[PageFacts], people: People) -> None:
    """Links to a person's page spell the name, too: often with the diacritics it lacks there."""
    for page in pages:
        targets = {
            link.target: link.document
            for link in page.document.links
            if link.document in people.with_pages
        }
        if targets:
            for text, target in linked_texts(page.document.body):
                if path := targets.get(target):
                    people.add_spelling(path, text)


def add_people(assembly: Assembly, pages: Sequence[PageFacts], owners: Owners) -> list[Written]:
    """Add the people with their pages, theses and works; returns what was written."""
    by_owner: dict[str, list[PageFacts]] = defaultdict(list)
    for page in pages:
        if owner := owners.of.get(page.document.path):
            by_owner[owner].append(page)
    written = [
        work
        for owner in sorted(by_owner)
        for work in _add_person(assembly, owners.people, owner, by_owner[owner])
    ]
    for person in owners.people.everyone:
        if assembly.knows(person.key):
            assembly.add(person.key, PERSON, person.name, name=display_name(person))
            for spelling in sorted(person.spellings):
                assembly.alias(person.key, spelling)
    return written


def _add_person(
    assembly: Assembly, people: People, owner: str, pages: list[PageFacts]
) -> list[Written]:
    person = people.of_page(owner)
    for page in pages:
        document, places = page.document, Places(page.document)
        about = page.of_type(PERSON)
        name = about.name if about else None
        rule = name.rule if name else f"{_rule_of(pages, owner)}/folder"
        where = places.at(name.line if name else 1, rule)
        if document.path == owner:
            assembly.add(person.key, PERSON, person.name, where, page=owner)
        assembly.add(f"document:{document.path}", DOCUMENT, document.title)
        assembly.relate(person.key, "HAS_DOCUMENT", f"document:{document.path}", where)
        for alias in document.aliases if document.path == owner else ():
            person.spellings.add(alias)
        _add_start_year(assembly, person, page, places)
    return _add_works(assembly, people, person, pages)


def _add_start_year(assembly: Assembly, person: Known, page: PageFacts, places: Places) -> None:
    stated = {fact.value for fact in page.start_years}
    if len(stated) == 1 and assembly.knows(person.key):
        for fact in page.start_years:
            where = places.at(fact.line, fact.rule, "start_year")
            assembly.set(person.key, "start_year", int(fact.value), where)
    elif stated:
        first = page.start_years[0]
        reason = f"several start years are stated: {', '.join(sorted(stated))}"
        page.gaps.append(Gap(page.document.path, first.line, "start_year", reason))


def _add_works(
    assembly: Assembly, people: People, person: Known, pages: list[PageFacts]
) -> list[Written]:
    numbers: Counter[str] = Counter()
    found = []
    for page in pages:
        places = Places(page.document)
        for work in page.works:
            key = _work_key(person, work, numbers)
            _add_work(assembly, people, person, page, work, key, places)
            found.append(Written(key, page.document.path, person.key, work))
    return found


def _work_key(person: Known, work: WorkFacts, numbers: Counter[str]) -> str:
    whose = person.key.partition(":")[2]
    key = f"thesis:{whose}/{work.kind}-{work.year or 'unknown'}"
    numbers[key] += 1
    return key if numbers[key] == 1 else f"{key}-{numbers[key]}"


def _add_work(
    assembly: Assembly, people: People, person: Known, page: PageFacts, work: WorkFacts,
    key: str, places: Places,
) -> None:  # fmt: skip
    document = page.document
    first, last = work.spans[0]
    opening = places.at(first, work.rule)
    title = work.facts.get("title")
    name = title.value if title else f"{work.kind.replace('_', ' ')} {work.year or ''}".strip()
    assembly.add(key, WORK if work.is_work else THESIS, name, opening, name=name)
    if work.kind:
        assembly.set(key, "kind", work.kind, places.at(first, work.rule, "kind"))
    if work.year:
        year = work.facts.get("year")
        where = places.at(year.line, year.rule, "year") if year else None
        assembly.set(key, "year", work.year, where or places.at(first, work.rule, "year"))
    for attribute in ("title", "state"):
        if fact := work.facts.get(attribute):
            where = places.at(fact.line, fact.rule, attribute)
            assembly.set(key, attribute, fact.value, where)
    relation = "HAS_WORK" if work.is_work else "AUTHORED"
    assembly.relate(person.key, relation, key, opening)
    span = places.at(first, work.rule, last_line=last)
    assembly.relate(key, "EVIDENCED_BY", f"document:{document.path}", span)
    for supervisor in work.supervisors:
        _add_supervisor(assembly, people, page, supervisor, key, places)


def _add_supervisor(
    assembly: Assembly, people: People, page: PageFacts, fact: Fact, key: str, places: Places
) -> None:
    where = places.at(fact.line, fact.rule)
    if person := people.meant(fact.value):
        assembly.add(person.key, PERSON, person.name, where)
        assembly.relate(person.key, "SUPERVISED", key, where)
    else:
        several = ", ".join(sorted(known.key for known in people.candidates(fact.value)))
        reason = f"the supervisor {fact.value!r} may be any of {several}"
        page.gaps.append(Gap(page.document.path, fact.line, "SUPERVISED", reason))


def _owner(page: PageFacts, folders: dict[str, PageFacts]) -> str:
    """The path of the page about the page's owner, or nothing."""
    path = page.document.path
    about = page.of_type(PERSON)
    folder = posixpath.dirname(path)
    while folder:
        owner = folders.get(folder)
        if owner and owner is not page:
            same = about is None or name_words(about.name.value) == name_words(_name(owner).value)
            return owner.document.path if same else path
        folder = posixpath.dirname(folder)
    return path if about else ""


def _has_folder(page: PageFacts) -> bool:
    about = page.of_type(PERSON)
    return about is not None and about.subject.folder


def _rule_of(pages: list[PageFacts], owner: str) -> str:
    page = next(page for page in pages if page.document.path == owner)
    return _name(page).rule


def _name(page: PageFacts) -> Fact:
    about = page.of_type(PERSON)
    assert about is not None
    return about.name
