"""Reads ``e5-small-q4.bin``: a BERT's weights in 4-bit blocks, with its tokenizer's tables.

The file is little-endian: a header, the vocabulary (offsets, scores, one UTF-8 blob), the
normaliser's table, a directory of tensors, and their bytes.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from index_artifacts.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"E5S1"
VERSION = 1
BLOCK = 32
BLOCK_BYTES = 18
F32, Q4 = 0, 1

Floats = np.ndarray[Any, np.dtype[np.float32]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True, slots=True)
class Shape:
    """The header: sizes of the network, and the ids of its special tokens."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float
    bos: int
    eos: int
    pad: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Q4Matrix:
    """A matrix in blocks of 32 weights: weight = (nibble - 8) * scale.

    ``nibbles`` is uint8 (rows, columns / 32, 16): byte j of a block holds weight j in its low
    half and weight j + 16 in its high one. ``scales`` is float16 (rows, columns / 32).
    """

    nibbles: Bytes
    scales: np.ndarray[Any, np.dtype[np.float16]]

    def consecutive(self) -> Bytes:
        """The same nibbles, weight 2j low and 2j + 1 high, as ONNX Runtime wants them."""
        low, high = self.nibbles & 15, self.nibbles >> 4
        weights = np.concatenate([low, high], axis=-1)
        return np.asarray(weights[..., 0::2] | (weights[..., 1::2] << 4), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class E5Weights:
    """What the file holds. ``pieces[i]`` is the text of token id i, ``scores[i]`` its score.

    ``normaliser`` maps a character to what replaces it; the empty string deletes it.
    """

    shape: Shape
    pieces: list[str]
    scores: list[float]
    normaliser: dict[str, str]
    floats: dict[str, Floats]
    matrices: dict[str, Q4Matrix]


class _Cursor:
    """Reads forward through the bytes; `ModelError` names the file when they end early."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self.path, self.data, self.at = path, data, 0

    def take(self, size: int) -> bytes:
        end = self.at + size
        if size < 0 or end > len(self.data):
            raise damaged(self.path, f"it ends at byte {len(self.data)}, {end} are needed")
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))


def damaged(path: Path, what: str) -> ModelError:
    """The one sentence about a file that is not what it should be."""
    return ModelError(f"{path} is not a sound e5-small-q4.bin: {what}; fetch the model again")


def read_weights(path: Path) -> E5Weights:
    """Map the file and name what is in it; arrays are views of the mapped pages.

    Raises `ModelError`, naming the file and what is wrong with it.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read the model's weights {path}: {error}") from error
    cursor = _Cursor(path, data)
    sizes = _read_sizes(cursor)
    count, *specials = cursor.unpack("5i")
    shape = Shape(*sizes, *specials)
    pieces, scores = _read_pieces(cursor, count, shape)
    normaliser = _read_normaliser(cursor)
    floats, matrices = _read_tensors(cursor, shape)
    return E5Weights(shape, pieces, scores, normaliser, floats, matrices)


def _read_sizes(cursor: _Cursor) -> tuple[Any, ...]:
    magic, version = cursor.take(4), cursor.unpack("I")[0]
    if magic != MAGIC or version != VERSION:
        raise damaged(cursor.path, f"it starts with {magic!r} version {version}")
    *sizes, epsilon, block = cursor.unpack("7ifi")
    hidden, layers, heads, feed_forward, *tables = sizes
    sound = min(sizes) > 0 and block == BLOCK and hidden % heads == 0
    if not sound or hidden % BLOCK or feed_forward % BLOCK or layers > 100:
        raise damaged(cursor.path, f"impossible sizes {sizes} in blocks of {block}")
    return hidden, layers, heads, feed_forward, *tables, epsilon


def _read_pieces(cursor: _Cursor, count: int, shape: Shape) -> tuple[list[str], list[float]]:
    specials = (shape.bos, shape.eos, shape.pad, shape.unknown)
    if not 0 < count <= shape.vocabulary or not all(0 <= id < count for id in specials):
        raise damaged(cursor.path, f"{count} pieces, specials {specials}")
    (size,) = cursor.unpack("Q")
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * count), "<f4").astype(float).tolist()
    blob = cursor.take(size)
    try:
        pieces = [blob[a:b].decode() for a, b in pairwise(offsets)]
    except UnicodeDecodeError as error:
        raise damaged(cursor.path, f"a piece of its vocabulary is not UTF-8: {error}") from error
    if offsets[-1] != size or len(set(pieces)) != count:
        raise damaged(cursor.path, "its vocabulary has overlapping or repeated pieces")
    return pieces, scores


