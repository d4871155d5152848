"""An opened ``index.sqlite``: the connection and the arrays that every query needs."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.errors import ArtifactError
from index_artifacts.facets import FacetValue, read_facets
from index_artifacts.lexicon import Lexicon
from index_artifacts.postings import Postings
from index_artifacts.schema import SCHEMA_VERSION, VOCABULARY_POSTINGS, name_key
from index_artifacts.text import ANALYZER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from index_artifacts.artifact import Artifact
    from index_artifacts.manifest import Manifest
    from index_artifacts.semantic import CollectionVectors

Ids = np.ndarray[tuple[int], np.dtype[np.int64]]
Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection's id, name, and the positions ``first``..``first + chunks`` of its chunks."""

    id: int
    name: str
    first: int
    chunks: int

    @property
    def slice(self) -> slice:
        """Its part of any array over all chunks."""
        return slice(self.first, self.first + self.chunks)


class Index:
    """A version's database, open for reading by any number of threads.

    Chunks are addressed by position: a chunk's id less one. Raises `ArtifactError` where the
    file is of another layout or this SQLite lacks FTS5.
    """

    def __init__(self, artifact: Artifact) -> None:
        require_fts5()
        self.manifest: Manifest = artifact.manifest
        self._path: Path = artifact.index
        self._lease = artifact.lease  # every new thread opens the file by its path
        self._local = threading.local()
        self._check_layout()
        rows = self.connection.execute(
            "SELECT id, name, first_chunk - 1, chunks FROM collections ORDER BY id"
        )
        self.collections = tuple(Collection(*row) for row in rows)
        columns = self._columns("SELECT document_id, section_id FROM chunks ORDER BY id", 2)
        self.chunk_document: Ids = columns[0] - 1
        self.chunk_section: Ids = columns[1] - 1
        self.chunk_count = len(self.chunk_document)
        # A document's chunks lie together: where its first one does.
        self.first_chunks: Ids = np.flatnonzero(np.diff(self.chunk_document, prepend=-1))
        self.opened_vectors: dict[int, CollectionVectors] = {}
        """By collection, shared by all who see it: vectors are most of what is in memory."""

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's own connection."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
        return connection

    @property
    def size(self) -> int:
        """How many chunks may be found."""
        return sum(collection.chunks for collection in self.collections)

    def collection_of(self, path: str) -> str:
        """The collection that a page at ``path`` belongs to, empty where none takes it."""
        for collection in self.manifest.config.get("collections", ()):
            folder = collection["path"].strip("/")
            if not folder or path == folder or path.startswith(f"{folder}/"):
                return str(collection["name"])
        return ""

    @property
    def has_graph(self) -> bool:
        """False where the graph may not be told at all."""
        return True

    @property
    def graph_is_whole(self) -> bool:
        """True where the graph holds what all of the collections say."""
        return True

    @cached_property
    def visible(self) -> Mask:
        """True for each document that is there for whoever asks, by position."""
        return np.ones(len(self.published), dtype=bool)

    @cached_property
    def visible_words(self) -> Mask | None:
        """The same for each word of the vocabulary; None where all of them are."""
        return None

    def in_language(self, language: str | None) -> Mask:
        """True for each chunk in ``language``, by position; for every one where it is None."""
        if language is None:
            return np.ones(self.chunk_count, dtype=bool)
        found = self._language_masks.get(language)
        return np.zeros(self.chunk_count, dtype=bool) if found is None else found

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of its documents."""
        return frozenset(self._language_masks)

    @cached_property
    def _language_masks(self) -> dict[str, Mask]:
        rows = self.connection.execute("SELECT language FROM documents ORDER BY id")
        languages = np.array([language for (language,) in rows])
        return {
            str(language): (languages == language)[self.chunk_document]
            for language in np.unique(languages)
        }

    @cached_property
    def published(self) -> Mask:
        """True for each document that is published, by position."""
        return self._columns("SELECT published FROM documents ORDER BY id", 1)[0].astype(bool)

    @cached_property
    def facets(self) -> dict[str, tuple[FacetValue, ...]]:
        """What its published pages can be filtered by; a facet that none has is missing."""
        return read_facets(self.connection)

    @cached_property
    def summarised(self) -> Mask:
        """True for each document that has a summary, by position."""
        return self._columns("SELECT summary != '' FROM documents ORDER BY id", 1)[0].astype(bool)

    @cached_property
    def vocabulary(self) -> Postings:
        """Finds words of the wiki by their trigrams; row ``n`` is the word with id ``n + 1``."""
        return Postings(self.connection, VOCABULARY_POSTINGS)

    @cached_property
    def lexicon(self) -> Lexicon:
        """What the version knows of words."""
        return Lexicon(lambda: self.connection)

    def called(self, words: Sequence[str]) -> list[int]:
        """Positions of the chunks that a title, alias or heading of just these words leads to."""
        rows = self.connection.execute(
            "SELECT chunk_id - 1 FROM names WHERE name = ?", (name_key(words),)
        )
        return [position for (position,) in rows]

    def documents_with(self, facet: str, keys: Sequence[str]) -> Mask:
        """True for each document that has any of the values ``keys`` of a facet."""
        marks = ", ".join("?" * len(keys))
        rows = self.connection.execute(
            f"SELECT document_id - 1 FROM facets WHERE facet = ? AND key IN ({marks})",
            (facet, *keys),
        ).fetchall()
        mask = np.zeros(len(self.published), dtype=bool)
        mask[[row[0] for row in rows]] = True
        return mask

    def _columns(self, query: str, width: int) -> tuple[Ids, ...]:
        rows = self.connection.execute(query).fetchall()
        array = np.array(rows, dtype=np.int64).reshape(len(rows), width)
        return tuple(np.ascontiguousarray(array[:, column]) for column in range(width))

    def _connect(self) -> sqlite3.Connection:
        uri = f"{self._path.resolve().as_uri()}?mode=ro&immutable=1"
        try:
            return sqlite3.connect(uri, uri=True, check_same_thread=False)
        except sqlite3.Error as error:
            raise ArtifactError(f"{self._path}: cannot be opened: {error}") from error

    def _check_layout(self) -> None:
        try:
            meta = dict(self.connection.execute("SELECT key, value FROM meta").fetchall())
        except sqlite3.DatabaseError as error:
            raise ArtifactError(f"{self._path}: not an edgewiki index: {error}") from error
        found = (meta.get("schema"), meta.get("analyzer"))
        expected = (str(SCHEMA_VERSION), ANALYZER)
        if found != expected:
            raise ArtifactError(
                f"version {self.manifest.version} has layout {found}, this edgewiki reads "
                f"{expected}: build it again, or run the edgewiki that wrote it"
            )


def require_fts5() -> None:
    """Raise `ArtifactError` where this Python's SQLite has no full-text search."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.OperationalError as error:
        raise ArtifactError(
            f"this Python's SQLite {sqlite3.sqlite_version} has no FTS5: "
            "on Lambda choose the runtime python3.12 or newer"
        ) from error
    finally:
        connection.close()
