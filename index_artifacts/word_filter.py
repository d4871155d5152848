"""Real words: whether a dictionary has a word, in ten bits a word.

A Bloom filter (Bloom 1970) with double hashing (Kirsch and Mitzenmacher 2006): it knows every
word that it was built of, and takes about 1 % of all others for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

Codes = np.ndarray[tuple[int], np.dtype[np.uint32]]
Lengths = np.ndarray[tuple[int], np.dtype[np.int64]]
Hashes = np.ndarray[tuple[int], np.dtype[np.uint64]]

HASHES = 7
_BITS_PER_WORD = 10
# Odd constants of 64 bits: the base of a polynomial hash, and splitmix64's two multipliers.
_BASE, _MIX, _MIX_AGAIN = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
LONGEST = 64
SEPARATOR = "\U0010ffff"
"""No character, so in no word."""

_POWER_TABLE = np.array([pow(_BASE, exponent, 2**64) for exponent in range(LONGEST)], np.uint64)


def word_hashes(words: Sequence[str]) -> Hashes:
    """The hash of each of ``words`` (none longer than `LONGEST`), shape (len(words),)."""
    joined = "".join([word + SEPARATOR for word in words])
    return joined_hashes(np.frombuffer(joined.encode("utf-32-le"), dtype="<u4"))[0]


def joined_hashes(codes: Codes) -> tuple[Hashes, Lengths]:
    """The hash and the length of each word of ``codes``, which has `SEPARATOR` after each.

    Only hashes of words up to `LONGEST` mean anything.
    """
    ends = np.flatnonzero(codes == ord(SEPARATOR))
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    lengths = ends - starts
    places = np.arange(len(codes), dtype=np.int32)
    places -= np.repeat(starts.astype(np.int32), lengths + 1)
    terms = _POWER_TABLE[np.minimum(places, LONGEST - 1)]
    terms *= codes
    terms[ends] = 0
    sums = np.add.reduceat(terms, starts) if len(starts) else np.zeros(0, dtype=np.uint64)
    sums = (sums ^ (sums >> np.uint64(30))) * np.uint64(_MIX)
    sums = (sums ^ (sums >> np.uint64(27))) * np.uint64(_MIX_AGAIN)
    return np.asarray(sums ^ (sums >> np.uint64(31)), dtype=np.uint64), lengths


def word_filter(hashes: Hashes) -> bytes:
    """The filter that holds the words with ``hashes``; their order does not matter."""
    bits = 8 * max(8, _BITS_PER_WORD * len(hashes) // 8)  # whole bytes: their number gives it back
    found = np.zeros(bits, dtype=bool)
    first, step = hashes & np.uint64(0xFFFFFFFF), hashes >> np.uint64(32)
    for number in range(HASHES):
        found[(first + np.uint64(number) * step) % np.uint64(bits)] = True
    return np.packbits(found, bitorder="little").tobytes()


def holds(data: bytes, word: str) -> bool:
    """True for each word that the filter ``data`` was built of, and for few others."""
    if not 0 < len(word) <= LONGEST:
        return False
    value = int(word_hashes([word])[0])
    bits = 8 * len(data)
    first, step = value & 0xFFFFFFFF, value >> 32
    places = ((first + number * step) % bits for number in range(HASHES))
    return all(data[place >> 3] >> (place & 7) & 1 for place in places)
