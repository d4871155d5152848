"""The structure of a Markdown body: its blocks, sections and links.

markdown-it-py parses by CommonMark plus tables; offsets are into the body as given.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from index_artifacts.records import Link, Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]|#]*)(#[^\[\]|]*)?(?:\\?\|[^\[\]]*)?\]\]")
_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block: offsets ``start``..``end`` run up to the next block's start.

    ``kind`` is the parser's name (paragraph, fence, table, bullet_list, …); ``cuts`` are
    offsets inside at which the block may be divided with the least harm (list items, table
    rows, lines); ``header`` is the text a divided table repeats.
    """

    kind: str
    start: int
    end: int
    cuts: tuple[int, ...] = ()
    header: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The visible text of a paragraph, a line each as written, without what images are called.

    ``inside`` is the list or quote that it stands in; ``linked`` the share of its letters that
    are links.
    """

    text: str
    inside: str = ""
    linked: float = 0.0


@dataclass(frozen=True, slots=True)
class Structure:
    """What the chunker and the link resolver need to know of a body."""

    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    links: tuple[Link, ...]
    first_h1: str = ""
    prose: str = ""
    """The text outside code, for telling its language."""
    paragraphs: tuple[Paragraph, ...] = ()


class Lines:
    """Character offsets of the lines of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._length = len(text)

    def offset(self, line: int) -> int:
        """Offset at which 0-based ``line`` starts; the text's length past the last one."""
        return self._starts[line] if line < len(self._starts) else self._length

    def line(self, offset: int) -> int:
        """0-based line that ``offset`` lies on."""
        return bisect_right(self._starts, offset) - 1


def parse(body: str, body_line: int = 1) -> Structure:
    """Parse a body whose first line is line ``body_line`` of its file (1-based)."""
    lines = Lines(body)
    tokens = _PARSER.parse(body)
    top = [token for token in tokens if token.level == 0 and token.nesting >= 0 and token.map]
    blocks = _blocks(body, top, tokens, lines)
    headings = list(_headings(tokens))
    return Structure(
        blocks=tuple(blocks),
        sections=tuple(_sections(body, headings, lines, body_line)),
        links=tuple(_links(tokens, body_line)),
        first_h1=next((text for level, text, _ in headings if level == 1), ""),
        prose="\n".join(_text(token) for token in tokens if token.type == "inline"),
        paragraphs=tuple(_paragraphs(tokens)),
    )


def _blocks(body: str, top: list[Token], tokens: list[Token], lines: Lines) -> Iterator[Block]:
    # Link definitions make no token: they belong to the block before them, at the top to the
    # one after them. A heading, though, begins a section and so never starts any earlier.
    starts = [lines.offset(token.map[0]) for token in top if token.map]
    if not starts:
        yield Block("paragraph", 0, len(body))
        return
    if starts[0] > 0 and top[0].type == "heading_open":
        yield Block("paragraph", 0, starts[0])
    else:
        starts[0] = 0
    items = [t.map[0] for t in tokens if t.type == "list_item_open" and t.level == 1 and t.map]
    for token, start, end in zip(top, starts, [*starts[1:], len(body)], strict=True):
        kind = token.type.removesuffix("_open")
        cuts = tuple(c for c in _cuts(token, items, lines) if start < c < end)
        header = _table_header(body, token, lines) if kind == "table" else ""
        yield Block(kind, start, end, cuts, header)


def _cuts(block: Token, items: list[int], lines: Lines) -> list[int]:
    """Offsets of list items and table rows inside ``block``; else of each of its lines.

    ``items`` are the lines on which the outermost list items of the whole body begin.
    """
    assert block.map is not None
    first, last = block.map
    if block.type in {"bullet_list_open", "ordered_list_open"}:
        inside = items[bisect_right(items, first) : bisect_left(items, last)]
        return [lines.offset(line) for line in inside]
    if block.type == "table_open":
        return [lines.offset(line) for line in range(first + 3, last)]
    return [lines.offset(line) for line in range(first + 1, last)]


