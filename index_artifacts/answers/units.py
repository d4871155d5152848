"""A passage's units: sentences, list items, table rows and lines of code that can be quoted.

Each is a contiguous stretch of the passage, so that it can be quoted word for word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.answers.markdown import visible_text
from index_artifacts.answers.sentences import sentences
from index_artifacts.rag.passages import GAP

if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE, ITEM, ROW, CODE = "prose", "item", "row", "code"

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_UNDERLINE = re.compile(r" {0,3}(?:(=)=+|--+)[ \t]*$")
_BREAK = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_DEFINITION = re.compile(r" {0,3}:[ \t]+(?=\S)")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\[\]\s]+\]:[ \t]*(?=\S)")
_REFERENCE = re.compile(r" {0,3}\[[^\[\]^]+\]:[ \t]*\S+(?:[ \t]+[\"'(].*)?$")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_QUOTE = re.compile(r"[ \t]*>[ \t]?")
# An item of so many characters leads to the items below it, as one that ends in a colon does.
_LEADS = 100


@dataclass(frozen=True, slots=True)
class Unit:
    """``text`` is ``passage.text[start:end]``; ``kind`` is out of the constants above.

    ``headings`` are those above it inside the passage, outermost first. ``header`` is the header
    row of its table, ``intro`` what leads to its list ("Tasks:", the item above it, the term that
    it defines); else empty.
    """

    text: str
    start: int
    end: int
    kind: str
    headings: tuple[str, ...]
    header: str = ""
    intro: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def split_units(text: str) -> list[Unit]:
    """The units of ``text``, in order. Headings, rules, fences and what has no word are none."""
    return [unit for unit in _Splitter(text).units() if _says_something(unit)]


def _says_something(unit: Unit) -> bool:
    seen = unit.text if unit.kind == CODE else visible_text(unit.text)
    return any(map(str.isalnum, seen))


class _Splitter:
    def __init__(self, text: str) -> None:
        self._text = text
        # A comment is seen by nobody who reads the page: it is no evidence. Offsets stay true.
        self._seen = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
        self._lines = list(_lines(self._seen))
        self._rows = _rows_without_edges(self._lines)
        self._headings: list[tuple[int, str]] = []
        self._header = ""
        # What leads to the items below it, and how far it is indented; prose by -1.
        self._leads: list[tuple[int, str]] = []
        self._paragraph: list[_Line] = []
        self._kind, self._indent = PROSE, -1

    def units(self) -> Iterator[Unit]:
        fence = ""
        for line in self._lines:
            mark = _FENCE.match(line.text)
            if fence:
                if mark and mark.group(1).startswith(fence):
                    fence = ""
                elif line.text.strip():
                    yield self._unit(line.start, line.end, CODE)
            elif mark:
                yield from self._flush()
                fence = mark.group(1)[:3]
            else:
                yield from self._take(line)
        yield from self._flush()

    def _take(self, line: _Line) -> Iterator[Unit]:
        blank = not line.text.strip()
        if heading := _HEADING.match(line.text):
            yield from self._flush()
            self._enter(len(heading.group(1)), heading.group(2))
        elif blank or line.text.strip() == GAP.strip():
            yield from self._flush()
            self._header = ""
            if not blank:
                self._leads = []
        elif _ROW.match(line.text) or line.start in self._rows:
            yield from self._row(line)
        elif (under := _UNDERLINE.match(line.text)) and self._paragraph and self._kind == PROSE:
            title = " ".join(part.text for part in self._paragraph)
            self._paragraph = []
            self._enter(1 if under.group(1) else 2, " ".join(title.split()))
        elif _BREAK.match(line.text) or _UNDERLINE.match(line.text) or _REFERENCE.match(line.text):
            yield from self._flush()
        else:
            yield from self._read(line)

    def _read(self, line: _Line) -> Iterator[Unit]:
        if item := _ITEM.match(line.text):
            yield from self._begin(line, item.end(), len(item.group(1).expandtabs(4)))
        elif definition := _DEFINITION.match(line.text):
            if self._paragraph and self._kind == PROSE:
                term = self._paragraph[-1].text.strip()
                yield from self._flush()
                self._leads = [(-1, f"{term}:")]
            yield from self._begin(line, definition.end(), 0)
        elif footnote := _FOOTNOTE.match(line.text):
            yield from self._flush()
            self._continue(line, footnote.end())
        else:
            quote = _QUOTE.match(line.text)
            indent = len(line.text) - len(line.text.lstrip())
            self._continue(line, quote.end() if quote else indent)

    def _begin(self, line: _Line, skip: int, indent: int) -> Iterator[Unit]:
        """Begin an item. It belongs to what is less indented above it."""
        yield from self._flush()
        self._kind, self._indent = ITEM, indent
        self._leads = [lead for lead in self._leads if lead[0] < indent]
        self._continue(line, skip)

    def _continue(self, line: _Line, skip: int) -> None:
        self._paragraph.append(_Line(line.text[skip:], line.start + skip))

    def _enter(self, level: int, heading: str) -> None:
        self._headings = [h for h in self._headings if h[0] < level] + [(level, heading)]
        self._leads, self._header = [], ""

    def _row(self, line: _Line) -> Iterator[Unit]:
        yield from self._flush()
        if _RULE.match(line.text):
            return
        if not self._header:
            self._header = line.text.strip()
            return
        yield self._unit(line.start, line.end, ROW)

    def _flush(self) -> Iterator[Unit]:
        lines, kind, indent = self._paragraph, self._kind, self._indent
        self._paragraph, self._kind, self._indent = [], PROSE, -1
        if not lines:
            return
        start, end = lines[0].start, lines[-1].end
        if kind == PROSE and not self._text[:start].rpartition("\n")[2].isspace():
            self._leads = []
        last = ""
        for first, stop in sentences(self._seen, start, end):
            unit = self._unit(first, stop, kind)
            last = unit.text
            yield unit
        if last.endswith(":") or (kind == ITEM and len(last) <= _LEADS):
            self._leads.append((indent, last if last.endswith(":") else f"{last}:"))

    def _unit(self, start: int, end: int, kind: str) -> Unit:
        piece = self._text[start:end]
        start += len(piece) - len(piece.lstrip())
        piece = piece.strip()
        return Unit(
            text=piece,
            start=start,
            end=start + len(piece),
            kind=kind,
            headings=tuple(heading for _, heading in self._headings),
            header=self._header if kind == ROW else "",
            intro=self._leads[-1][1] if kind == ITEM and self._leads else "",
        )


def _rows_without_edges(lines: list[_Line]) -> frozenset[int]:
    """Where the lines of tables start that have no bar at their ends: known by their rule."""
    rows: set[int] = set()
    for number, line in enumerate(lines):
        if number and "|" in line.text and _RULE.match(line.text) and "|" in lines[number - 1].text:
            rows |= {lines[number - 1].start, line.start}
        elif number and lines[number - 1].start in rows and "|" in line.text:
            rows.add(line.start)
    return frozenset(rows)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(line, start)
        start += len(line) + 1
