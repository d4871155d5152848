"""Keyboards: what keys type under another layout, and undoing it where it was a mistake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from index_artifacts.lexicon import Entry

    LookUp = Callable[[Iterable[str]], dict[str, Entry]]
    Table = dict[int, int]

# The same keys in the same order, plain and with Shift.
_CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюё."
_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`/"
_CYRILLIC_SHIFTED = "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ,"
_LATIN_SHIFTED = 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~?'
TO_LATIN = str.maketrans(_CYRILLIC + _CYRILLIC_SHIFTED, _LATIN + _LATIN_SHIFTED)
TO_CYRILLIC = str.maketrans(_LATIN + _LATIN_SHIFTED, _CYRILLIC + _CYRILLIC_SHIFTED)
SWAPPED_YZ = str.maketrans("yzYZ", "zyZY")

# What the keys above the letters of a Slovak or Czech keyboard type on an English one.
_DIGITS = "234567890"
_DIGIT_ROW = {"sk": "ľščťžýáíé", "cs": "ěščřžýáíé"}
DIGIT_ROW = {lang: str.maketrans(letters, _DIGITS) for lang, letters in _DIGIT_ROW.items()}

# Letters that look alike in both alphabets.
_LOOK_CYRILLIC = "асеорхуАВЕКМНОРСТХ"
_LOOK_LATIN = "aceopxyABEKMHOPCTX"
LOOKS_LATIN = str.maketrans(_LOOK_CYRILLIC, _LOOK_LATIN)
LOOKS_CYRILLIC = str.maketrans(_LOOK_LATIN, _LOOK_CYRILLIC)

_LAYOUTS: tuple[Table, ...] = (TO_LATIN, TO_CYRILLIC)
_ONE_BY_ONE: tuple[Table, ...] = (
    LOOKS_LATIN,
    LOOKS_CYRILLIC,
    SWAPPED_YZ,
    *(SWAPPED_YZ | str.maketrans(_DIGITS, letters) for letters in _DIGIT_ROW.values()),
    *_LAYOUTS,
)
_TOKEN = re.compile(r'"[^"]*"|„[^“”"]*[“”"]|“[^”]*”|«[^»]*»|»[^«]*«|\S+')
_QUOTES = '"„“«»'
# A short word is a word of the other alphabet too often to prove anything alone.
_SHORTEST = 4
# A question of more tokens is a text, and was seen while it was typed.
_MOST_TOKENS = 100


def repair(text: str, look_up: LookUp) -> tuple[str, dict[str, str]]:
    """Undo a wrong layout or look-alike letters where that makes words known that were not.

    Returns the text, and token typed → token meant. Quoted tokens stay. Where a layout explains
    most of the longer unknown tokens, it was on for all of the question, short words and marks
    included.
    """
    tokens = [match.group() for match in _TOKEN.finditer(text) if match.group()[0] not in _QUOTES]
    if len(tokens) > _MOST_TOKENS:
        return text, {}
    tokens = list(dict.fromkeys(tokens))
    entries = look_up(word for token in tokens for word in words(token))
    unknown = [token for token in tokens if not _is_known(token, entries)]
    if not unknown:
        return text, {}
    variants = {token: _variants(token) for token in unknown}
    entries |= look_up(
        word for written in variants.values() for variant in written for word in words(variant)
    )
    if tables := _whole_layouts(unknown, entries):
        meant = {token: token.translate(tables[0]) for token in tokens}
    else:
        meant = {token: _meant(token, written, entries) for token, written in variants.items()}
    mended = _TOKEN.sub(lambda match: meant.get(match.group(), match.group()), text)
    return mended, {token: better for token, better in meant.items() if better != token}


def _meant(token: str, variants: list[str], entries: dict[str, Entry]) -> str:
    if sum(map(len, words(token))) < _SHORTEST:
        return token
    return next((variant for variant in variants if _is_known(variant, entries)), token)


def _variants(token: str) -> list[str]:
    """What the token may have been meant to be, likeliest first."""
    # Shift and Caps Lock move marks between keys' two faces: try the plain one too.
    written = [token.translate(table) for table in _ONE_BY_ONE]
    written += [token.lower().translate(table) for table in _LAYOUTS]
    return [variant for variant in dict.fromkeys(written) if variant != token]


def _is_known(token: str, entries: dict[str, Entry]) -> bool:
    found = words(token)
    return all(word in entries and entries[word].known for word in found)


def _whole_layouts(unknown: list[str], entries: dict[str, Entry]) -> list[Table]:
    long = [token for token in unknown if len(token) >= _SHORTEST]
    return [
        table
        for table in _LAYOUTS
        if len(long) > 1
        and all(words(token.translate(table)) for token in long)
        and 2 * sum(_is_known(token.translate(table), entries) for token in long) > len(long)
    ]
