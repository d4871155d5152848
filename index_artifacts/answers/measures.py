"""Units of measure and numbers in words; data in the tables beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

# A sign is a unit that a word may stand for.
_SIGNS = {"%": "percent", "‰": "permille", "€": "euro", "$": "dollar", "£": "pound", "°": "degree"}
_YEAR_WORDS = frozenset({"r", "roku", "rok", "roka", "rokom", "году", "года", "год", "г", "гг"})
# Prepositions as well as units; a unit ends its clause more often than a preposition does.
_AMBIGUOUS = frozenset({"s", "w", "m", "h", "g"})
# "ten" is "that" in Slovak, Czech and Polish: a number only among English words.
_ENGLISH = (
    "the of and is are was were has have with for takes at by from until after before within about "
    "every each than holds its it"
)


def measure(word: str) -> str:
    """The measure that a folded word or a sign stands for, or an empty string."""
    return _SIGNS.get(word[:1], "") or _words("measures").get(word, "")


def measures(word: str, *, alone: bool = True) -> frozenset[str]:
    """What a folded word or a sign after a figure may measure; "" stands for nothing.

    ``alone`` says that nothing follows it in its clause: "5 s", unlike "5 s výsledkom".
    """
    found = measure(word)
    if word in _AMBIGUOUS and not alone:
        return frozenset({found, ""})
    return frozenset({found})


def is_year_word(word: str) -> bool:
    """True for a folded word by which a calendar year is called one: w 2018 roku, в 2018 году."""
    return word in _YEAR_WORDS


def numeral(word: str, among: frozenset[str] = frozenset()) -> str:
    """The number that a folded word stands for ``among`` others, in digits, or an empty string."""
    if word == "ten" and not among.intersection(_ENGLISH.split()):
        return ""
    return _numerals().get(word, "")


def compound(tens: str, word: str) -> str:
    """The number that a unit's folded word makes with ``tens`` before it, or an empty string."""
    unit = _ONE.get(word) or _words("numerals").get(word, "")
    if len(tens) == 2 and tens[0] != "1" and tens[1] == "0" and len(unit) == 1:
        return tens[0] + unit
    return ""


def multiplier(word: str) -> int:
    """What a folded word after a number multiplies it by, or 0."""
    return int(_words("multipliers").get(word, "0"))


_ONE = dict.fromkeys(("jeden", "jedna", "jedno", "jednu", "one", "один", "одна", "одно"), "1")


@cache
def _numerals() -> dict[str, str]:
    """Those of ``numerals.toml`` and what Slovak and Czech write as one word: pětadvacet."""
    plain = _words("numerals")
    tens = {word: value for word, value in plain.items() if len(value) == 2 and value[1] == "0"}
    units = {word: value for word, value in plain.items() if len(value) == 1} | _ONE
    joined = {
        written: ten[0] + unit
        for tens_word, ten in tens.items()
        if ten != "10"
        for unit_word, unit in units.items()
        for written in (tens_word + unit_word, f"{unit_word}a{tens_word}")
    }
    return joined | plain


@cache
def _words(name: str) -> dict[str, str]:
    file = Path(__file__).with_name(f"{name}.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return {word: key for key, forms in table.items() for word in forms.split()}
