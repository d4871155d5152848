"""A version as somebody sees it who may read some of its collections: the others do not exist.

Every question is asked through SQL, so that is where rows are hidden: each connection gets
temporary views with the names of the tables, which SQLite looks at first. A query that knows
nothing of access finds neither a page nor a word nor a fact of another collection, whatever it is
written for. Arrays keep their shape, since a chunk's position is its id; `visible` masks them.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.index import Collection, Index, Mask
from index_artifacts.schema import BY_GRAPH, BY_PAGES, BY_PUBLIC_GRAPH, GRAPH_TABLES, PUBLIC

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection as Names

_OF_DOCUMENTS = ("facets", "revisions", "addresses", "sections", "links")
_OF_CHUNKS = ("names", "segments", "sentences")

# What {documents} and {chunks} are is said by ranges: a collection's ids lie together.
_VIEWS = """
CREATE TEMP VIEW documents AS SELECT * FROM main.documents WHERE {documents};
CREATE TEMP VIEW chunks AS SELECT * FROM main.chunks WHERE {chunks};
CREATE TEMP VIEW vocabulary AS
    SELECT id, word,
        (SELECT surface FROM main.collection_words WHERE word_id = id
         AND collection_id IN ({collections}) ORDER BY occurrences DESC, collection_id LIMIT 1)
        AS surface,
        (SELECT sum(chunks) FROM main.collection_words WHERE word_id = id
         AND collection_id IN ({collections})) AS chunks,
        (SELECT sum(occurrences) FROM main.collection_words WHERE word_id = id
         AND collection_id IN ({collections})) AS occurrences
    FROM main.vocabulary WHERE EXISTS (SELECT 1 FROM main.collection_words
        WHERE word_id = id AND collection_id IN ({collections}));
CREATE TEMP VIEW lemma_words AS SELECT * FROM main.lemma_words
    WHERE EXISTS (SELECT 1 FROM temp.vocabulary WHERE vocabulary.word = lemma_words.word);
CREATE TEMP VIEW lemma_forms AS SELECT * FROM main.lemma_forms
    WHERE EXISTS (SELECT 1 FROM temp.lemma_words WHERE lemma_words.lemma = lemma_forms.lemma);
"""

# Each list is of one collection. What the whole graph calls people is in none that is there.
_SUGGESTIONS = """
CREATE TEMP VIEW suggestion_lists AS
    SELECT id, collection_id, published, replace(source, '{public}', '{graph}') AS source
    FROM main.suggestion_lists WHERE collection_id IN ({collections}) AND source IN ({sources});
CREATE TEMP VIEW suggestions AS SELECT * FROM main.suggestions
    WHERE list_id IN (SELECT id FROM temp.suggestion_lists);
"""

# {public} is the graph of what is not private: see `build.graph.public`.
_GRAPH = """
CREATE TEMP VIEW provenance AS SELECT * FROM main.{public}provenance WHERE {documents};
CREATE TEMP VIEW entities AS SELECT * FROM main.{public}entities AS entities
    WHERE EXISTS (SELECT 1 FROM temp.provenance WHERE provenance.entity_id = entities.id);
CREATE TEMP VIEW relations AS SELECT * FROM main.{public}relations AS relations
    WHERE EXISTS (SELECT 1 FROM temp.provenance WHERE provenance.relation_id = relations.id)
    AND EXISTS (SELECT 1 FROM temp.provenance WHERE provenance.entity_id = relations.source_id)
    AND EXISTS (SELECT 1 FROM temp.provenance WHERE provenance.entity_id = relations.target_id);
CREATE TEMP VIEW entity_names AS SELECT * FROM main.{public}entity_names AS entity_names
    WHERE EXISTS (SELECT 1 FROM temp.provenance
        WHERE provenance.entity_id = entity_names.entity_id);
CREATE TEMP VIEW name_forms AS SELECT * FROM main.{public}name_forms AS name_forms
    WHERE EXISTS (SELECT 1 FROM temp.entity_names WHERE entity_names.anchor = name_forms.word);
