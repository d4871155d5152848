"""What is read off a page, before anybody knows who and what is meant by it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build.graph.profile import Subject
    from index_artifacts.graph.model import Gap
    from index_artifacts.records import Document


@dataclass(frozen=True, slots=True)
class Fact:
    """A value, the lines it stands on and the rule that read it."""

    value: str
    line: int
    rule: str
    last_line: int = 0
    """0: the same line."""


@dataclass(frozen=True, slots=True)
class About:
    """What a page is about: ``name`` is the person's or topic's, as the page calls it."""

    subject: Subject
    name: Fact
    profile: str


@dataclass(slots=True)
class WorkFacts:
    """A thesis or work as its blocks tell it. ``spans`` are their first and last lines.

    ``level`` is the heading's; a block that a line opens has level 7: any heading ends it.
    """

    kind: str
    year: int | None
    line: int
    rule: str
    level: int = 7
    spans: list[tuple[int, int]] = field(default_factory=list)
    is_work: bool = False
    facts: dict[str, Fact] = field(default_factory=dict)
    supervisors: list[Fact] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Definition:
    """A term of a glossary."""

    term: str
    text: str
    line: int
    rule: str


@dataclass(slots=True)
class PageFacts:
    """All that was read off one page."""

    document: Document
    about: list[About] = field(default_factory=list)
    works: list[WorkFacts] = field(default_factory=list)
    start_years: list[Fact] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)

    def of_type(self, kind: str) -> About | None:
        """What of a type the page is about, by the narrowest rule: one that asks for a category."""
        found = [about for about in self.about if about.subject.type == kind]
        return min(found, key=lambda about: not about.subject.categories, default=None)