def _table_header(body: str, table: Token, lines: Lines) -> str:
    assert table.map is not None
    first = table.map[0]
    return body[lines.offset(first) : lines.offset(first + 2)]


def _headings(tokens: list[Token]) -> Iterator[tuple[int, str, int]]:
    """Yield (level, text, 0-based line) of each heading that is not inside a quote or list."""
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            yield int(opening.tag[1]), _text(inline), opening.map[0]


def _sections(
    body: str, headings: list[tuple[int, str, int]], lines: Lines, body_line: int
) -> Iterator[Section]:
    starts = [lines.offset(line) for _, _, line in headings]
    ordinal = 0
    if not starts or starts[0] > 0:
        yield Section(0, 0, (), 0, starts[0] if starts else len(body), body_line)
        ordinal = 1
    open_headings: list[tuple[int, str]] = []
    ends = [*starts[1:], len(body)] if starts else []
    for (level, text, line), start, end in zip(headings, starts, ends, strict=True):
        open_headings = [item for item in open_headings if item[0] < level] + [(level, text)]
        path = tuple(text for _, text in open_headings if text)
        yield Section(ordinal, level, path, start, end, line + body_line)
        ordinal += 1


def _paragraphs(tokens: list[Token]) -> Iterator[Paragraph]:
    around: list[str] = []
    for opening, inline in pairwise(tokens):
        if opening.type in {"blockquote_open", "list_item_open"}:
            around.append("quote" if opening.type == "blockquote_open" else "list")
        elif opening.type in {"blockquote_close", "list_item_close"}:
            around.pop()
        elif opening.type == "paragraph_open":
            paragraph = _paragraph(inline, around[-1] if around else "")
            if paragraph.text:
                yield paragraph


def _paragraph(inline: Token, inside: str) -> Paragraph:
    parts, linked, in_link = [], 0, 0
    for child in inline.children or []:
        if child.type in {"link_open", "link_close"}:
            in_link += child.nesting
        elif child.type in {"text", "code_inline"}:
            parts.append(child.content)
            linked += bool(in_link) * len(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append("\n")
    written = "".join(parts)
    linked += sum(len(_shown(match)) for match in _WIKILINK.finditer(written))
    lines = (" ".join(line.split()) for line in _WIKILINK.sub(_shown, written).split("\n"))
    text = "\n".join(line for line in lines if line)
    return Paragraph(text, inside, min(1.0, linked / len(text)) if text else 0.0)


def _text(inline: Token) -> str:
    """The visible text of an inline token, code spans included, markup left out."""
    parts = []
    for child in inline.children or []:
        if child.type in {"text", "code_inline", "image"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    shown = _WIKILINK.sub(_shown, "".join(parts))
    return " ".join(shown.split())


def _shown(match: re.Match[str]) -> str:
    whole = match.group()
    return whole.rstrip("]").rpartition("|")[2] if "|" in whole else match[2] + (match[3] or "")


def _links(tokens: list[Token], body_line: int) -> Iterator[Link]:
    for token in tokens:
        if token.type != "inline":
            continue
        line = (token.map[0] if token.map else 0) + body_line
        for child in token.children or []:
            target = child.attrGet("href") or child.attrGet("src")
            if isinstance(target, str) and child.type in {"link_open", "image"}:
                yield _markdown_link(target, child.type, line)
        for match in _WIKILINK.finditer(_CODE_SPAN.sub("", token.content)):
            kind = "embed" if match[1] else "wikilink"
            yield Link(match[2].strip(), kind, line, (match[3] or "").lstrip("#").strip())


def _markdown_link(target: str, token_type: str, line: int) -> Link:
    try:
        parts = urlsplit(target)
    except ValueError:  # such as an unclosed bracket where an IPv6 address would stand
        return Link(target, "url", line)
    if parts.scheme or parts.netloc:
        return Link(target, "url", line)
    kind = "embed" if token_type == "image" else "markdown"
    return Link(unquote(parts.path), kind, line, unquote(parts.fragment))
