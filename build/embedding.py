"""Embedding inputs and their vectors.

A chunk's input is the page's title, authors, tags, categories and heading path, then its
text. Where that is longer than the encoder, the text is divided into segments, each with
the same head: nothing is ever cut off.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from build.vector_cache import input_key
from index_artifacts.encoder import probe_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from build.vector_cache import VectorCache
    from index_artifacts.encoder import Encoder, Vectors
    from index_artifacts.records import Chunk, Document

    Progress = Callable[[int, int], None]

# Fenced code, also where a chunk ends inside of it: its lines are no sentences.
_FENCE = re.compile(r"^ *(```|~~~).*?(?:^ *\1[`~]* *$|\Z)", re.MULTILINE | re.DOTALL)
# From a visible character to the end of its sentence, or of its line.
_SENTENCE = re.compile(r"\S(?:[^\n]*?[.!?…](?=\s|$)|[^\n]*)")
# Shorter ones are labels and numbers; more than these are a table or a log.
_MIN_SENTENCE = 20
_MAX_SENTENCES = 40
# After this many new vectors the cache is saved, so that a killed build keeps them.
_SAVE_EVERY = 512
# Joining two texts can change how their border is tokenised: keep this much room.
_SLACK = 4


@dataclass(frozen=True, slots=True)
class Segment:
    """The part ``text[start:end]`` of a chunk that one vector stands for, and its input."""

    start: int
    end: int
    input: str


def chunk_segments(document: Document, chunk: Chunk, encoder: Encoder) -> list[Segment]:
    """Return the segments of a chunk, in order; together they cover all of its text."""
    head = passage_head(document, document.sections[chunk.section].path)
    whole = _join(head, chunk.text)
    room = encoder.max_tokens - encoder.overhead() - _SLACK
    if encoder.count_tokens(whole) <= room:
        return [Segment(0, len(chunk.text), whole)]
    left = room - encoder.count_tokens(head)
    if left < room // 2:  # a head of hundreds of tags: it is divided like any other text
        whole = f"{head}\n{chunk.text}"
        return [
            Segment(*_shift(span, len(head) + 1), whole[span[0] : span[1]])
            for span in encoder.split(whole, room)
        ]
    return [
        Segment(start, end, _join(head, chunk.text[start:end]))
        for start, end in encoder.split(chunk.text, left)
    ]


def chunk_sentences(chunk: Chunk) -> list[Segment]:
    """The sentences of a chunk that say enough to be asked for; none where it is but one.

    A question is often answered by one sentence, whose meaning a whole chunk's vector blurs.
    """
    prose = _FENCE.sub(lambda fence: "\n" * len(fence.group()), chunk.text)
    spans = [match.span() for match in _SENTENCE.finditer(prose)]
    sentences = [
        Segment(start, end, chunk.text[start:end])
        for start, end in spans
        if end - start > _MIN_SENTENCE
    ]
    return sentences[:_MAX_SENTENCES] if len(sentences) > 1 else []


def heading_input(document: Document, path: Sequence[str]) -> str:
    """The input of a section's second vector: the title and the headings that lead to it."""
    return " › ".join(_without_repeated_title(document, path))


def summary_input(document: Document) -> str:
    """The input of a document's summary vector."""
    return _join(document.title, document.summary)


def passage_head(document: Document, path: Sequence[str]) -> str:
    """Title, authors, tags, categories and heading path, a line each, empty ones left out."""
    named = (document.authors, document.tags, document.categories)
    lines = [" › ".join(_without_repeated_title(document, path))]
    lines += [", ".join(values) for values in named if values]
    return "\n".join(line for line in lines if line)


def _without_repeated_title(document: Document, path: Sequence[str]) -> list[str]:
    headings = list(path)
    if headings and headings[0].casefold() == document.title.casefold():
        headings = headings[1:]
    return [document.title, *headings]


def _join(head: str, text: str) -> str:
    return f"{head}\n{text}".strip() if head else text


def _shift(span: tuple[int, int], head: int) -> tuple[int, int]:
    return max(0, span[0] - head), max(0, span[1] - head)


