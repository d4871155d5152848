"""Finding a quote in the evidence, and what stands around it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from index_artifacts.answers.markdown import compared_pieces, read_row, visible_text
from index_artifacts.answers.units import CODE, ROW, split_units
from index_artifacts.rag.passages import GAP
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.answers.units import Unit
    from index_artifacts.rag.passages import Passage


_VARIANTS = str.maketrans({**dict.fromkeys("„“”«»‟″", '"'), **dict.fromkeys("‚‘’‹›′", "'"),
                           **dict.fromkeys("–—−‐‑‒", "-")})  # fmt: skip
_SHORTEST, _LONGEST = 3, 1_000
"""Letters and digits of a quote at least, for "A" proves nothing, and its characters at most."""


@dataclass(frozen=True, slots=True)
class Window:
    """Where a quote stands: its source's number, its span in the passage, the units it touches."""

    number: int
    passage: Passage
    start: int
    end: int
    units: tuple[Unit, ...]

    @property
    def text(self) -> str:
        """All that may support a claim on the quote, as a reader sees it, a line each.

        The quoted units with their table's header, the line that leads to their list, the
        headings above them and the page's title.
        """
        frame = [*map(visible_text, [self.passage.document.title, *self.passage.heading_path])]
        for unit in self.units:
            frame += map(visible_text, [*unit.headings, unit.intro, unit.header])
            frame += [" ".join(unit.text.split()) if unit.kind == CODE else "", read_unit(unit)]
        if not self.units:  # a heading or a table's header
            frame.append(visible_text(self.quoted))
        return "\n".join(line for line in dict.fromkeys(frame) if line)

    @property
    def quoted(self) -> str:
        """The quote as it is written on the page."""
        return self.passage.text[self.start : self.end]

    @property
    def source_text(self) -> str:
        """The quoted units as they are written on the page, addresses and all."""
        return "\n".join(unit.text for unit in self.units) or self.quoted


class Quotable:
    """A numbered passage in which quotes are looked for."""

    def __init__(self, number: int, passage: Passage) -> None:
        self.number, self.passage = number, passage

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The passage's units, in order."""
        return tuple(split_units(self.passage.text))

    @cached_property
    def _plain(self) -> tuple[str, list[int]]:
        return plain_text(self.passage.text)

    def find(self, quote: str, near: str = "") -> Window | None:
        """Where ``quote`` stands as one piece, up to markup, spacing and typography; else None.

        Where it stands more than once, it is the place that shares most words with ``near``.
        """
        wanted, _ = plain_text(quote)
        wanted = wanted.strip()
        if not wanted:
            return None
        windows = [
            window
            for window in self._places(wanted)
            if _is_fit(wanted) or _is_whole_unit(wanted, window)
        ]
        said = set(words(near))
        return max(windows, key=lambda w: len(said & set(words(w.text))), default=None)

    def _places(self, wanted: str) -> Iterator[Window]:
        text, origin = self._plain
        for match in re.finditer(re.escape(wanted), text):
            if _cuts(text, match.start()) or _cuts(text, match.end()):
                continue
            start, end = origin[match.start()], origin[match.end() - 1] + 1
            units = tuple(u for u in self.units if u.start < end and u.end > start)
            stitched = GAP.strip() in self.passage.text[start:end]
            if not stitched and len({unit.headings for unit in units}) <= 1:
                yield Window(self.number, self.passage, start, end, units)


def plain_text(text: str) -> tuple[str, list[int]]:
    """``text`` without Markdown's marks, in NFKC, with single spaces, and each character's origin.

    Typographic quotation marks and dashes become plain ones; what is invisible is left out.
    """
    characters: list[str] = []
    origin: list[int] = []
    for piece, start in compared_pieces(text):
        for offset, character in enumerate(piece):
            if unicodedata.category(character) == "Cf":
                continue
            for normal in unicodedata.normalize("NFKC", character).translate(_VARIANTS):
                space = normal.isspace()
                if space and (not characters or characters[-1] == " "):
                    continue
                characters.append(" " if space else normal)
                origin.append(start + offset)
    return _composed(characters, origin)


def _composed(characters: list[str], origin: list[int]) -> tuple[str, list[int]]:
    """Combining marks join the letter before them, as NFC writes it."""
    out: list[str] = []
    places: list[int] = []
    for character, place in zip(characters, origin, strict=True):
        if out and unicodedata.combining(character):
            joined = unicodedata.normalize("NFC", out[-1] + character)
            if len(joined) == 1:
                out[-1] = joined
                continue
        out.append(character)
        places.append(place)
    return "".join(out), places


def read_unit(unit: Unit) -> str:
    """A unit as a reader sees it: a table's row with the names of its columns."""
    return read_row(unit.header, unit.text) if unit.kind == ROW else visible_text(unit.text)


def _is_fit(wanted: str) -> bool:
    letters = sum(character.isalnum() for character in wanted)
    return letters >= _SHORTEST and len(wanted) <= _LONGEST


def _is_whole_unit(wanted: str, window: Window) -> bool:
    return any(plain_text(unit.text)[0].strip() == wanted for unit in window.units)


def _cuts(text: str, at: int) -> bool:
    """True where a quote that ends or begins at ``at`` cuts a word or a number: 78 of 78,5."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _in_word(before) and _in_word(after):
        return True
    around = text[max(0, at - 8) : at + 8]
    middle = at - max(0, at - 8)
    return any(match.start() < middle < match.end() for match in _NUMBER.finditer(around))


def _in_word(character: str) -> bool:
    return character.isalnum() or bool(unicodedata.combining(character))


# Digits that one number joins: 78,5, 8:00, 412 000.
_NUMBER = re.compile(r"\d[.,:]\d|(?<!\d)\d{1,3} \d{3}(?!\d)")
