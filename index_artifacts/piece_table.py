"""A Unigram tokenizer as one flat table that is mapped into memory, not loaded.

The `tokenizers` library reads this model's vocabulary in 0.7 s and 300 MB, which is most of
a cold start. For a query, a hash table over the same pieces and a Viterbi search over each
word give the same ids at once. The library stays the reference: the build uses it, and the
tests compare both.

``tokenizer.table`` is `MAGIC`, seven u32 (see `Header`), then little-endian arrays: slots u32
(piece number + 1, 0 is empty), offsets u32 into the blob, ids u32, scores f32, and the
UTF-8 blob.
"""

from __future__ import annotations

import mmap
import re
import struct
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from index_artifacts.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"edgewiki-pieces-1\n\0\0"
WORD_START = "\u2581"

# What SentencePiece's Nmt rule deletes, and what it makes a space.
_DELETED = {*range(0x1, 0x9), 0xB, *range(0xE, 0x20), 0x7F, 0x8F, 0x9F}
_SPACES = {
    0x9,
    0xA,
    0xC,
    0xD,
    0x1680,
    *range(0x200B, 0x2010),
    0x2028,
    0x2029,
    0x2581,
    0xFEFF,
    0xFFFD,
}
_NMT = {**dict.fromkeys(_DELETED, None), **dict.fromkeys(_SPACES, " ")}

# An unknown character scores this much below the worst piece (the library's constant).
_UNKNOWN_PENALTY = 10.0


class Header(NamedTuple):
    """Counts of a table: pieces, slots (a power of two), blob bytes, the longest piece in
    characters, the id of the unknown piece, and the worst score as f32 bits."""

    pieces: int
    slots: int
    blob: int
    longest: int
    unknown: int
    worst: float


HEADER = struct.Struct("<5If")


def slot_of(piece: bytes, slots: int) -> int:
    """The slot at which the search for a piece starts; it goes on to the next ones."""
    return crc32(piece) & (slots - 1)


class PieceTable:
    """An opened table. `ids` may be called by any number of threads."""

    def __init__(self, path: Path) -> None:
        """Map ``path``. Raises `ModelError` where it is no such table."""
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise ModelError(f"{path} cannot be read: {error}; run `edgewiki model`") from error
        start = len(MAGIC)
        if self._map[:start] != MAGIC or len(self._map) < start + HEADER.size:
            raise ModelError(f"{path} is no tokenizer table: run `edgewiki model`")
        self.header = Header(*HEADER.unpack_from(self._map, start))
        view = memoryview(self._map)
        position = start + HEADER.size

        header = self.header
        if len(self._map) != position + 4 * (header.slots + 3 * header.pieces + 1) + header.blob:
            raise ModelError(f"{path} is cut short: run `edgewiki model`")
        ends = [position]
        for count in (header.slots, header.pieces + 1, header.pieces, header.pieces):
            ends.append(ends[-1] + 4 * count)
        self._slots = view[ends[0] : ends[1]].cast("I")
        self._offsets = view[ends[1] : ends[2]].cast("I")
        self._ids = view[ends[2] : ends[3]].cast("I")
        self._scores = view[ends[3] : ends[4]].cast("f")
        self._blob_start = ends[4]
        self._pieces = lru_cache(maxsize=4096)(self._viterbi)

    def ids(self, text: str) -> list[int]:
        """The ids of the pieces of ``text``, without special tokens."""
        found: list[int] = []
        for word in normalise(text).split():
            found += [piece for piece, _ in self._pieces(WORD_START + word)]
        return found

    def starts(self, text: str) -> list[int]:
        """Where each token begins; a little off in a word whose length normalising changes."""
        return [
            min(word.start() + max(0, start - 1), word.end() - 1)
            for word in re.finditer(r"\S+", text)
            for _, start in self._pieces(WORD_START + normalise(word.group()))
        ]

    def _find(self, piece: bytes) -> int | None:
        """The number of a piece, or None."""
        slots = self.header.slots
        slot = slot_of(piece, slots)
        while number := self._slots[slot]:
            start, end = self._offsets[number - 1], self._offsets[number]
            begin = self._blob_start
            if end - start == len(piece) and self._map[begin + start : begin + end] == piece:
                return number - 1
            slot = (slot + 1) & (slots - 1)
        return None

    def _viterbi(self, word: str) -> tuple[tuple[int, int], ...]:
        """(id, start) of the best segmentation's pieces: a search over their ends (Kudo 2018)."""
        size, header = len(word), self.header
        # best[end] = (score, start of the last piece, its id)
        best: list[tuple[float, int, int] | None] = [(0.0, 0, 0), *[None] * size]
        for start in range(size):
            here = best[start]
            assert here is not None  # every single character ends a piece, known or not
            single = False
            for end in range(start + 1, min(size, start + header.longest) + 1):
                number = self._find(word[start:end].encode())
                if number is None:
                    continue
                single = single or end == start + 1
                score = here[0] + self._scores[number]
                known = best[end]
                if known is None or score > known[0]:
                    best[end] = (score, start, self._ids[number])
            if not single:
                score = here[0] + header.worst - _UNKNOWN_PENALTY
                known = best[start + 1]
                if known is None or score > known[0]:
                    best[start + 1] = (score, start, header.unknown)
        return self._trace(best)

    def _trace(self, best: list[tuple[float, int, int] | None]) -> tuple[tuple[int, int], ...]:
        """Follow the best path back; neighbouring unknown characters are one piece."""
        found: list[tuple[int, int]] = []
        end = len(best) - 1
        while end > 0:
            node = best[end]
            assert node is not None
            _, end, piece = node
            if piece == self.header.unknown and found and found[-1][0] == piece:
                found.pop()
            found.append((piece, end))
        return tuple(reversed(found))


def normalise(text: str) -> str:
    """Nmt and NFKC, as the reference tokenizer is set up."""
    return unicodedata.normalize("NFKC", text.translate(_NMT))
