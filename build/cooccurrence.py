"""Trains the encoder that needs no model: PPMI of neighbouring words, then a truncated SVD.

Words are neighbours within a window, near ones count more (1 / distance). PPMI smooths the
context by the power 0.75 and the vectors are U·√Σ (Levy, Goldberg and Dagan, 2015); words
are weighted by SIF, a / (a + p) (Arora, Liang and Ma, 2017).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from index_artifacts.cooccurrence_encoder import (
    VECTORS_FILE,
    WEIGHTS_FILE,
    WORDS_FILE,
    CooccurrenceEncoder,
    CooccurrenceSpec,
)
from index_artifacts.onnx_encoder import SPEC_FILE
from index_artifacts.text import ANALYZER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MOST_WORDS = 20_000
# A wiki with fewer different words than this keeps those that occur once.
SMALL = 2_000
WINDOW = 5
SMOOTHING = 0.75
SIF = 1e-3

SEED = 20_260_101
OVERSAMPLE = 16
ITERATIONS = 4
PAIRS_AT_ONCE = 100_000
NOTHING = 1e-9

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class _Sparse:
    """A square matrix by its entries, ordered by row; ``size`` rows."""

    rows: Ints
    columns: Ints
    values: Floats
    size: int

    def times(self, dense: Floats) -> Floats:
        """This matrix · ``dense``, a part of the entries at a time to bound the memory."""
        product = np.zeros((self.size, dense.shape[1]))
        for at in range(0, len(self.rows), PAIRS_AT_ONCE):
            part = slice(at, at + PAIRS_AT_ONCE)
            rows = self.rows[part]
            first = np.flatnonzero(np.diff(rows, prepend=-1))
            terms = dense[self.columns[part]] * self.values[part, None]
            product[rows[first]] += np.add.reduceat(terms, first, axis=0)
        return product


def train(
    token_lists: Iterable[list[str]], folder: Path, dimension: int = 128
) -> CooccurrenceEncoder:
    """Learn vectors from ``token_lists`` (folded words, a list for each text) into ``folder``.

    Equal lists give equal bytes. A wiki too small for ``dimension`` gets vectors padded with
    zeros, one without words an encoder whose every vector is zero.
    """
    texts, counts = _number(token_lists)
    vocabulary = _vocabulary(counts)
    vectors = np.zeros((len(vocabulary), dimension))
    weights = np.zeros(len(vocabulary), np.float32)
    if vocabulary:
        stream = _stream(texts, list(counts), vocabulary)
        learned = _factorise(_ppmi(_pairs(stream, len(vocabulary))), dimension)
        vectors[:, : learned.shape[1]] = learned
        _own_directions(vectors, vocabulary)
        share = np.array([counts[word] for word in vocabulary]) / counts.total()
        weights = (SIF / (SIF + share)).astype(np.float32)
    return _write(folder, vocabulary, vectors.astype(np.float32), weights)


def _number(token_lists: Iterable[list[str]]) -> tuple[list[Ints], Counter[str]]:
    """Every list as ids, words numbered in the order in which ``counts`` first saw them."""
    ids: dict[str, int] = {}
    counts: Counter[str] = Counter()
    texts = []
    for tokens in token_lists:
        counts.update(tokens)
        texts.append(np.array([ids.setdefault(t, len(ids)) for t in tokens], np.int64))
    return texts, counts


def _vocabulary(counts: Counter[str]) -> list[str]:
    """The most frequent words, sorted."""
    least = 1 if len(counts) <= SMALL else 2
    usable = [word for word, n in counts.items() if n >= least and word.split() == [word]]
    usable.sort(key=lambda word: (-counts[word], word))
    return sorted(usable[:MOST_WORDS])


def _stream(texts: list[Ints], seen: list[str], vocabulary: list[str]) -> Ints:
    """All texts in one row of vocabulary ids; -1 is another word, or a gap between texts."""
    place = {word: id for id, word in enumerate(vocabulary)}
    ids = np.array([place.get(word, -1) for word in seen], np.int64)
    gap = np.full(WINDOW, -1, np.int64)
    parts = [part for text in texts for part in (ids[text], gap)]
    return np.concatenate(parts)


def _pairs(stream: Ints, size: int) -> _Sparse:
    """How often words stand near each other: symmetric, without a word beside itself."""
    keys: Ints = np.zeros(0, np.int64)
    values: Floats = np.zeros(0)
    for distance in range(1, WINDOW + 1):
        left, right = stream[:-distance], stream[distance:]
        near = (left >= 0) & (right >= 0) & (left != right)
        left, right = left[near], right[near]
        both = np.concatenate([left * size + right, right * size + left])
        found, counts = np.unique(both, return_counts=True)
        keys, where = np.unique(np.concatenate([keys, found]), return_inverse=True)
        together = np.concatenate([values, counts / distance])
        values = np.bincount(where, together, len(keys)).astype(np.float64)
    return _Sparse(keys // size, keys % size, values, size)


def _ppmi(pairs: _Sparse) -> _Sparse:
    """Positive pointwise mutual information, made symmetric again after the smoothing."""
    totals = np.bincount(pairs.rows, pairs.values, minlength=pairs.size)
    smooth = totals**SMOOTHING
    chance = totals / max(totals.sum(), 1.0)
    context = smooth / max(smooth.sum(), 1.0)
    expected = chance[pairs.rows] * context[pairs.columns]
    mirrored = chance[pairs.columns] * context[pairs.rows]
    # The geometric mean of both directions: a symmetric matrix has one set of vectors.
    share = pairs.values / max(pairs.values.sum(), 1.0)
    values = np.log(share) - 0.5 * (np.log(expected) + np.log(mirrored))
    kept = values > 0
    return _Sparse(pairs.rows[kept], pairs.columns[kept], values[kept], pairs.size)


def _factorise(matrix: _Sparse, dimension: int) -> Floats:
    """U·√Σ of the largest singular values: (size, ≤ dimension), by subspace iteration.

    Halko, Martinsson and Tropp (2011), from a fixed seed. The row of a word without
    neighbours is zero, give or take the last bits.
    """
    width = min(dimension + OVERSAMPLE, matrix.size)
    start = np.random.default_rng(SEED).standard_normal((matrix.size, width))
    basis = np.linalg.qr(start)[0]
    for _ in range(ITERATIONS):
        basis = np.linalg.qr(matrix.times(basis))[0]
    values, turns = np.linalg.eigh(basis.T @ matrix.times(basis))
    order = np.argsort(-np.abs(values), kind="stable")[:dimension]
    order = order[np.abs(values[order]) > NOTHING]
    vectors = (basis @ turns[:, order]) * np.sqrt(np.abs(values[order]))
    # A singular vector is known up to its sign: the largest entry is made positive.
    if vectors.size:
        largest = np.argmax(np.abs(vectors), axis=0)
        vectors *= np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return np.asarray(vectors)


def _own_directions(vectors: Floats, vocabulary: list[str]) -> None:
    """Give each word without neighbours a direction drawn from its spelling, in place."""
    for id in np.flatnonzero(np.linalg.norm(vectors, axis=1) < NOTHING):
        seed = hashlib.sha256(vocabulary[id].encode()).digest()
        direction = np.random.default_rng(list(seed)).standard_normal(vectors.shape[1])
        vectors[id] = direction / np.linalg.norm(direction)


def _write(folder: Path, vocabulary: list[str], vectors: Any, weights: Any) -> CooccurrenceEncoder:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WORDS_FILE).write_bytes("".join(f"{word}\n" for word in vocabulary).encode())
    np.save(folder / VECTORS_FILE, vectors)
    np.save(folder / WEIGHTS_FILE, weights)
    names = (WORDS_FILE, VECTORS_FILE, WEIGHTS_FILE)
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    spec = CooccurrenceSpec(dimension=vectors.shape[1], analyzer=ANALYZER, files=files)
    (folder / SPEC_FILE).write_bytes(spec.to_json())
    return CooccurrenceEncoder(folder)
