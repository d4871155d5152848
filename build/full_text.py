"""The full-text tables of an index: lemmas, exact words and character trigrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build.postings import trigram_postings
from index_artifacts.schema import FTS_COLUMNS, FTS_TOKENIZER, exact_table, lemma_table
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

    from build.index_writer import Compiled
    from build.postings import Postings
    from index_artifacts.records import Chunk, Document


def write_full_text(database: Database, compiled: Compiled) -> None:
    """Write both FTS5 tables and the trigram postings of every collection."""
    create_posting_tables(database)
    for number, name in enumerate(compiled.collections, 1):
        rows = [row for row in compiled.numbered_chunks() if row[1].collection == name]
        lemmas = compiled.lemmas
        _write_fts(
            database,
            lemma_table(number),
            ((i, [" ".join(lemmas.text(t, d.language)) for t in fields(d, c)]) for i, d, c in rows),
        )
        _write_fts(
            database,
            exact_table(number),
            ((i, [" ".join(words(t)) for t in fields(d, c)]) for i, d, c in rows),
        )
        postings = trigram_postings([words("\n".join(fields(d, c))) for _, d, c in rows])
        insert_postings(database, number, name, postings)


def fields(document: Document, chunk: Chunk) -> tuple[str, str, str, str]:
    """The texts of a chunk by which it is found, in the order of `FTS_COLUMNS`."""
    title = "\n".join((document.title, *document.aliases))
    headings = "\n".join(document.sections[chunk.section].path)
    keywords = "\n".join((*document.tags, *document.categories, *document.authors))
    return title, headings, keywords, chunk.text


def _write_fts(database: Database, table: str, rows: Iterator[tuple[int, list[str]]]) -> None:
    # Contentless: the texts lie in chunks already, and rowid is the chunk's id.
    columns = ", ".join(FTS_COLUMNS)
    tokenizer = FTS_TOKENIZER.replace("'", "''")
    database.execute(
        f"CREATE VIRTUAL TABLE {table} USING fts5({columns}, content='', tokenize='{tokenizer}')"
    )
    marks = ", ".join("?" * len(FTS_COLUMNS))
    database.conn.executemany(
        f"INSERT INTO {table} (rowid, {columns}) VALUES (?, {marks})",
        ((number, *texts) for number, texts in rows),
    )
    database.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def create_posting_tables(database: Database) -> None:
    """Create the tables that all postings share."""
    database.execute(
        "CREATE TABLE posting_lists (id INTEGER PRIMARY KEY, name TEXT, rows INTEGER, "
        "id_bytes INTEGER, ids BLOB, weights BLOB)"
    )
    database.execute(
        "CREATE TABLE posting_terms (list_id INTEGER, term TEXT, idf REAL, first INTEGER, "
        "count INTEGER, PRIMARY KEY (list_id, term)) WITHOUT ROWID"
    )


def insert_postings(database: Database, number: int, name: str, postings: Postings) -> None:
    """Write one set of postings under the id ``number``."""
    database.execute(
        "INSERT INTO posting_lists VALUES (?, ?, ?, ?, ?, ?)",
        (number, name, postings.rows, postings.id_bytes, postings.ids, postings.weights),
    )
    database.conn.executemany(
        "INSERT INTO posting_terms VALUES (?, ?, ?, ?, ?)",
        ((number, *term) for term in postings.terms),
    )
