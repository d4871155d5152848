"""The hashes of a dictionary's words, folded: a language has millions of them."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.spelling import LONGEST, SHORTEST
from index_artifacts.text import fold
from index_artifacts.word_filter import SEPARATOR, Codes, Hashes, joined_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable

# One word with an odd letter makes its whole batch slow.
_BATCH = 10_000
# Latin with all its marks, Greek and Cyrillic; whatever lies above is folded letter by letter.
_TABLE_SIZE = 0x530


def dictionary_hashes(words: Iterable[str]) -> Hashes:
    """The different hashes of the folded ``words``, sorted, of lengths that are corrected."""
    rest = iter(words)
    found = [np.zeros(0, dtype=np.uint64)]
    while batch := list(islice(rest, _BATCH)):
        hashes, lengths = joined_hashes(_folded(batch))
        found.append(hashes[(lengths >= SHORTEST) & (lengths <= LONGEST)])
    ordered = np.sort(np.concatenate(found))  # np.unique builds a hash table, five times as slow
    return np.asarray(ordered[np.diff(ordered, prepend=~ordered[:1]) != 0])


def _folded(words: list[str]) -> Codes:
    """The characters of all words, folded, each word with a separator after it.

    A table look-up in numpy is many times as fast as `str.translate`.
    """
    codes = np.frombuffer("\n".join([*words, ""]).encode("utf-32-le"), dtype="<u4")
    table = _fold_table()
    if (codes < _TABLE_SIZE).all() and table[codes].all():
        return np.asarray(table[codes])
    slowly = "".join(fold(word) + SEPARATOR for word in words)
    return np.frombuffer(slowly.encode("utf-32-le"), dtype="<u4")


@cache
def _fold_table() -> Codes:
    """What each character folds to, a line's end to the separator; 0 where that is not one."""
    folded = [fold(chr(code)) for code in range(_TABLE_SIZE)]
    folded[ord("\n")] = SEPARATOR
    return np.array([ord(f) if len(f) == 1 else 0 for f in folded], dtype="<u4")
