"""What pages and sections are called, so that a question that is a name leads to its bearer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.schema import name_key
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

    from build.index_writer import Compiled


def write_names(database: Database, compiled: Compiled) -> None:
    """Write the table ``names``: titles and aliases lead to a page, headings to a section."""
    database.execute(
        "CREATE TABLE names (name TEXT, chunk_id INTEGER REFERENCES chunks(id), "
        "PRIMARY KEY (name, chunk_id)) WITHOUT ROWID"
    )
    rows = sorted(
        {(key, chunk) for name, chunk in _names(compiled) if (key := name_key(words(name)))}
    )
    database.conn.executemany("INSERT INTO names VALUES (?, ?)", rows)


def _names(compiled: Compiled) -> Iterator[tuple[str, int]]:
    """(name, id of the first chunk of what it names)."""
    first = 1
    for document in compiled.documents:
        if not document.chunks:
            continue
        for name in (document.title, *document.aliases):
            yield name, first
        seen: set[int] = set()
        for number, chunk in enumerate(document.chunks, first):
            section = document.sections[chunk.section]
            if chunk.section not in seen and section.level > 0:
                yield section.heading, number
            seen.add(chunk.section)
        first += len(document.chunks)
