"""What every engine gets: the chunks and vectors of an artifact, the questions and theirs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from index_artifacts.encoder import encode_question
from index_artifacts.query import analyse
from index_artifacts.schema import SEGMENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from eval.golden_set import Question
    from index_artifacts.encoder import Encoder, Vectors
    from index_artifacts.index import Ids, Index

_CHUNKS = """
SELECT chunks.id - 1, documents.path, chunks.ordinal, title, heading, sections.path, text, language
FROM chunks
JOIN sections ON sections.id = section_id
JOIN documents ON documents.id = chunks.document_id
WHERE published
ORDER BY chunks.id
"""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk as it is exported. ``id`` is ``path#ordinal``, ``headings`` the joined path."""

    id: str
    page: str
    title: str
    heading: str
    headings: str
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Export:
    """A folder that the engines read; its chunks in the order of chunks.jsonl."""

    folder: Path
    chunks: tuple[Chunk, ...]

    @property
    def language(self) -> str:
        """The commonest language among the chunks; empty where there are none."""
        counted = Counter(chunk.language for chunk in self.chunks)
        return max(counted, key=lambda language: counted[language], default="")


def export(index: Index, encoder: Encoder, questions: Sequence[Question], folder: Path) -> Export:
    """Write chunks.jsonl, vectors.npy, questions.jsonl and queries.npy into ``folder``.

    Of a chunk, line n of chunks.jsonl is the text and row n of vectors.npy the vector; so with
    the questions. A question's vector is of the text that edgewiki itself encodes.
    """
    rows = index.connection.execute(_CHUNKS).fetchall()
    positions = np.array([row[0] for row in rows], dtype=np.int64)
    chunks = tuple(_chunk(*row[1:]) for row in rows)
    _write_lines(folder / "chunks.jsonl", ({f: getattr(c, f) for f in c.__slots__} for c in chunks))
    np.save(folder / "vectors.npy", chunk_vectors(index)[positions])
    asked = [question.question for question in questions]
    _write_lines(folder / "questions.jsonl", ({"question": text} for text in asked))
    vectors = [encode_question(encoder, analyse(index, text).dense_text)[0] for text in asked]
    np.save(folder / "queries.npy", np.vstack(vectors))
    return Export(folder, chunks)


def chunk_vectors(index: Index) -> Vectors:
    """One unit vector for each chunk, shape (chunks, d): the mean of its segments'."""
    blocks = index.connection.execute(
        "SELECT rows, dimension, data FROM vectors WHERE kind = ? ORDER BY collection_id",
        (SEGMENT,),
    )
    segments = [np.frombuffer(data, dtype="<f2").reshape(n, d) for n, d, data in blocks]
    chunk_of = index.connection.execute("SELECT chunk_id - 1 FROM segments ORDER BY id").fetchall()
    return mean_vectors(
        np.vstack(segments).astype(np.float32), np.array(chunk_of, dtype=np.int64).ravel()
    )


def mean_vectors(rows: Vectors, chunk_of: Ids) -> Vectors:
    """The mean of each chunk's ``rows``, made length 1; ``chunk_of`` rises from 0 without gaps."""
    first = np.flatnonzero(np.diff(chunk_of, prepend=-1))
    sums: Vectors = np.add.reduceat(rows, first, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _chunk(
    page: str, ordinal: int, title: str, heading: str, path: str, text: str, language: str
) -> Chunk:
    headings = " › ".join(json.loads(path))
    return Chunk(f"{page}#{ordinal}", page, title, heading, headings, text, language)


def _write_lines(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