@dataclass(slots=True)
class EncoderWork:
    """What the encoder has done, and what it would have had to do with an empty cache.

    Characters are of different inputs; a token's worth of them depends on the language alone.
    """

    seconds: float = 0.0
    characters_computed: int = 0
    characters: int = 0


class Embedder:
    """Turns inputs into vectors, out of the cache where it can, and counts both."""

    def __init__(self, encoder: Encoder, cache: VectorCache, progress: Progress) -> None:
        self._encoder, self._cache, self._progress = encoder, cache, progress
        self.computed = 0
        self.reused = 0
        self.work = EncoderWork()
        self._seen: set[bytes] = set()

    def embed(self, inputs: Sequence[str]) -> Vectors:
        """Shape (len(inputs), dimension). Over-long inputs are divided and averaged."""
        keys = [input_key(text) for text in inputs]
        missing = {
            key: text
            for key, text in zip(keys, inputs, strict=True)
            if self._cache.get(key) is None
        }
        self.reused += len(set(keys)) - len(missing)
        self._count(dict(zip(keys, inputs, strict=True)), missing)
        self._compute(missing)
        return self._cached(keys)

    def _cached(self, keys: Sequence[bytes]) -> Vectors:
        rows = [self._cache.get(key) for key in keys]
        empty = np.zeros((0, self.dimension), dtype=np.float32)
        return np.vstack([empty, *(row for row in rows if row is not None)])

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._encoder.dimension

    def embed_queries(self, queries: Sequence[str]) -> Vectors:
        """The same for texts that are asked, shape (len(queries), dimension); none too long."""
        keys = [input_key(f"\0query {text}") for text in queries]
        missing = [
            (key, text)
            for key, text in zip(keys, queries, strict=True)
            if self._cache.get(key) is None
        ]
        for key, text in missing:
            self._cache.put(key, self._encoder.encode_query(text)[0])
        if missing:
            self._cache.save()
        return self._cached(keys)

    def probe(self) -> Vectors:
        """The probe sentence's vectors, shape (2, dimension), cached like all the others."""
        keys = [input_key(f"\0probe {kind}") for kind in ("passage", "query")]
        cached = [self._cache.get(key) for key in keys]
        known = [vector for vector in cached if vector is not None]
        if len(known) == len(keys):
            return np.vstack(known)
        vectors = probe_vectors(self._encoder)
        for key, vector in zip(keys, vectors, strict=True):
            self._cache.put(key, vector)
        self._cache.save()
        return vectors

    def _count(self, wanted: dict[bytes, str], missing: dict[bytes, str]) -> None:
        self.work.characters += sum(len(wanted[key]) for key in wanted.keys() - self._seen)
        self.work.characters_computed += sum(map(len, missing.values()))
        self._seen |= wanted.keys()

    def _compute(self, missing: dict[bytes, str]) -> None:
        done = 0
        for batch in _batches(list(missing.items()), _SAVE_EVERY):
            started = time.monotonic()
            vectors = self._encode([text for _, text in batch])
            self.work.seconds += time.monotonic() - started
            for (key, _), vector in zip(batch, vectors, strict=True):
                self._cache.put(key, vector)
            self._cache.save()
            self.computed += len(batch)
            done += len(batch)
            self._progress(done, len(missing))

    def _encode(self, texts: list[str]) -> list[np.ndarray[tuple[int], np.dtype[np.float32]]]:
        room = self._encoder.max_tokens - self._encoder.overhead()
        parts = [self._parts(text, room) for text in texts]
        vectors = self._encoder.encode_passages([part for pieces in parts for part in pieces])
        means, position = [], 0
        for pieces in parts:
            block = vectors[position : position + len(pieces)]
            position += len(pieces)
            means.append(block[0] if len(pieces) == 1 else _unit_mean(block))
        return means

    def _parts(self, text: str, room: int) -> list[str]:
        if self._encoder.count_tokens(text) <= room:
            return [text]
        return [text[start:end] for start, end in self._encoder.split(text, room)]


def _unit_mean(block: Vectors) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    mean = block.mean(axis=0)
    return np.asarray(mean / (np.linalg.norm(mean) or 1.0), dtype=np.float32)


def _batches(items: list[tuple[bytes, str]], size: int) -> Iterator[list[tuple[bytes, str]]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
