"""What somebody may be typing: titles, people and keywords, each with how many pages use it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from index_artifacts.graph import model
from index_artifacts.schema import (
    BY_GRAPH,
    BY_PAGES,
    BY_PUBLIC_GRAPH,
    FTS_TOKENIZER,
    KEYWORD,
    PERSON,
    SUGGEST_PREFIXES,
    SUGGESTED,
    TITLE,
    suggest_table,
)
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlite_utils import Database

    from build.index_writer import Compiled
    from index_artifacts.graph.model import KnowledgeGraph
    from index_artifacts.records import Document

_TABLES = """
CREATE TABLE suggestion_lists (
    id INTEGER PRIMARY KEY, collection_id INTEGER REFERENCES collections(id), published INTEGER,
    source TEXT);
CREATE TABLE suggestions (
    id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES suggestion_lists(id), name_id INTEGER,
    name TEXT, kind TEXT, uses INTEGER, document_id INTEGER REFERENCES documents(id));
"""

_SOURCES = (BY_PAGES, BY_GRAPH, BY_PUBLIC_GRAPH)


class _List(NamedTuple):
    """Pages that are seen or hidden together, and where the names were read."""

    collection: int
    published: bool
    source: str


@dataclass(slots=True)
class _Name:
    """How a name is written, the pages that use it, and those that are called so or are about it.

    Pages are numbers of documents.
    """

    written: Counter[str] = field(default_factory=Counter)
    users: set[int] = field(default_factory=set)
    bearers: set[int] = field(default_factory=set)


_Names = dict[tuple[str, str], _Name]
"""By kind and folded words."""


def write_suggestions(database: Database, compiled: Compiled) -> None:
    """Write the lists of names, and of each the table that finds them.

    A list holds what whoever sees its pages may be told, and counts nothing else.
    """
    for statement in _TABLES.split(";"):
        database.execute(statement)
    lists = _read(compiled)
    keys = {key for names in lists.values() for _, key in names}
    # Of names that are used as much, the shorter one is suggested first.
    numbers = {key: n for n, key in enumerate(sorted(keys, key=lambda key: (len(key), key)), 1)}
    first = 1
    for number, place in enumerate(sorted(lists, key=_order), 1):
        rows = list(enumerate(_ranked(lists[place], numbers), first))
        database.execute(
            "INSERT INTO suggestion_lists VALUES (?, ?, ?, ?)",
            (number, place.collection, int(place.published), place.source),
        )
        database.conn.executemany(
            "INSERT INTO suggestions VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((id_, number, *row) for id_, (_, *row) in rows),
        )
        _write_words(database, suggest_table(number), ((id_, words) for id_, (words, *_) in rows))
        first += len(rows)
    database.execute("CREATE INDEX idx_suggestions_name_id ON suggestions(name_id)")


def _order(place: _List) -> tuple[int, bool, int]:
    return place.collection, not place.published, _SOURCES.index(place.source)


def _write_words(database: Database, table: str, rows: Iterator[tuple[int, str]]) -> None:
    # Contentless, and rowid is the rank: of any number of matches the first are the best ones.
    tokenizer = FTS_TOKENIZER.replace("'", "''")
    database.execute(
        f"CREATE VIRTUAL TABLE {table} USING fts5(words, content='', columnsize=0, "
        f"prefix='{SUGGEST_PREFIXES}', tokenize='{tokenizer}')"
    )
    database.conn.executemany(f"INSERT INTO {table} (rowid, words) VALUES (?, ?)", rows)
    database.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def _ranked(
    names: _Names, numbers: Mapping[str, int]
) -> Iterator[tuple[str, int, str, str, int, int | None]]:
    """(folded words, number, name, kind, uses, page), best first; no page where it is not one."""
    rows = (
        (SUGGESTED.index(kind), -len(name.users), numbers[key], key, kind, name)
        for (kind, key), name in names.items()
    )
    for _, _, number, key, kind, name in sorted(rows, key=lambda row: row[:3]):
        written = min(name.written, key=lambda text: (-name.written[text], text))
        page = next(iter(name.bearers)) if len(name.bearers) == 1 else None
        yield key, number, written, kind, len(name.users), page


def _read(compiled: Compiled) -> dict[_List, _Names]:
    lists: dict[_List, _Names] = defaultdict(lambda: defaultdict(_Name))
    _read_pages(lists, compiled)
    _read_people(lists, compiled, compiled.graph, BY_GRAPH)
    if compiled.public_graph is not None:
        _read_people(lists, compiled, compiled.public_graph, BY_PUBLIC_GRAPH)
    return lists


def _read_pages(lists: dict[_List, _Names], compiled: Compiled) -> None:
    linking = _linking(compiled)
    for number, document in enumerate(compiled.documents, 1):
        names = lists[_place(compiled, document, BY_PAGES)]
        for kind, texts in (
            (TITLE, (document.title, *document.aliases)),
            (PERSON, document.authors),
            (KEYWORD, (*document.tags, *document.categories)),
        ):
            for text in texts:
                users = linking[document.path] if kind == TITLE else ()
                bearers = {number} if kind == TITLE else ()
                _add(names, kind, text, {number, *users}, bearers)


def _read_people(
    lists: dict[_List, _Names], compiled: Compiled, graph: KnowledgeGraph, source: str
) -> None:
    numbers = {document.path: number for number, document in enumerate(compiled.documents, 1)}
    for entity in graph.entities:
        if entity.type != model.PERSON:
            continue
        for number in {numbers[where.path] for where in entity.provenance}:
            document = compiled.documents[number - 1]
            # Who sees a name may not see the page about its bearer: it belongs to its own list.
            about = {number} if document.path == entity.page else ()
            _add(lists[_place(compiled, document, source)], PERSON, entity.name, {number}, about)


def _add(
    names: _Names, kind: str, text: str, users: set[int], bearers: set[int] | tuple[()]
) -> None:
    if key := " ".join(words(text)):
        name = names[kind, key]
        name.written[" ".join(text.split())] += 1
        name.users.update(users)
        name.bearers.update(bearers)


def _linking(compiled: Compiled) -> dict[str, set[int]]:
    """Path → the other pages that link there, as far as who sees the page sees them, too."""
    places = {d.path: _place(compiled, d, BY_PAGES) for d in compiled.documents}
    found: dict[str, set[int]] = defaultdict(set)
    for number, document in enumerate(compiled.documents, 1):
        for link in document.links:
            target = link.document
            if target in places and places[target] == places[document.path]:
                found[target].add(number)
    return found


def _place(compiled: Compiled, document: Document, source: str) -> _List:
    return _List(compiled.collections.index(document.collection) + 1, document.published, source)
