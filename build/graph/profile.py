"""What an extraction profile is made of; `build.graph.profiles` reads one from its file.

Patterns are regular expressions over folded text (no case, no diacritics) without Markdown's
marks. ``{name}`` in a pattern stands for the vocabulary ``[words.name]``; a group of that name,
``(?P<name>{name})``, has the vocabulary's value rather than the words that were read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

BUILT_IN = {
    "year": r"(?:19|20)\d\d(?!\d)",
    "end": r"\s*[.;,!]?\s*$",
}
"""Vocabularies that every profile has."""

ATTRIBUTE_GROUPS = frozenset({"title", "year", "kind", "state", "start_year", "supervisor"})
_WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_GROUP = re.compile(r"\(\?P<\w+>")
_REFERENCE = re.compile(r"\{([a-z_]+)\}")


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, ignored_types=(cached_property,))

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$")


class Pages(_Rule):
    """Pages by where they lie, how they are filed and what they are called; all has to hold."""

    paths: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    @cached_property
    def path_pattern(self) -> re.Pattern[str] | None:
        """One pattern for all the globs, on the lower-case path; ``*`` stops at a slash."""
        return globs_pattern(self.paths)

    @cached_property
    def category_pattern(self) -> re.Pattern[str] | None:
        """One pattern for all the globs of categories, lower case."""
        return globs_pattern(self.categories)


class Subject(Pages):
    """Pages that are about a person or a topic.

    ``shape = "name"``: the page is called like a person. ``slug``: its address has a word of
    that name. ``folder``: pages below its folder are the person's documents, too. ``works``: its
    blocks are theses and works that the person wrote. A title that more than ``most_pages``
    pages have is none of their topics (0: any number).
    """

    type: Literal["Person", "Topic"]
    shape: Literal["any", "name"] = "any"
    slug: bool = False
    folder: bool = False
    works: bool = False
    most_pages: int = Field(0, ge=0)


class Patterns(_Rule):
    """A rule with patterns; each is compiled with the profile's vocabularies."""

    patterns: tuple[str, ...] = Field(min_length=1)


class Block(Patterns):
    """Opens a thesis or work on a person's page: groups kind, year, title, supervisor, state.

    ``first_line``: a line alone right below the heading, with no label, is the title.
    """

    at: tuple[Literal["heading", "line"], ...] = ("heading", "line")
    first_line: bool = False
    sets: dict[str, str | int] = {}

    @field_validator("sets")
    @classmethod
    def _known(cls, value: dict[str, str | int]) -> dict[str, str | int]:
        if unknown := set(value) - {"kind", "state"}:
            raise ValueError(f"sets {min(unknown)!r}; a block may set kind and state")
        return value


class Label(Patterns):
    """``Label: value`` in a line, a table row or (``keys``) in front matter."""

    sets: Literal["title", "year", "state", "start_year", "supervisor"]
    keys: tuple[str, ...] = ()


class Statement(Patterns):
    """Prose whose groups are attributes: of the person, or of the thesis it stands under."""

    where: Literal["person", "head", "block"]
    sets: dict[str, str | int] = {}


class Expectation(Patterns):
    """A category that announces a thesis: groups kind and year. None read is a gap."""


class Links(_Rule):
    """A link to a page that one of the ``to`` subjects describes: the thesis is ABOUT that.

    ``where``: under the thesis, or anywhere on a page that tells of one thesis alone.
    """

    to: tuple[str, ...] = Field(min_length=1)
    where: Literal["block", "page-of-one"] = "block"


class Titles(_Rule):
    """A title that holds the name of a topic which one of the ``to`` subjects describes."""

    to: tuple[str, ...] = Field(min_length=1)


class Mentions(_Rule):
    """A topic page's list of works: headings under which people stand with what they wrote."""

    on: tuple[str, ...] = Field(min_length=1)
    headings: tuple[str, ...] = Field(min_length=1)