CREATE TEMP VIEW graph_gaps AS SELECT * FROM main.{public}graph_gaps WHERE sees_path(path);
"""
_NO_GRAPH = "\n".join(
    f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE 0;" for table in GRAPH_TABLES
)


class RestrictedIndex(Index):
    """``whole`` with the collections called ``names`` and no others.

    A name that the version does not have is passed over: rights may be older than a version.
    """

    def __init__(self, whole: Index, names: Names[str]) -> None:
        self.manifest, self._path = whole.manifest, whole._path
        self._whole = whole
        self._local = threading.local()
        self.collections = tuple(c for c in whole.collections if c.name in names)
        self.chunk_document, self.chunk_section = whole.chunk_document, whole.chunk_section
        self.chunk_count, self.first_chunks = whole.chunk_count, whole.first_chunks
        self.opened_vectors = whole.opened_vectors
        self._views = _views(whole, self.collections)

    @property
    def has_graph(self) -> bool:
        """False where no collection is called private.

        Nobody has said then what the graph may join for those who do not read all.
        """
        return bool(_private(self._whole))

    @property
    def graph_is_whole(self) -> bool:
        """True where no collection that is there is kept out of the graph."""
        private = _private(self._whole)
        return self.has_graph and not any(c.name in private for c in self.collections)

    def sees_path(self, path: str) -> bool:
        """True where a page at ``path`` lies, or would lie, in a collection that is there."""
        name = self.collection_of(path)
        return any(collection.name == name for collection in self.collections)

    @property
    def published(self) -> Mask:
        """True for each document that is published, by position, whether it is visible or not."""
        return self._whole.published

    @property
    def summarised(self) -> Mask:
        """The same for each that has a summary."""
        return self._whole.summarised

    @cached_property
    def visible(self) -> Mask:
        """True for each document of a collection that is there, by position."""
        seen = np.zeros(len(self.published), dtype=bool)
        for collection in self.collections:
            seen[self.chunk_document[collection.slice]] = True
        return seen

    @cached_property
    def visible_words(self) -> Mask | None:
        """True for each word of the vocabulary that is there, by position."""
        (words,) = self._columns("SELECT id FROM vocabulary", 1)
        count = self.connection.execute("SELECT max(id) FROM main.vocabulary").fetchone()[0]
        seen = np.zeros(count or 0, dtype=bool)
        seen[words - 1] = True
        return seen

    @cached_property
    def _language_masks(self) -> dict[str, Mask]:
        rows = self.connection.execute("SELECT DISTINCT language FROM documents").fetchall()
        return {language: self._whole.in_language(language) for (language,) in rows}

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.create_function("sees_path", 1, self.sees_path, deterministic=True)
        connection.executescript(self._views)
        return connection


def _views(index: Index, collections: tuple[Collection, ...]) -> str:
    ids = ", ".join(str(collection.id) for collection in collections)
    chunks = [(c.first + 1, c.first + c.chunks) for c in collections if c.chunks]
    documents = index.connection.execute(
        "SELECT min(id), max(id) FROM documents "
        f"WHERE collection_id IN ({ids}) GROUP BY collection_id"
    ).fetchall()
    tables = [
        f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {_within(column, ranges)};"
        for names, column, ranges in (
            (_OF_DOCUMENTS, "document_id", documents),
            (_OF_CHUNKS, "chunk_id", chunks),
        )
        for table in names
    ]
    rest = _VIEWS.format(
        collections=ids, documents=_within("id", documents), chunks=_within("id", chunks)
    )
    graph, sources = _NO_GRAPH, [BY_PAGES]
    if _private(index):
        graph = _GRAPH.format(public=PUBLIC, documents=_within("document_id", documents))
        sources.append(BY_PUBLIC_GRAPH)
    names = _SUGGESTIONS.format(
        collections=ids, sources=", ".join(f"'{source}'" for source in sources),
        public=BY_PUBLIC_GRAPH, graph=BY_GRAPH,
    )  # fmt: skip
    return "\n".join([*tables, rest, graph, names])


def _private(index: Index) -> frozenset[str]:
    listed = index.manifest.config.get("collections", ())
    return frozenset(collection["name"] for collection in listed if collection.get("private"))


def _within(column: str, ranges: list[tuple[int, int]]) -> str:
    return " OR ".join(f"{column} BETWEEN {first} AND {last}" for first, last in ranges) or "0"
