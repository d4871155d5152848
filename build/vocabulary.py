"""The words of a wiki: how each is mostly written, its forms, and how to find it mistyped."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from build.full_text import fields, insert_postings
from build.postings import trigram_postings
from index_artifacts.schema import VOCABULARY_POSTINGS
from index_artifacts.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlite_utils import Database

    from build.index_writer import Compiled


def write_vocabulary(database: Database, compiled: Compiled) -> None:
    """Write vocabulary, lemma_forms and lemma_words, and the postings that find a word."""
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    chunks: Counter[str] = Counter()
    for _, document, chunk in compiled.numbered_chunks():
        if not document.published:
            continue  # a correction must not give away what only a draft says
        text = "\n".join(fields(document, chunk))
        spans = word_spans(text)
        for word, start, end in spans:
            surfaces[word][text[start:end].lower()] += 1
        chunks.update({word for word, _, _ in spans})
    database.execute(
        "CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT UNIQUE, surface TEXT, "
        "chunks INTEGER, occurrences INTEGER)"
    )
    ordered = sorted(surfaces)
    database.conn.executemany(
        "INSERT INTO vocabulary VALUES (?, ?, ?, ?, ?)",
        (
            (number, word, _mostly(surfaces[word]), chunks[word], surfaces[word].total())
            for number, word in enumerate(ordered, 1)
        ),
    )
    insert_postings(
        database, VOCABULARY_POSTINGS, "vocabulary", trigram_postings([[w] for w in ordered])
    )
    _write_forms(database, compiled, surfaces.keys())


def _write_forms(database: Database, compiled: Compiled, words: Collection[str]) -> None:
    database.execute(
        "CREATE TABLE lemma_forms (form TEXT, language TEXT, lemma TEXT, "
        "PRIMARY KEY (form, language, lemma)) WITHOUT ROWID"
    )
    forms = sorted(compiled.lemmas.forms)
    database.conn.executemany("INSERT INTO lemma_forms VALUES (?, ?, ?)", forms)
    database.execute(
        "CREATE TABLE lemma_words (lemma TEXT, word TEXT, PRIMARY KEY (lemma, word)) WITHOUT ROWID"
    )
    database.conn.executemany(
        "INSERT INTO lemma_words VALUES (?, ?)",
        sorted({(lemma, form) for form, _, lemma in forms if form in words}),
    )


def _mostly(written: Counter[str]) -> str:
    return min(written, key=lambda surface: (-written[surface], surface))
