"""The graph engine's facts on pages: who wrote them, their tags and categories.

A version lists them completely, so that counts and lists are known to be complete. Questions are
understood by rules (``catalogue.toml``); what they do not fit is not understood, never guessed.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from index_artifacts.answers.checks.names import holds_name
from index_artifacts.answers.declension import alike
from index_artifacts.answers.question import is_asking
from index_artifacts.answers.transliteration import latin
from index_artifacts.documents import ListRequest, list_documents
from index_artifacts.text import words

if TYPE_CHECKING:
    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.hits import DocumentInfo
    from index_artifacts.index import Index
    from index_artifacts.search_records import SearchRequest

AUTHOR, TAG, CATEGORY = "author", "tag", "category"
_FIELDS = {AUTHOR: "authors", TAG: "tags", CATEGORY: "categories"}
MOST_PAGES = 20
# What stands around a name in front matter and in no question.
_TITLES = frozenset(
    ["prof", "doc", "ing", "mgr", "bc", "rndr", "phdr", "mudr", "dr", "hab", "inz", "phd", "csc",
     "drsc", "mba"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """The pages that have ``value`` of ``facet`` are asked for, or how many they are."""

    facet: str
    value: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """What the version knows: ``total`` pages, of which ``pages`` are the first by path."""

    asked: Asked
    pages: tuple[DocumentInfo, ...]
    total: int

    @property
    def complete(self) -> bool:
        """True where every page is among ``pages``."""
        return self.total == len(self.pages)


def understand(index: Index, question: str, lemmas: Lemmatiser) -> Asked | None:
    """What ``question`` asks of the catalogue, or None where it is no such question."""
    found = words(question)
    if not _speaks(found, "page"):
        return None
    facet = next((name for name in _FIELDS if _speaks(found, name)), "")
    value = _named_value(index, facet, found, lemmas) if facet else ""
    if not value or _says_more(question, value, lemmas):
        return None
    return Asked(facet, value, _speaks(found, "count"))


def look_up(
    index: Index, asked: Asked, request: SearchRequest, collections: tuple[str, ...]
) -> Listed:
    """The pages that ``asked`` is about, among those of ``collections`` that ``request`` allows.

    The request must not filter by the facet that is asked about: see `filters_by`.
    """
    wanted = ListRequest(
        collections=collections,
        authors=request.authors,
        tags=request.tags,
        categories=request.categories,
        languages=request.languages,
        years=request.years,
        published_only=request.published_only,
        limit=MOST_PAGES,
    )
    chosen: dict[str, Any] = {_FIELDS[asked.facet]: (asked.value,)}
    listing = list_documents(index, replace(wanted, **chosen))
    return Listed(asked, listing.documents, listing.total)


def filters_by(request: SearchRequest, asked: Asked) -> bool:
    """True where ``request`` filters by the facet that is asked about.

    Filters of one facet are alternatives: both at once cannot be listed.
    """
    return bool(getattr(request, _FIELDS[asked.facet]))


def told(listed: Listed, language: str) -> tuple[str, ...]:
    """The facts in words: what the pages have in common, and how many they are."""
    table = _table()
    wording = table.get(language, table["en"])
    shared = wording[listed.asked.facet].format(value=listed.asked.value)
    return (shared, wording["total"].format(count=listed.total))


def _named_value(index: Index, facet: str, found: list[str], lemmas: Lemmatiser) -> str:
    """The facet's value that the question names: as it is written, else in whatever case."""
    rows = index.connection.execute("SELECT DISTINCT value FROM facets WHERE facet = ?", (facet,))
    values = [
        (value, parts)
        for (value,) in rows
        if (parts := [word for word in words(value) if word not in _TITLES])
    ]
    in_latin = [latin(word) for word in found]  # a name may be asked for in either script
    named = [
        (set(parts) <= set(found), len(value), value)
        for value, parts in values
        if holds_name(parts, found, lemmas) or holds_name(parts, in_latin, lemmas)
    ]
    return max(named)[-1] if named else ""


def _says_more(question: str, value: str, lemmas: Lemmatiser) -> bool:
    """True where words are left that the form has no place for: they would be ignored."""
    fitting = tuple(start for starts in _table()["words"].values() for start in starts.split())
    named = [*words(value), *_TITLES]
    return any(
        not word.startswith(fitting)
        and not is_asking(word)
        and not any(alike(latin(word), part) or lemmas.same(word, part) for part in named)
        for word in lemmas.content(question)
    )


def _speaks(found: list[str], key: str) -> bool:
    starts = tuple(_table()["words"][key].split())
    return any(word.startswith(starts) for word in found)


@cache
def _table() -> dict[str, Any]:
    file = Path(__file__).with_name("catalogue.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
