"""The structure of a text that is no Markdown: paragraphs in one section, no heading, no link."""

from __future__ import annotations

import re
from itertools import pairwise

from build.markdown import Block, Paragraph, Structure
from index_artifacts.records import Section

_BLANK = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n")
_LONGEST_TITLE = 100


def plain_structure(body: str, prose: str | None = None) -> Structure:
    """The structure of ``body``; ``prose`` is the part of it whose language counts.

    A line that begins with ``#`` or ``>``, or that is indented, means nothing here.
    """
    starts = [0, *(m.end() for m in _BLANK.finditer(body) if 0 < m.end() < len(body))]
    blocks = [
        Block("paragraph", start, end, tuple(_cuts(body, start, end)))
        for start, end in pairwise([*starts, len(body)])
    ]
    prose = body if prose is None else prose
    paragraphs = (_lines(paragraph) for paragraph in _BLANK.split(prose))
    return Structure(
        blocks=tuple(blocks),
        sections=(Section(0, 0, (), 0, len(body), 1),),
        links=(),
        prose=prose,
        paragraphs=tuple(Paragraph(text) for text in paragraphs if text),
    )


def first_line_title(body: str) -> str:
    """The first line, where it is short and stands alone as a title does; else nothing."""
    first, _, rest = body.strip().partition("\n")
    alone = not rest or not rest.partition("\n")[0].strip(" \t=-")
    title = " ".join(first.split())
    return title if alone and rest.strip() and len(title) <= _LONGEST_TITLE else ""


def _lines(paragraph: str) -> str:
    lines = (" ".join(line.split()) for line in paragraph.split("\n"))
    return "\n".join(line for line in lines if line)


def _cuts(body: str, start: int, end: int) -> list[int]:
    ends = (match.end() for match in _LINE_END.finditer(body, start, end))
    return [offset for offset in ends if start < offset < end]