def _read_normaliser(cursor: _Cursor) -> dict[str, str]:
    count, size = cursor.unpack("iI")
    table = _Cursor(cursor.path, cursor.data)
    table.at, end = cursor.at, cursor.at + size
    normaliser = {}
    try:
        for _ in range(count):
            character, length = table.unpack("IB")
            normaliser[chr(character)] = "".join(map(chr, table.unpack(f"{length}I")))
    except (ValueError, OverflowError) as error:
        raise damaged(cursor.path, f"its normaliser is unreadable: {error}") from error
    if table.at != end:
        raise damaged(cursor.path, f"its normaliser ends at byte {table.at}, not {end}")
    cursor.at = end
    return normaliser


def _read_tensors(cursor: _Cursor, shape: Shape) -> tuple[dict[str, Floats], dict[str, Q4Matrix]]:
    expected = tensor_shapes(shape)
    floats: dict[str, Floats] = {}
    matrices: dict[str, Q4Matrix] = {}
    for _ in range(cursor.unpack("i")[0]):
        name = cursor.take(cursor.unpack("H")[0]).decode(errors="replace")
        kind, count, offset, size = cursor.unpack("BIQQ")
        if name not in expected or count != np.prod(expected[name]):
            raise damaged(cursor.path, f"unexpected tensor {name!r} of {count} numbers")
        rows, columns = (1, *expected[name])[-2:]
        quantised = name == "emb.word" or (name.startswith("l") and len(expected[name]) == 2)
        wanted = count // BLOCK * BLOCK_BYTES if quantised else 4 * count
        if kind != (Q4 if quantised else F32) or size != wanted or offset + size > len(cursor.data):
            raise damaged(cursor.path, f"tensor {name}: kind {kind}, {size} bytes at {offset}")
        raw = np.frombuffer(cursor.data, np.uint8, size, offset)
        if kind == Q4:
            blocks = raw.reshape(rows, columns // BLOCK, BLOCK_BYTES)
            scales = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0]
            matrices[name] = Q4Matrix(blocks[..., 2:], scales)
        else:
            floats[name] = raw.view("<f4").reshape(expected[name])
    missing = sorted(expected.keys() - floats.keys() - matrices.keys())
    if missing:
        raise damaged(cursor.path, f"it lacks {', '.join(missing[:3])}")
    return floats, matrices


def tensor_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Name → shape of every tensor of the network, matrices as (outputs, inputs)."""
    hidden, wide = shape.hidden, shape.feed_forward
    shapes: dict[str, tuple[int, ...]] = {
        "emb.word": (shape.vocabulary, hidden),
        "emb.pos": (shape.positions, hidden),
        "emb.type": (shape.token_types, hidden),
        "emb.ln.w": (hidden,),
        "emb.ln.b": (hidden,),
    }
    dense = {"q": (hidden, hidden), "k": (hidden, hidden), "v": (hidden, hidden)}
    dense |= {"ao": (hidden, hidden), "fi": (wide, hidden), "fo": (hidden, wide)}
    for layer in range(shape.layers):
        for name, (outputs, inputs) in dense.items():
            shapes[f"l{layer}.{name}.w"] = (outputs, inputs)
            shapes[f"l{layer}.{name}.b"] = (outputs,)
        for name in ("aln.w", "aln.b", "oln.w", "oln.b"):
            shapes[f"l{layer}.{name}"] = (hidden,)
    return shapes
