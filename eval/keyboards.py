"""Keyboards: which keys lie beside each other, and what a wrong layout makes of a text."""

from __future__ import annotations

import unicodedata
from functools import cache

QWERTY = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
QWERTZ = ("qwertzuiop", "asdfghjkl", "yxcvbnm")
JCUKEN = ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю")
# The Polish programmer's layout is QWERTY with letters behind AltGr.
LAYOUTS = {"sk": QWERTZ, "cs": QWERTZ, "de": QWERTZ, "ru": JCUKEN}


def is_cyrillic(text: str) -> bool:
    """True where most letters of ``text`` are Cyrillic."""
    letters = [character for character in text.casefold() if character.isalpha()]
    return 2 * sum("а" <= letter <= "я" or letter == "ё" for letter in letters) > len(letters)


def neighbours(letter: str, lang: str) -> str:
    """The keys around ``letter`` on the keyboard of ``lang``, sorted; empty for another's letter.

    A letter with a diacritic has the neighbours of its base.
    """
    around = _neighbours(LAYOUTS.get(lang, QWERTY))
    lower = letter.lower()
    return around.get(lower) or around.get(unicodedata.normalize("NFD", lower)[:1], "")


@cache
def _neighbours(rows: tuple[str, ...]) -> dict[str, str]:
    """Each row is shifted to the right by half a key against the row above it."""
    at = {
        letter: (number, key) for number, row in enumerate(rows) for key, letter in enumerate(row)
    }
    steps = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))
    letter_at = {place: letter for letter, place in at.items()}
    return {
        letter: "".join(
            sorted(letter_at.get((row + down, key + right), "") for down, right in steps)
        )
        for letter, (row, key) in at.items()
    }