class Glossary(Pages):
    """Pages on which terms are defined, and how."""

    forms: tuple[Literal["dash", "definition-list", "table"], ...] = Field(min_length=1)
    headings: tuple[str, ...] = ()


class Field_(_Rule):  # noqa: N801  pydantic has the name
    """A field of a document that becomes entities."""

    source: Literal["tags", "categories", "authors", "collection", "links", "replies", "sections"]
    level: int = Field(2, ge=1, le=6)


class Profile(BaseModel):
    """A whole profile. ``reads``: what is missing where a page in ``scope`` was skipped."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scope: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    words: dict[str, dict[str, tuple[str, ...]]] = {}
    closing: tuple[str, ...] = ()
    subjects: tuple[Subject, ...] = ()
    blocks: tuple[Block, ...] = ()
    labels: tuple[Label, ...] = ()
    statements: tuple[Statement, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    links: tuple[Links, ...] = ()
    titles: tuple[Titles, ...] = ()
    mentions: tuple[Mentions, ...] = ()
    glossaries: tuple[Glossary, ...] = ()
    fields: tuple[Field_, ...] = ()


@dataclass(frozen=True)
class Compiled:
    """A profile ready to be applied. ``name`` goes before a rule's name in provenance."""

    name: str
    profile: Profile
    patterns: dict[str, re.Pattern[str]] = field(default_factory=dict)
    joined: dict[tuple[str, ...], re.Pattern[str] | None] = field(default_factory=dict)
    values: dict[tuple[str, str], str] = field(default_factory=dict)

    def pattern(self, text: str) -> re.Pattern[str]:
        """The compiled form of a pattern; raises `re.error` or `KeyError` where it has none."""
        if text not in self.patterns:
            self.patterns[text] = re.compile(self._filled(text))
        return self.patterns[text]

    def any_of(self, patterns: tuple[str, ...]) -> re.Pattern[str] | None:
        """One pattern for all, without their groups, to ask first: most lines match none."""
        if patterns not in self.joined:
            bare = (_GROUP.sub("(?:", self._filled(pattern)) for pattern in patterns)
            text = "|".join(f"(?:{pattern})" for pattern in bare)
            self.joined[patterns] = re.compile(text) if patterns else None
        return self.joined[patterns]

    def value(self, group: str, text: str) -> str:
        """The value of a vocabulary that ``text`` stands for; without one, the text itself."""
        if group not in self.profile.words:
            return text
        if (group, text) not in self.values:
            listed = self.profile.words[group].items()
            meant = (
                v for v, words in listed if any(self.pattern(w).fullmatch(text) for w in words)
            )
            self.values[group, text] = next(meant, text)
        return self.values[group, text]

    def rule(self, rule: _Rule) -> str:
        """How provenance names a rule."""
        return f"{self.name}/{rule.name}"

    def _filled(self, text: str) -> str:
        return _REFERENCE.sub(lambda match: self._words(match[1]), text)

    def _words(self, name: str) -> str:
        if name in BUILT_IN:
            return BUILT_IN[name]
        if name not in self.profile.words:
            raise KeyError(name)
        values = self.profile.words[name].values()
        return "(?:" + "|".join(self._filled(word) for words in values for word in words) + ")"


def globs_pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    """One pattern for all the globs, to be matched on lower case; None without any."""
    if not globs:
        return None
    return re.compile("|".join(_glob(glob.lower()) for glob in globs))


def _glob(glob: str) -> str:
    """``**/`` is any folders, ``**`` anything, ``*`` and ``?`` anything but a slash."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return "".join(_WILDCARDS.get(part) or re.escape(part) for part in parts) + r"\Z"


def rules_of(profile: Profile) -> list[tuple[str, int, Any]]:
    """Every rule with the table it stands in and its place there."""
    tables = (
        "subjects", "blocks", "labels", "statements", "expectations", "links", "titles", "mentions",
        "glossaries", "fields",
    )  # fmt: skip
    return [
        (table, place, rule)
        for table in tables
        for place, rule in enumerate(getattr(profile, table))
    ]
