"""The words of a wiki: how each is mostly written, its forms, and how to find it mistyped."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from build.full_text import fields, insert_postings
from build.function_words import function_words
from build.postings import trigram_postings
from index_artifacts.schema import VOCABULARY_POSTINGS
from index_artifacts.text import word_spans
from index_artifacts.word_filter import word_filter

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlite_utils import Database

    from build.index_writer import Compiled


@dataclass(frozen=True, slots=True)
class _Counts:
    """Of each word: how often it is written in which way, and in how many chunks it is."""

    surfaces: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    chunks: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, parts: Collection[_Counts]) -> _Counts:
        """All of ``parts`` together."""
        if len(parts) == 1:
            return next(iter(parts))
        whole = cls()
        for part in parts:
            whole.chunks.update(part.chunks)
            for word, written in part.surfaces.items():
                whole.surfaces[word].update(written)
        return whole

    def add(self, text: str) -> None:
        """Count the words of a chunk."""
        spans = word_spans(text)
        for word, start, end in spans:
            self.surfaces[word][text[start:end].lower()] += 1
        self.chunks.update({word for word, _, _ in spans})

    def row(self, word: str) -> tuple[str, int, int]:
        """How ``word`` is mostly written, in how many chunks it is, how often it occurs."""
        return _mostly(self.surfaces[word]), self.chunks[word], self.surfaces[word].total()


def write_vocabulary(database: Database, compiled: Compiled) -> None:
    """Write every table that knows words, and the postings that find a mistyped one."""
    counts = {name: _Counts() for name in compiled.collections}
    for _, document, chunk in compiled.numbered_chunks():
        if document.published:  # a correction must not give away what only a draft says
            counts[document.collection].add("\n".join(fields(document, chunk)))
    whole = _Counts.of(counts.values())
    database.execute(
        "CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT UNIQUE, surface TEXT, "
        "chunks INTEGER, occurrences INTEGER)"
    )
    ordered = sorted(whole.surfaces)
    database.conn.executemany(
        "INSERT INTO vocabulary VALUES (?, ?, ?, ?, ?)",
        ((number, word, *whole.row(word)) for number, word in enumerate(ordered, 1)),
    )
    _write_collection_words(database, ordered, list(counts.values()))
    insert_postings(
        database, VOCABULARY_POSTINGS, "vocabulary", trigram_postings([[w] for w in ordered])
    )
    _write_forms(database, compiled, whole.surfaces.keys())
    _write_function_words(database)
    _write_dictionary(database, compiled)


def _write_collection_words(
    database: Database, words: Sequence[str], counts: Sequence[_Counts]
) -> None:
    """What each collection alone would know, for those who may not read the others."""
    database.execute(
        "CREATE TABLE collection_words (word_id INTEGER, collection_id INTEGER, surface TEXT, "
        "chunks INTEGER, occurrences INTEGER, PRIMARY KEY (word_id, collection_id)) WITHOUT ROWID"
    )
    if len(counts) < 2:
        return
    database.conn.executemany(
        "INSERT INTO collection_words VALUES (?, ?, ?, ?, ?)",
        (
            (number, collection, *part.row(word))
            for number, word in enumerate(words, 1)
            for collection, part in enumerate(counts, 1)
            if word in part.surfaces
        ),
    )


def _write_dictionary(database: Database, compiled: Compiled) -> None:
    database.execute("CREATE TABLE word_filters (name TEXT PRIMARY KEY, words INTEGER, bits BLOB)")
    hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *compiled.lemmas.dictionary])
    database.execute(
        "INSERT INTO word_filters VALUES ('dictionary', ?, ?)", (len(hashes), word_filter(hashes))
    )


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


def _write_function_words(database: Database) -> None:
    database.execute(
        "CREATE TABLE function_words (word TEXT, language TEXT, surface TEXT, "
        "PRIMARY KEY (word, language)) WITHOUT ROWID"
    )
    database.conn.executemany(
        "INSERT INTO function_words VALUES (?, ?, ?)",
        sorted((*key, surface) for key, surface in function_words().items()),
    )


def _mostly(written: Counter[str]) -> str:
    return min(written, key=lambda surface: (-written[surface], surface))
