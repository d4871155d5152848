"""Markdown as a reader sees it: of a link its text, of emphasis and code what they enclose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = r"<!--.*?(?:-->|\Z)"
_LINK = r"!?\[(?P<link>[^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)"
_WIKI = r"!?\[\[(?:(?P<label>[^\[\]|]*)\|)?(?P<wiki>[^\[\]|]*)\]\]"
_FOOTNOTE = r"\[\^[^\[\]\s]{1,30}\]"
_ADDRESS = r"<(?P<address>(?:https?://|mailto:)[^<>\s]+|[^<>\s@]+@[^<>\s@]+)>"
_TAG = r"</?(?:br|b|i|u|em|strong|small|sub|sup|kbd|mark|span|div|p|a|img|font|center)\b[^<>]*>"
_BEGIN = r"^[ \t]*(?:>[ \t]?)+|^[ \t]*#{1,6}[ \t]+|^[ \t]*[-+*][ \t]+(?:\[[ xX]\][ \t]+)?|^:[ \t]+"
_UNDERLINED = r"(?<![\w/])(?P<under>_{1,2})(?=[^\s_])(?P<em>[^_\n]+?)(?<=[^\s_])(?P=under)(?!\w)"
_URL = r"(?P<url>\bhttps?://[^\s<>()\[\]]+(?:\([^\s()]*\)[^\s<>()\[\]]*)*)"

_SEEN = re.compile(
    rf"{_COMMENT}|(?P<ticks>`+)(?P<code>.+?)(?P=ticks)|\\(?P<escaped>[!-/:-@\[-`{{-~])|{_LINK}|{_WIKI}"
    rf"|{_FOOTNOTE}|{_ADDRESS}|{_TAG}|{_URL}|{_UNDERLINED}|(?P<mark>{_BEGIN}|\*+|`+|~~|\|)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_COMPARED = re.compile(
    rf"{_COMMENT}|{_LINK}|{_WIKI}|{_FOOTNOTE}|{_ADDRESS}|{_TAG}|(?P<mark>{_BEGIN}|[*`~_\\|])",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_SHOWN = ("code", "escaped", "link", "wiki", "address", "url", "em")


def visible_text(text: str) -> str:
    """``text`` as a reader sees it, with single spaces."""
    return " ".join("".join(piece for piece, _ in _pieces(_SEEN, text)).split())


def seen_pieces(text: str) -> Iterator[tuple[str, int]]:
    """What a reader sees of ``text``, in pieces with their offsets; a mark is an empty piece."""
    return _pieces(_SEEN, text)


def compared_pieces(text: str) -> Iterator[tuple[str, int]]:
    """What counts of ``text`` in a quotation, with its offsets: no mark, not even inside code."""
    return _pieces(_COMPARED, text)


def cells(row: str) -> list[str]:
    """The cells of a table's row, as a reader sees them; an escaped pipe divides none."""
    inside = row.strip().removeprefix("|")
    parts = re.split(r"(?<!\\)\|", inside)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [visible_text(part) for part in parts]


def read_row(header: str, row: str) -> str:
    """A table's row with its columns' names: "Server: quokka; RAM: 512 GB"."""
    names, values = cells(header), cells(row)
    names += [""] * (len(values) - len(names))
    named = [
        f"{name}: {value}" if name else value
        for name, value in zip(names, values, strict=False)
        if value
    ]
    return "; ".join(named)


def _pieces(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, int]]:
    position = 0
    for match in pattern.finditer(text):
        yield text[position : match.start()], position
        found = match.groupdict()
        # A wiki link is read by its label where it has one, on whichever side of the bar.
        shown = next((name for name in _SHOWN if found.get(name) is not None), "")
        if found["mark"] is not None or match.group().startswith("<br"):
            yield (" " if match.group() in "|" or "<br" in match.group() else ""), match.start()
        elif shown:
            yield found[shown], match.start(shown)
        position = match.end()
    yield text[position:], position
