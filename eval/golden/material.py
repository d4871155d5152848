"""What the rules work from: the frozen questions, the hand-written seeds and the roster."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from build.decoding import decode
from build.report import Report
from eval.golden.wording import split_of

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]
"""A question as a line of JSON holds it."""


@dataclass(frozen=True, slots=True)
class Thesis:
    """A thesis in the roster."""

    kind: str
    year: int
    supervisor: str
    state: str
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Student:
    """A student in the roster."""

    name: str
    slug: str
    page: str
    split: str
    start_year: int | None
    theses: tuple[Thesis, ...]
    base_id: str
    """The first frozen question about the page; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Material:
    """Everything read, so that the rules themselves read nothing."""

    base: list[Row]
    seeds: dict[str, list[Row]]
    everyone: list[Student]
    students: list[Student]
    """Those with a name and a readable, published page of their own."""
    titles: dict[str, str]
    """Topic titles by their slugs."""
    supervisors: dict[str, str]
    """Teachers' slugs by their names."""
    text: str
    """Every page's text, for telling whether a quotation is found once."""

    def frames(self, rule: str, lang: str, **wanted: str) -> list[str]:
        """Return the templates of a rule in one language."""
        wanted = {"rule": rule, "lang": lang, **wanted}
        rows = self.seeds["frames"]
        return [row["text"] for row in rows if all(row.get(k) == v for k, v in wanted.items())]

    def form(self, kind: str, key: str, lang: str) -> str:
        """Return a hand-written inflected form; empty where the language has none."""
        for row in self.seeds["grammar"]:
            if (row["type"], row["key"], row["lang"]) == (kind, key, lang):
                return str(row["form"])
        return ""

    def stopwords(self, lang: str) -> frozenset[str]:
        """Return the words a short question leaves out."""
        return frozenset(self._words(lang)["words"])

    def interrogatives(self, lang: str) -> list[str]:
        """Return the words a question can go on with after a comma."""
        return list(self._words(lang)["interrogatives"])

    def keyboard(self, lang: str) -> list[str]:
        """Return the rows of the keyboard people of a language type on."""
        return next(list(row["rows"]) for row in self.seeds["keyboards"] if lang in row["langs"])

    def _words(self, lang: str) -> Row:
        return next(row for row in self.seeds["stopwords"] if row["lang"] == lang)


def read_material(golden: Path, corpora: Path) -> Material:
    """Read the frozen set and the seeds below ``golden``, the wiki and roster in ``corpora``."""
    base = read_lines(golden / "demo" / "questions.jsonl")
    seeds = {file.stem: read_lines(file) for file in sorted((golden / "seeds").glob("*.jsonl"))}
    roster = tomllib.loads((corpora / "demo-people.toml").read_text("utf-8"))
    everyone = _students(roster, base)
    names = [student.name for student in everyone]
    return Material(
        base=base,
        seeds=seeds,
        everyone=everyone,
        students=[one for one in everyone if one.base_id and names.count(one.name) == 1],
        titles={topic["slug"]: topic["title"] for topic in roster["topic"]},
        supervisors={teacher["name"]: teacher["slug"] for teacher in roster["teacher"]},
        text=_text(corpora / "demo" / "pages"),
    )


def read_lines(file: Path) -> list[Row]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _students(roster: Row, base: list[Row]) -> list[Student]:
    questions = {row["gold_doc"]: row["id"] for row in reversed(base) if "gold_doc" in row}
    return [
        Student(
            name=student["name"],
            slug=student["slug"],
            page=student["page"],
            split=split_of(student["page"]),
            start_year=student.get("start_year"),
            theses=tuple(_thesis(thesis) for thesis in student["thesis"]),
            base_id=questions.get(student["page"], ""),
        )
        for student in roster["student"]
    ]


def _thesis(row: Row) -> Thesis:
    return Thesis(
        row["kind"], row["year"], row["supervisor"], row["state"], tuple(row.get("topics", ()))
    )


def _text(pages: Path) -> str:
    files = sorted(file for file in pages.rglob("*") if file.suffix.lower() == ".md")
    texts = (decode(file.name, file.read_bytes(), "cp1250", Report()) or "" for file in files)
    return re.sub(r"\s+", " ", "\n".join(texts))
