"""A department's wiki of any size, made of nothing: students, theses, teachers and topics.

Everything comes out of one seed, names and prose of pseudo-words. Its pages are written like a
wiki's pages, so that the graph is read off them as off real ones.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from build.links import resolve_links
from build.markdown import parse
from build.report import Report
from index_artifacts.records import Chunk, Document

if TYPE_CHECKING:
    from collections.abc import Iterator

STUDENTS, TEACHERS, TOPICS = 0.6, 0.01, 0.03
"""Shares of the pages; the rest are articles."""

_SYLLABLES = [c + v for c in "bcdhjklmnprstvz" for v in "aeiou"]
_LINES_OF_PROSE = 40


@dataclass(frozen=True, slots=True)
class Roster:
    """Who and what there is; a name is (first, last)."""

    students: list[tuple[str, str]]
    teachers: list[tuple[str, str]]
    topics: list[str]


def department(pages: int, seed: int = 1) -> list[Document]:
    """The documents of a wiki of ``pages`` pages, split by headings and linked."""
    chance = random.Random(seed)
    roster = Roster(
        _people(chance, int(pages * STUDENTS)),
        _people(chance, max(1, int(pages * TEACHERS))),
        list(dict.fromkeys(_words(chance, 3).capitalize() for _ in range(int(pages * TOPICS)))),
    )
    written = list(_pages(chance, roster, pages))
    return resolve_links([_document(*page) for page in written], Report())


def _people(chance: random.Random, count: int) -> list[tuple[str, str]]:
    first = [_word(chance, 2).capitalize() for _ in range(150)]
    last = [_word(chance, 3).capitalize() for _ in range(max(20, count // 3))]
    return [(chance.choice(first), chance.choice(last)) for _ in range(count)]


def _pages(
    chance: random.Random, roster: Roster, pages: int
) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """(path, title, body, categories) of every page."""
    for number, name in enumerate(roster.students):
        yield _student(chance, roster, number, name)
    for number, (first, last) in enumerate(roster.teachers):
        path = f"teachers/{last.lower()}{number}/README.md"
        yield path, f"{first} {last}", f"# Ing. {first} {last}, PhD.\n", ("ucitel",)
    for number, topic in enumerate(roster.topics):
        body = f"# {topic}\n\n{_prose(chance, 20)}\n\n## Práce študentov\n\n"
        for at in range(number, len(roster.students), max(1, len(roster.topics))):
            first, last = roster.students[at]
            body += f"- [{first} {last}](/students/s{at}/{last.lower()}{at}), bakalárska práca\n"
        yield f"topics/t{number}/README.md", topic, body, ("tema",)
    done = len(roster.students) + len(roster.teachers) + len(roster.topics)
    for number in range(pages - done):
        links = " ".join(
            f"[more](/articles/a{chance.randrange(pages - done)}.md)" for _ in range(5)
        )
        body = f"# {_words(chance, 3)}\n\n{links}\n\n" + "".join(
            f"## {_words(chance, 2)}\n\n{_prose(chance, 12)}\n\n" for _ in range(4)
        )
        yield f"articles/a{number}.md", _words(chance, 3).capitalize(), body, ("info",)


def _student(
    chance: random.Random, roster: Roster, number: int, name: tuple[str, str]
) -> tuple[str, str, str, tuple[str, ...]]:
    first, last = name
    start = 2000 + chance.randrange(25)
    body = f"# {first} {last}\n\nRok začiatku štúdia: {start}\n\n"
    for kind, year in (("Diplomová práca", start + 5), ("Bakalárska práca", start + 3)):
        given, family = chance.choice(roster.teachers)
        topic = chance.randrange(len(roster.topics))
        body += (
            f"## {kind} {year}\n\nNázov: {_words(chance, 6).capitalize()}\n\n"
            f"Vedúci: doc. Ing. {given} {family}, PhD.\n\n"
            f"Pozri [tému](/topics/t{topic}).\n\n"
        )
        for day in (3, 17):
            body += f"### Stretnutie {day}.4.{year}\n\nStav:\n\n"
            body += _prose(chance, _LINES_OF_PROSE // 4, item="- ") + "\n\n"
    path = f"students/s{number}/{last.lower()}{number}/README.md"
    return path, f"{first} {last}", body, (f"dp{start + 5}", f"bp{start + 3}")


def _document(path: str, title: str, body: str, categories: tuple[str, ...]) -> Document:
    structure = parse(body, 5)
    tags = tuple(dict.fromkeys(word for word in title.lower().split()))
    document = Document(
        path=path, collection="wiki", title=title, language="sk", body=body, content_hash=path,
        authors=(f"Author {len(body) % 90}",), tags=tags, categories=categories, body_line=5,
        sections=structure.sections, links=structure.links,
    )  # fmt: skip
    return replace(document, chunks=tuple(_chunks(document)))


def _chunks(document: Document) -> Iterator[Chunk]:
    """One chunk a section."""
    ends = [section.line - 1 for section in document.sections[1:]] + [10**6]
    for section, last_line in zip(document.sections, ends, strict=True):
        text = document.body[section.start : section.end]
        yield Chunk(section.ordinal, section.ordinal, text, 0, section.start, section.end,
                    section.line, last_line, len(text) // 4)  # fmt: skip


def _prose(chance: random.Random, lines: int, item: str = "") -> str:
    return "\n".join(f"{item}{_words(chance, 9).capitalize()}." for _ in range(lines))


def _words(chance: random.Random, count: int) -> str:
    return " ".join(_word(chance, 1 + chance.randrange(3)) for _ in range(count))


def _word(chance: random.Random, syllables: int) -> str:
    return "".join(chance.choices(_SYLLABLES, k=syllables)) + chance.choice("nrkl")
