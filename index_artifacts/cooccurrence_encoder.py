"""An encoder without a neural model: word vectors learned from the wiki itself.

A text is the weighted mean of its words' vectors. A word that the wiki does not have is
given the vectors of the known words most like it in spelling.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

import numpy as np

from index_artifacts.errors import ModelError, ModelMissingError
from index_artifacts.manifest import canonical_json
from index_artifacts.onnx_encoder import SPEC_FILE, read_description
from index_artifacts.spans import cut_spans, require_length
from index_artifacts.text import word_spans, words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from index_artifacts.encoder import Vectors

FORMAT = 1
KIND = "cooccurrence"
WORDS_FILE = "words.txt"
VECTORS_FILE = "vectors.npy"
WEIGHTS_FILE = "weights.npy"

MAX_TOKENS = 1_000_000
NEIGHBOURS = 5
LEAST_LIKENESS = 0.3


@dataclass(frozen=True, slots=True)
class CooccurrenceSpec:
    """``encoder.json``: the files by their sha256 (hex), and the analyzer that cut the words."""

    dimension: int
    analyzer: str
    files: dict[str, str]
    kind: str = KIND
    format: int = FORMAT

    @property
    def fingerprint(self) -> str:
        """sha256 (hex) over the canonical JSON."""
        return hashlib.sha256(self.to_json()).hexdigest()

    def to_json(self) -> bytes:
        """Canonical JSON, as it is written to ``encoder.json``."""
        return canonical_json(asdict(self))


class CooccurrenceEncoder:
    """An `Encoder` over ``words.txt``, ``vectors.npy`` and ``weights.npy``.

    A row has length 1, or is all zero where nothing of its text is known, not even by
    spelling: it is then like nothing. There is no prefix; a passage and a query are alike.
    """

    kind = KIND
    max_tokens = MAX_TOKENS

    def __init__(self, folder: Path) -> None:
        """Load the folder. Raises `ModelMissingError` or `ModelError`."""
        raw = read_description(folder)
        if (raw.get("kind"), raw.get("format")) != (KIND, FORMAT):
            raise ModelError(
                f"{folder / SPEC_FILE} is of kind {raw.get('kind')!r}, format "
                f"{raw.get('format')!r}; expected {KIND!r}, {FORMAT}: build the index again"
            )
        try:
            self.spec = CooccurrenceSpec(**raw)
        except TypeError as error:
            raise ModelError(f"{folder / SPEC_FILE}: {error}; build the index again") from error
        self.fingerprint = self.spec.fingerprint
        self.dimension = self.spec.dimension
        self._words, self._vectors, self._weights = _load(folder, self.dimension)
        self._ids = {word: id for id, word in enumerate(self._words)}
        # Per instance: a cache on the method would keep every encoder alive.
        self._by_spelling = lru_cache(maxsize=4096)(self._spelled_like)

    def count_tokens(self, text: str) -> int:
        """Words of ``text``."""
        return len(words(text))

    def overhead(self) -> int:
        """0: nothing is added to a passage."""
        return 0

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Spans of ≤ ``max_tokens`` words that cover ``text``; see `cut_spans`."""
        starts = [start for _, start, _ in word_spans(text)]
        return cut_spans(text, starts, max_tokens, self.count_tokens)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension). Raises `InputTooLongError`."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._encode(text)
        return rows

    def encode_query(self, text: str) -> Vectors:
        """Shape (1, dimension). Raises `InputTooLongError`."""
        return self.encode_passages([text])

    def _encode(self, text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        counts = Counter(words(text))
        require_length(text, counts.total(), self.max_tokens)
        total = self._known(counts)
        for word in sorted(counts.keys() - self._ids.keys()):  # a fixed order: the same bits
            total += counts[word] * self._by_spelling(word)
        length = float(np.linalg.norm(total))
        return total / length if length > 0 else total

    def _known(self, counts: Counter[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        ids = np.array(sorted(self._ids[w] for w in counts.keys() & self._ids.keys()), np.int64)
        shares = np.array([counts[self._words[id]] for id in ids], np.float32) * self._weights[ids]
        return np.asarray((shares[:, None] * self._vectors[ids]).sum(axis=0), np.float32)

    def _spelled_like(self, word: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The mean of the known words that share most trigrams (Dice ≥ 0.3), else zero."""
        own = _trigrams(word)
        shared = Counter(id for part in own for id in self._words_by_trigram.get(part, ()))
        likeness = {
            id: 2 * count / (len(own) + len(self._words[id]) + 1) for id, count in shared.items()
        }
        best = nsmallest(NEIGHBOURS, likeness, key=lambda id: (-likeness[id], id))
        total = np.zeros(self.dimension, np.float32)
        for id in best:
            if likeness[id] >= LEAST_LIKENESS:
                total += likeness[id] * self._weights[id] * self._vectors[id] / len(best)
        return total

    @cached_property
    def _words_by_trigram(self) -> dict[str, list[int]]:
        """Worked out with the first unknown word: most queries have none."""
        found: dict[str, list[int]] = defaultdict(list)
        for id, word in enumerate(self._words):
            for part in _trigrams(word):
                found[part].append(id)
        return dict(found)


def _trigrams(word: str) -> set[str]:
    padded = f"  {word} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def _load(folder: Path, dimension: int) -> tuple[list[str], Any, Any]:
    try:
        lines = (folder / WORDS_FILE).read_text(encoding="utf-8").split("\n")[:-1]
        vectors = np.load(folder / VECTORS_FILE, mmap_mode="r", allow_pickle=False)
        weights = np.load(folder / WEIGHTS_FILE, allow_pickle=False)
    except FileNotFoundError as error:
        raise ModelMissingError(
            f"the encoder lacks {error.filename}: build the index again"
        ) from error
    except (OSError, ValueError) as error:
        raise ModelError(f"the encoder in {folder} cannot be read: {error}") from error
    if vectors.shape != (len(lines), dimension) or weights.shape != (len(lines),):
        raise ModelError(
            f"the encoder in {folder} is damaged: {len(lines)} words, vectors {vectors.shape}, "
            f"weights {weights.shape}; build the index again"
        )
    return lines, vectors, weights
