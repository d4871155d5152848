"""Compiling a tokenizer's pieces into the table that `index_artifacts.piece_table` maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.piece_table import HEADER, MAGIC, slot_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def compile_piece_table(
    pieces: Sequence[str], scores: Sequence[float], special: Collection[int], unknown: int
) -> bytes:
    """Return the table of ``pieces``, whose ids are their positions.

    Ids in ``special`` are left out: a page that holds "<mask>" holds text.
    """
    kept = [number for number in range(len(pieces)) if number not in special]
    encoded = [pieces[number].encode() for number in kept]
    slots = 1 << (2 * max(1, len(kept))).bit_length()
    table = np.zeros(slots, dtype="<u4")
    for number, piece in enumerate(encoded, 1):
        slot = slot_of(piece, slots)
        while table[slot]:
            slot = (slot + 1) & (slots - 1)
        table[slot] = number
    blob = b"".join(encoded)
    offsets = np.cumsum([0, *map(len, encoded)]).astype("<u4")
    longest = max((len(pieces[number]) for number in kept), default=0)
    # The library takes the worst of all scores, special pieces included.
    header = HEADER.pack(len(kept), slots, len(blob), longest, unknown, min(scores, default=0.0))
    arrays = (
        table,
        offsets,
        np.array(kept, dtype="<u4"),
        np.array([scores[number] for number in kept], dtype="<f4"),
    )
    return MAGIC + header + b"".join(array.tobytes() for array in arrays) + blob
