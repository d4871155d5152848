"""Character-trigram postings: which rows hold a trigram, and how much that tells.

The weights are BM25's, worked out here so that a query only adds them up.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.text import trigrams

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

K1 = 1.2
B = 0.75
# A weight's saturated term frequency lies in (0, K1 + 1]; a byte holds it well enough.
WEIGHT_SCALE = 255 / (K1 + 1)


@dataclass(frozen=True, slots=True)
class Postings:
    """``ids[first:first+count]`` are the rows of a term, ascending; ``weights`` go with them.

    ``terms`` holds (term, idf, first, count), sorted by term.
    """

    rows: int
    terms: tuple[tuple[str, float, int, int], ...]
    ids: bytes
    weights: bytes
    id_bytes: int


def trigram_postings(rows: Sequence[Iterable[str]]) -> Postings:
    """Index rows of folded words by their trigrams; row numbers are positions in ``rows``."""
    found: dict[str, tuple[array[int], array[int]]] = {}
    lengths = array("I")
    for row, row_words in enumerate(rows):
        counts = Counter(gram for word in row_words for gram in trigrams(word))
        lengths.append(sum(counts.values()))
        for gram, count in counts.items():
            ids, frequencies = found.setdefault(gram, (array("I"), array("H")))
            ids.append(row)
            frequencies.append(min(count, 65535))
    return _compile(found, np.frombuffer(lengths, dtype=np.uint32), len(rows))


def _compile(
    found: dict[str, tuple[array[int], array[int]]],
    lengths: np.ndarray[tuple[int], np.dtype[np.uint32]],
    rows: int,
) -> Postings:
    id_type = np.dtype("<u2") if rows <= 1 << 16 else np.dtype("<u4")
    norm = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean()) if rows else 1.0))
    terms, ids, weights, first = [], [], [], 0
    for term in sorted(found):
        row_ids = np.frombuffer(found[term][0], dtype=np.uint32)
        frequency = np.frombuffer(found[term][1], dtype=np.uint16).astype(np.float64)
        saturated = frequency * (K1 + 1) / (frequency + norm[row_ids])
        ids.append(row_ids.astype(id_type).tobytes())
        weights.append(np.maximum(1, np.rint(saturated * WEIGHT_SCALE)).astype(np.uint8).tobytes())
        count = len(row_ids)
        idf = math.log(1 + (rows - count + 0.5) / (count + 0.5))
        terms.append((term, round(idf, 6), first, count))
        first += count
    return Postings(rows, tuple(terms), b"".join(ids), b"".join(weights), id_type.itemsize)
