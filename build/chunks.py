"""Cutting a body into chunks along its structure.

Chunks never cross a section's border, except that a heading with nothing under it goes with
the first section below it. Every character of the body is in exactly one chunk, beside what
a chunk repeats of an earlier one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from build.markdown import Lines
from index_artifacts.records import Chunk, Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from build.markdown import Block, Structure

_SENTENCE_END = re.compile(r"(?<=[.!?…:;])[\"'»”’)\]]*\s+")
_WORD_START = re.compile(r"\s+(?=\S)")


class Tokenizer(Protocol):
    """What the chunker asks of an encoder."""

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` alone."""

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Consecutive spans of at most ``max_tokens`` that cover ``text``."""


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """Chunk sizes in tokens of the model's own tokenizer."""

    max_tokens: int = 450
    overlap_tokens: int = 70
    min_tokens: int = 80


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the body that is not divided further; ``header`` is what it repeats."""

    start: int
    end: int
    header: str = ""


def make_chunks(
    body: str, structure: Structure, sizes: ChunkSizes, tokenizer: Tokenizer, body_line: int = 1
) -> list[Chunk]:
    """Cut ``body``; ``"".join(c.text[c.repeated:] for c in chunks) == body`` always holds.

    A body without any text gives one empty chunk, so that its title is still found.
    """
    cutter = _Cutter(body, structure, sizes, tokenizer)
    lines = Lines(body)
    chunks: list[Chunk] = []
    for section, start, end, prefix in cutter.spans():
        text = prefix + body[start:end]
        chunks.append(
            Chunk(
                ordinal=len(chunks),
                section=section.ordinal,
                text=text,
                repeated=len(prefix),
                start=start,
                end=end,
                line=lines.line(start + _leading_space(body[start:end])) + body_line,
                last_line=lines.line(start + max(0, len(body[start:end].rstrip()) - 1)) + body_line,
                tokens=tokenizer.count_tokens(text),
            )
        )
    return chunks


def _leading_space(text: str) -> int:
    stripped = text.lstrip()
    return len(text) - len(stripped) if stripped else 0


class _Cutter:
    def __init__(
        self, body: str, structure: Structure, sizes: ChunkSizes, tokenizer: Tokenizer
    ) -> None:
        self._body, self._structure, self._sizes = body, structure, sizes
        self._tokenizer = tokenizer

    def spans(self) -> Iterator[tuple[Section, int, int, str]]:
        """Yield (section, start, end, repeated text) of each chunk."""
        for section, start, end in self._stretches():
            if self._count(start, end) <= self._sizes.max_tokens:
                yield section, start, end, ""
                continue
            pieces = [piece for block in self._blocks(start, end) for piece in self._divide(block)]
            for first, last, header in self._pack(pieces):
                yield section, first, last, header or self._overlap(start, first, last)

    def _stretches(self) -> Iterator[tuple[Section, int, int]]:
        """Sections, each with the empty ones that lead to it."""
        sections = self._structure.sections
        pending: int | None = None
        for section, following in pairwise([*sections, None]):
            assert section is not None
            start = section.start if pending is None else pending
            leads_on = following is not None and following.level > section.level
            if leads_on and not self._has_text(section):
                pending = start
                continue
            pending = None
            yield section, start, section.end

    def _has_text(self, section: Section) -> bool:
        text = self._body[section.start : section.end].strip()
        if section.level == 0:
            return bool(text)
        blocks = [b for b in self._blocks(section.start, section.end) if b.kind != "heading"]
        return any(self._body[block.start : block.end].strip() for block in blocks)

    def _blocks(self, start: int, end: int) -> list[Block]:
        return [block for block in self._structure.blocks if start <= block.start < end]

    def _count(self, start: int, end: int) -> int:
        return self._tokenizer.count_tokens(self._body[start:end])

    def _divide(self, block: Block) -> Iterator[_Piece]:
        """Divide a block only as far as its size makes it: at its cuts, sentences, words."""
        limit = self._sizes.max_tokens
        if self._count(block.start, block.end) <= limit:
            yield _Piece(block.start, block.end)
            return
        header = block.header
        if header and self._tokenizer.count_tokens(header) > limit // 2:
            header = ""  # a header that leaves no room for rows is not worth repeating
        for number, (start, end) in enumerate(pairwise([block.start, *block.cuts, block.end])):
            repeated = header if number else ""
            for first, last in self._small_enough(start, end, header):
                yield _Piece(first, last, repeated)

    def _small_enough(self, start: int, end: int, header: str) -> Iterator[tuple[int, int]]:
        limit = self._sizes.max_tokens
        if header:
            limit -= self._tokenizer.count_tokens(header) + 1
        if self._count(start, end) <= limit:
            yield start, end
            return
        text = self._body[start:end]
        ends = [match.end() for match in _SENTENCE_END.finditer(text)]
        borders = [0, *(e for e in ends if e < len(text)), len(text)]
        for first, last in pairwise(borders):
            for a, b in self._tokenizer.split(text[first:last], limit):
                yield start + first + a, start + first + b

    def _pack(self, pieces: list[_Piece]) -> Iterator[tuple[int, int, str]]:
        """Join neighbours up to the limit; a short rest takes from the one before it."""
        groups: list[list[_Piece]] = []
        for piece in pieces:
            if groups and self._fits([*groups[-1], piece]):
                groups[-1].append(piece)
            else:
                groups.append([piece])
        if len(groups) > 1:
            self._balance(groups[-2], groups[-1])
        for group in groups:
            yield group[0].start, group[-1].end, group[0].header

    def _balance(self, before: list[_Piece], last: list[_Piece]) -> None:
        minimum = self._sizes.min_tokens
        while len(before) > 1 and self._count(last[0].start, last[-1].end) < minimum:
            moved = [before[-1], *last]
            if not self._fits(moved) or self._count(before[0].start, before[-2].end) < minimum:
                return
            last[:] = moved
            before.pop()

    def _fits(self, pieces: list[_Piece]) -> bool:
        text = pieces[0].header + self._body[pieces[0].start : pieces[-1].end]
        return self._tokenizer.count_tokens(text) <= self._sizes.max_tokens

    def _overlap(self, floor: int, start: int, end: int) -> str:
        """The last sentences, else words, before ``start`` that still fit; never a fragment."""
        if start <= floor or self._sizes.overlap_tokens <= 0:
            return ""
        # A token is rarely longer than eight characters: look no further back than that.
        window = max(floor, start - 8 * self._sizes.overlap_tokens)
        before = self._body[window:start]
        for pattern in (_SENTENCE_END, _WORD_START):
            for match in pattern.finditer(before):
                overlap = before[match.end() :]
                if overlap.strip() and self._overlap_fits(overlap, start, end):
                    return overlap
        return ""

    def _overlap_fits(self, overlap: str, start: int, end: int) -> bool:
        count = self._tokenizer.count_tokens
        return (
            count(overlap) <= self._sizes.overlap_tokens
            and count(overlap + self._body[start:end]) <= self._sizes.max_tokens
        )
