"""A page's text as lines that patterns are matched on: folded, without code and Markdown's marks.

What a pattern finds in the folded text is taken from the original by its offsets.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.records import Document

_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^()\n]*\)")
_WIKILINK = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_STRUCK = re.compile(r"~~[^~\n]*~~")
_MARKS = re.compile(r"\*+|`+|(?<!\w)_+|_+(?!\w)|<[^<>\s]+@[^<>\s]+>|\\(?=\W)")
_MARKED = re.compile(r"[*`_~<\[\\]")
_BEGINNING = re.compile(r"[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-+•][ \t]+|\d{1,3}[.)][ \t]+)?")
_LISTED = re.compile(r"\s*(?:[|>#]|[-+•*][ \t]|\d{1,3}[.)][ \t])")
_TASK = re.compile(r"\[[ xX]\][ \t]+")


@dataclass(slots=True)
class Line:
    """A line of a page: ``number`` in its file, its text without marks, and that folded.

    ``heading`` is the level of the heading that it is, else 0; a ``plain`` line is no list item,
    table row or heading.
    """

    number: int
    text: str
    raw: str
    folded: str
    heading: int = 0
    plain: bool = True

    def original(self, start: int, end: int) -> str:
        """The text behind ``folded[start:end]``."""
        if len(self.folded) == len(self.text):
            return self.text[start:end]
        origin = [at for at, letter in enumerate(self.text) for _ in fold(letter)]
        origin.append(len(self.text))
        return self.text[origin[start] : origin[end]]


def lines_of(document: Document) -> Iterator[Line]:
    """The lines of a page that are neither blank nor inside a code fence or a comment."""
    headings = {section.line: section for section in document.sections if section.level}
    body = unicodedata.normalize("NFC", document.body)
    body = _COMMENT.sub(_blank, body) if "<!--" in body else body
    fence = ""
    for number, raw in enumerate(body.split("\n"), document.body_line):
        mark = None if raw[:1].isalnum() else _FENCE.match(raw)
        if fence or mark:
            fence = _after(fence, mark, raw)
            continue
        if not raw.strip():
            continue
        if section := headings.get(number):
            text = section.heading
            yield Line(number, text, raw, fold(text), section.level, plain=False)
        elif text := clean(raw):
            plain = raw[0].isalpha() or not _LISTED.match(raw)
            yield Line(number, text, raw, fold(text), plain=plain)


def clean(raw: str) -> str:
    """A line without list marker, links' targets, emphasis and what is struck out."""
    beginning = None if raw[:1].isalpha() else _BEGINNING.match(raw)
    text = raw[beginning.end() :] if beginning else raw
    if not _MARKED.search(text):
        return " ".join(text.split())
    text = _STRUCK.sub("", _TASK.sub("", text, count=1) if text.startswith("[") else text)
    text = _WIKILINK.sub(r"\1", _LINK.sub(r"\1", text))
    return " ".join(_MARKS.sub("", text).split())


def linked_texts(body: str) -> Iterator[tuple[str, str]]:
    """(text, target without its fragment) of the Markdown links of a body."""
    for found in _LINK.finditer(body):
        target = found.group().rpartition("](")[2].rstrip(")").strip("<> ")
        yield clean(found[1]), unquote(target.partition("#")[0]).strip()


def cells(line: Line) -> list[str]:
    """The cells of a table row; none where the line is no row."""
    raw = line.raw.strip()
    if not raw.startswith("|"):
        return []
    return [clean(cell) for cell in re.split(r"(?<!\\)\|", raw.strip("|"))]


def _blank(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")


def _after(fence: str, mark: re.Match[str] | None, raw: str) -> str:
    """The fence that is open after a line; a closing one is as long, and stands alone."""
    if not fence:
        return mark[1] if mark else ""
    closes = mark and mark[1].startswith(fence) and not raw.strip(" \t>").strip(fence[0])
    return "" if closes else fence
