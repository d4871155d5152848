"""Fragments as a reader sees them: without Markdown's marks, what matches still marked."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from index_artifacts.answers.markdown import seen_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from functions.tools.search import SearchHit

Parts = list[tuple[str, bool]]
"""Text in parts; True for those that match."""

_RULE = re.compile(r"\s*:?-{3,}[\s:-]*")
_CUT = "…"


def seen_snippet(hit: SearchHit) -> Parts:
    """The snippet of a hit, its highlights marked.

    It is read as a part of its chunk, whose line breaks say what a list or a heading is and which
    may hold the other half of a link.
    """
    before = hit.snippet.startswith(_CUT)
    core = hit.snippet.removeprefix(_CUT).removesuffix(_CUT)
    # Line breaks became spaces one for one.
    start = hit.text.replace("\n", " ").find(core)
    text, first = (core, 0) if start < 0 else (hit.text, start)
    shift = first - (1 if before else 0)
    spans = [(a + shift, b + shift) for a, b in hit.highlights]
    inside = _parts(_characters(text, first, first + len(core), spans))
    after = hit.snippet.endswith(_CUT)
    return [(_CUT, False)] * before + inside + [(_CUT, False)] * after


def seen_text(text: str) -> str:
    """The whole of a chunk."""
    return "".join(part for part, _ in _parts(_characters(text, 0, len(text), ())))


def _characters(
    text: str, first: int, last: int, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[str, bool]]:
    """The seen characters between two offsets, with whether they match; lines as blocks have."""
    for piece, at in seen_pieces(text):
        begins = at == 0 or text[at - 1] == "\n"
        if not piece and begins and first < at < last and not text.startswith("**", at):
            yield "\n", False
        if _RULE.fullmatch(piece):
            continue
        for place, character in enumerate(piece, at):
            if not first <= place < last:
                continue
            if character == "\n":
                # An empty line divides; another is only where the page's writer had a full line.
                character = "\n" if text.startswith("\n", place + 1) else " "
            yield character, any(a <= place < b for a, b in spans)


def _parts(characters: Iterator[tuple[str, bool]]) -> Parts:
    parts = [
        (re.sub(r" *\n\s*", "\n", "".join(character for character, _ in run)), is_match)
        for is_match, run in groupby(characters, key=lambda pair: pair[1])
    ]
    if parts:
        parts[0] = (parts[0][0].lstrip(), parts[0][1])
        parts[-1] = (parts[-1][0].rstrip(), parts[-1][1])
    return [(text, is_match) for text, is_match in parts if text]
