"""Vectors kept in the store between builds, so that a fresh CI runner computes only news.

An entry's key is the sha256 of the exact input; a pack belongs to one model fingerprint.
A pack is ``MAGIC``, the dimension as u32, then entries of 32 bytes of key, the vector as
little-endian float32, and 8 bytes of checksum over both. What is damaged is computed again.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

import numpy as np

from build.packs import Packs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.store import Store

MAGIC = b"edgewiki-vectors-1\n"
_CHECKSUM = 8

Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


def input_key(text: str) -> bytes:
    """The 32-byte key of an exact encoder input."""
    return hashlib.sha256(text.encode()).digest()


class VectorCache:
    """The packs of one model in one store, read at once."""

    def __init__(self, store: Store, fingerprint: str, dimension: int) -> None:
        self._dimension = dimension
        self._packs = Packs(store, f"cache/embeddings/{fingerprint}/", ".pack")
        self._vectors: dict[bytes, Vector] = {}
        self._new: dict[bytes, Vector] = {}
        self.damaged = 0
        """Entries that failed their checksum, and packs that were cut short."""
        for pack in self._packs.read():
            self._vectors.update(self._entries(pack.data))

    def get(self, key: bytes) -> Vector | None:
        """Return the vector kept for ``key``, or None."""
        return self._vectors.get(key)

    def put(self, key: bytes, vector: Vector) -> None:
        """Keep a vector; `save` writes it to the store."""
        self._vectors[key] = self._new[key] = vector

    def save(self) -> None:
        """Write what is new to the store."""
        if self._new:
            self._packs.add(lambda: self._packed(self._new), lambda: self._packed(self._vectors))
            self._new = {}

    def _packed(self, vectors: dict[bytes, Vector]) -> bytes:
        entries = b"".join(_entry(key, vectors[key]) for key in sorted(vectors))
        return MAGIC + struct.pack("<I", self._dimension) + entries

    def _entries(self, data: bytes) -> Iterator[tuple[bytes, Vector]]:
        start = len(MAGIC) + 4
        if data[:start] != MAGIC + struct.pack("<I", self._dimension):
            self.damaged += 1
            return
        size = 32 + 4 * self._dimension + _CHECKSUM
        self.damaged += (len(data) - start) % size != 0
        for offset in range(start, len(data) - size + 1, size):
            entry = data[offset : offset + size]
            vector = np.frombuffer(entry[32:-_CHECKSUM], dtype="<f4")
            if entry == _entry(entry[:32], vector):
                yield entry[:32], vector
            else:
                self.damaged += 1


def _entry(key: bytes, vector: Vector) -> bytes:
    content = key + vector.astype("<f4").tobytes()
    return content + hashlib.blake2b(content, digest_size=_CHECKSUM).digest()
