"""Suggestions while somebody types: titles, people and keywords that have the words so far.

Names lie in lists, each of the pages that are seen or hidden together, in the order in which they
are suggested. A name of several lists ranks as it does in its best one, so that the best names of
all are among the best of each, and a list of any length is read no further.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from index_artifacts.filters import chosen_collections
from index_artifacts.schema import BY_PUBLIC_GRAPH, PERSON, SUGGESTED, TITLE, suggest_table
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.index import Collection, Index

LIMIT = 8
"""How many there are at most."""

# No name of more words needs to be completed.
_MOST_WORDS = 32

# How many names are looked at where the first ones are those of fewer pages than are wanted.
_MORE = 100

_LISTS = f"""
SELECT id FROM suggestion_lists
WHERE source <> '{BY_PUBLIC_GRAPH}' AND published >= ?
AND collection_id IN (SELECT value FROM json_each(?)) ORDER BY id
"""
_NAMES = """
SELECT kind, uses, name_id FROM suggestions WHERE id IN (SELECT value FROM json_each(?))
"""
_ENTRIES = f"""
SELECT name_id, kind, uses, name, documents.path FROM suggestions
JOIN suggestion_lists ON suggestion_lists.id = list_id
    AND source <> '{BY_PUBLIC_GRAPH}' AND suggestion_lists.published >= ?1
    AND suggestion_lists.collection_id IN (SELECT value FROM json_each(?2))
LEFT JOIN documents ON documents.id = document_id
WHERE name_id IN (SELECT value FROM json_each(?3)) ORDER BY suggestions.id
"""


@dataclass(frozen=True, slots=True)
class SuggestRequest:
    """What was typed so far: whole words in any order, of which the last is the beginning of one.

    Case and diacritics do not count. ``limit`` is at least 1.
    """

    text: str
    collections: tuple[str, ...] = ()
    published_only: bool = True
    limit: int = LIMIT


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name as it is written, its kind, and the page called so or about its bearer.

    ``path`` is empty where there is no such page, or more than one.
    """

    text: str
    kind: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Best first; ``truncated``: there are more."""

    found: tuple[Suggestion, ...] = ()
    truncated: bool = False


class _Entry(NamedTuple):
    """A name of one kind in one list."""

    kind: str
    uses: int
    text: str
    path: str | None

    @property
    def rank(self) -> tuple[int, int]:
        return SUGGESTED.index(self.kind), -self.uses


def suggest(index: Index, request: SuggestRequest) -> Suggestions:
    """The names that go on as ``request`` says; raises `QueryError` for an unknown collection.

    Names that begin so come first, then those of which a later word does; titles before people
    before keywords; what more pages of a collection use; the shorter name.
    """
    collections = chosen_collections(index, request.collections)
    typed = words(request.text)
    if not typed or len(typed) > _MOST_WORDS:
        return Suggestions()
    asked = _Asked(index, collections, request.published_only)
    wanted = 2 * request.limit + 1
    names = asked.beginning(typed, wanted)
    found = _once_a_page(asked.described(names))
    if len(found) <= request.limit and len(names) == wanted:
        names = asked.beginning(typed, _MORE)
        found = _once_a_page(asked.described(names))
    more = len(found) > request.limit or len(names) == _MORE
    return Suggestions(tuple(found[: request.limit]), more)


class _Asked:
    """The names of a version that one request may be told."""

    def __init__(
        self, index: Index, collections: Iterable[Collection], published_only: bool
    ) -> None:
        self._connection = index.connection
        self._scope = (int(published_only), json.dumps([c.id for c in collections]))
        found = self._connection.execute(_LISTS, self._scope)
        self._tables = [suggest_table(number) for (number,) in found]

    def beginning(self, typed: Sequence[str], most: int) -> list[int]:
        """The numbers of the best ``most`` names that have these words, best first."""
        names = self._matching(_at_first(typed), most)
        if len(names) == most:
            return names
        # Those that begin so are among them once more.
        anywhere = self._matching(_anywhere(typed), most + len(names))
        return list(dict.fromkeys([*names, *anywhere]))[:most]

    def _matching(self, expression: str, most: int) -> list[int]:
        """The same for an expression of FTS5."""
        rows: list[int] = []
        for table in self._tables:
            found = self._connection.execute(
                f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid LIMIT ?",
                # A name may be there once of each kind.
                (expression, most * len(SUGGESTED)),
            )
            rows += [row for (row,) in found]
        names = self._connection.execute(_NAMES, (json.dumps(rows),)).fetchall()
        ranked = sorted((SUGGESTED.index(kind), -uses, name) for kind, uses, name in names)
        return list(dict.fromkeys(name for _, _, name in ranked))[:most]

    def described(self, names: Sequence[int]) -> list[Suggestion]:
        """What the names with these numbers are, each once, whatever it is the name of."""
        rows = self._connection.execute(_ENTRIES, (*self._scope, json.dumps(names)))
        entries: dict[int, list[_Entry]] = {name: [] for name in names}
        for name, *entry in rows:
            entries[name].append(_Entry(*entry))
        return [_joined(entries[name]) for name in names]


def _once_a_page(found: Iterable[Suggestion]) -> list[Suggestion]:
    """Of the names of one page the best, such as of its title and an alias."""
    kept: dict[tuple[str, str], Suggestion] = {}
    for one in found:
        kept.setdefault((one.path, "" if one.path else one.text), one)
    return list(kept.values())


def _joined(entries: Sequence[_Entry]) -> Suggestion:
    best = min(entries, key=lambda entry: entry.rank)
    person = any(entry.kind == PERSON for entry in entries)
    return Suggestion(best.text, PERSON if person else best.kind, _page(entries))


def _page(entries: Sequence[_Entry]) -> str:
    about = {entry.path for entry in entries if entry.kind == PERSON and entry.path}
    called = {entry.path for entry in entries if entry.kind == TITLE}
    for paths in (about, called):
        if len(paths) == 1:
            return paths.pop() or ""
    return ""


def _at_first(typed: Sequence[str]) -> str:
    return "^ " + " + ".join(f'"{word}"' for word in typed) + " *"


def _anywhere(typed: Sequence[str]) -> str:
    whole = [f'"{word}"' for word in dict.fromkeys(typed[:-1])]
    return " AND ".join([*whole, f'"{typed[-1]}" *'])
