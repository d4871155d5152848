"""Blocks of vectors: exact ones, and coarse ones that stay small and fast where rows are many.

An exact block expands its float16 rows to float32. A coarse block holds a byte a number, a
quarter of that, and reads the float16 rows themselves only for the few rows that matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from index_artifacts.blobs import blob_reader
from index_artifacts.errors import ArtifactError

if TYPE_CHECKING:
    import sqlite3

    from index_artifacts.blobs import Reader
    from index_artifacts.encoder import Vectors
    from index_artifacts.index import Ids
    from index_artifacts.postings import Scores

EXACT_ROWS = 20_000
"""A block of up to this many rows is exact."""

# A coarse cosine is off by 0.0003 mostly and by 0.002 at worst, and the hundredth best row
# of a large block lies 0.05 and more below the best: the ten best are among these for sure.
_RESCORED = 100
# Rows looked at together when the best are sought.
_GROUP = 64
# Rows expanded at a time: many enough that a call's own cost does not count, few enough that as
# float32 they stay near the core. Of 256, 512, 1,024 and 4,096 this is the fastest.
_STEP = 1024


class Block(Protocol):
    """Vectors of one kind in one collection."""

    def __len__(self) -> int:
        """How many rows there are."""

    def cosines(self, queries: Vectors) -> Vectors:
        """Cosine of every row with each of ``queries`` (shape (k, d)), shape (k, rows)."""


class ExactBlock:
    """Float32 rows, shape (rows, d)."""

    def __init__(self, rows: Vectors) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def cosines(self, queries: Vectors) -> Vectors:
        """Cosine of every row with each of ``queries`` (shape (k, d)), shape (k, rows)."""
        return np.asarray((self._rows @ queries.T).T, dtype=np.float32)


class CoarseBlock:
    """A row's numbers as signed bytes, scaled by the row's largest; the best rows are exact.

    ``read`` gives parts of the float16 rows, which lie one after the other.
    """

    def __init__(self, read: Reader, rows: int, dimension: int) -> None:
        self._read = read
        self._row_bytes = 2 * dimension
        self._codes = np.empty((rows, dimension), dtype=np.int8)
        self._scales = np.empty(rows, dtype=np.float32)
        for start in range(0, rows, _STEP):
            self._quantise(start, min(start + _STEP, rows))

    def __len__(self) -> int:
        return len(self._codes)

    def cosines(self, queries: Vectors) -> Vectors:
        """Cosine of every row with each of ``queries`` (shape (k, d)), shape (k, rows)."""
        cosines = self._coarse(queries)
        best = np.unique(np.concatenate([best_rows(row, _RESCORED) for row in cosines]))
        starts = (best * self._row_bytes).tolist()
        data = b"".join([self._read(start, start + self._row_bytes) for start in starts])
        cosines[:, best] = queries @ self._expand(data).T
        return cosines

    def _coarse(self, queries: Vectors) -> Vectors:
        # Expanding a row costs more than a product: all the queries share it.
        cosines = np.empty((len(self._codes), len(queries)), dtype=np.float32)
        expanded = np.empty((_STEP, self._codes.shape[1]), dtype=np.float32)
        columns = np.ascontiguousarray(queries.T)
        for start in range(0, len(cosines), _STEP):
            codes = self._codes[start : start + _STEP]
            np.copyto(expanded[: len(codes)], codes)
            np.matmul(expanded[: len(codes)], columns, out=cosines[start : start + len(codes)])
        return np.ascontiguousarray((cosines * self._scales[:, None]).T)

    def _quantise(self, start: int, end: int) -> None:
        rows = self._expand(self._read(start * self._row_bytes, end * self._row_bytes))
        scales = np.abs(rows).max(axis=1) / np.float32(127)
        scales[scales == 0] = 1
        self._scales[start:end] = scales
        np.rint(rows / scales[:, None], out=rows)
        self._codes[start:end] = rows

    def _expand(self, data: bytes) -> Vectors:
        half = np.frombuffer(data, dtype="<f2").reshape(-1, self._codes.shape[1])
        return half.astype(np.float32)


def best_rows(cosines: Scores, count: int) -> Ids:
    """The positions of the ``count`` highest, in no order.

    They lie in the groups with the ``count`` highest maxima: partitioning those few is five times
    as fast as partitioning all.
    """
    groups = len(cosines) // _GROUP
    if groups <= count:
        most = min(count, len(cosines))
        return np.asarray(np.argpartition(cosines, -most)[-most:])
    highest = cosines[: groups * _GROUP].reshape(groups, _GROUP).max(axis=1)
    chosen = np.argpartition(highest, -count)[-count:]
    inside = (chosen[:, None] * _GROUP + np.arange(_GROUP)).ravel()
    offered = np.concatenate([inside, np.arange(groups * _GROUP, len(cosines))])
    return np.asarray(offered[np.argpartition(cosines[offered], -count)[-count:]])


def open_block(
    connection: sqlite3.Connection, kind: str, collection_id: int, exact_rows: int | None = None
) -> Block:
    """Open a block, exact where it has up to ``exact_rows``, by default `EXACT_ROWS`.

    Raises `ArtifactError` where the index lacks it.
    """
    found = connection.execute(
        "SELECT rowid, rows, dimension FROM vectors WHERE kind = ? AND collection_id = ?",
        (kind, collection_id),
    ).fetchone()
    if found is None:
        raise ArtifactError(f"the index lacks the {kind} vectors: build it again")
    row_id, rows, dimension = found
    read = blob_reader(connection, "vectors", "data", row_id, held=False)
    if rows > (EXACT_ROWS if exact_rows is None else exact_rows):
        return CoarseBlock(read, rows, dimension)
    half = np.frombuffer(read(0, 2 * rows * dimension), dtype="<f2")
    return ExactBlock(half.astype(np.float32).reshape(rows, dimension))
