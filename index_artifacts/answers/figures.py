"""Reading figures: numbers, years, dates and times, however they are written, and what they count.

A figure in a claim is compared with those of its evidence: 15. februára 2021 is 15/02/2021, five
thousand is 5 000, and the 11 of a node called p11 is none at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from typing import TYPE_CHECKING

from index_artifacts.answers.dates import Written, dates_and_times
from index_artifacts.answers.measures import compound, is_year_word, measures, multiplier, numeral
from index_artifacts.answers.typography import plain_characters
from index_artifacts.text import fold, word_spans, words

if TYPE_CHECKING:
    from collections.abc import Iterator

# 412 000, 1.204 and 1,204 may be one number; so may 7,8 and 7.8. A letter before makes it a name.
_NUMBER = re.compile(
    r"(?<![^\W_])(?:(?<![\w)%])(?<!\d )[-−])?"
    r"(?:\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:(?:[.,]|\{,\})\d+)*)"
)
_NAME = re.compile(r"(?=\w*[^\W\d_])(?=\w*\d)[^\W\d_]\w*")
_SIGN_AFTER = re.compile(r"\s?([%‰€£°]|\$(?!\$))")
_SIGN_BEFORE = re.compile(r"([€£]|(?<!\$)\$)\s?$")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d$")
# What a figure counts stands in the same clause, among so many words after it.
_CLAUSE = re.compile(r"[|;:.,!?()\[\]{}„“”«»\"]|\s[–—-]\s|\n|$")
_WORDS_AFTER = 3
_LABEL = re.compile(r"(?:^|[;|\n])\s*([^;|:\n]{1,60}):\s*$")
_LIST = re.compile(
    r"\s*(?:[,/–—-]|×|x\b|a\b|i\b|aj\b|až\b|alebo\b|nebo\b|či\b|do\b|to\b|and\b|or\b|lub\b|и\b|или\b|до\b)"
    r"\s*(?=\d)"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as written, every reading it allows, those it covers as evidence, what it counts.

    ``measures`` are those that the sign or word next to it may stand for, "" for none; ``after``
    are the next folded words of the clause, ``before`` is the one in front of it and ``label``
    those that lead to it with a colon. A date covers its year and itself without the year.
    """

    written: str
    readings: frozenset[str]
    covers: frozenset[str]
    measures: frozenset[str]
    after: tuple[str, ...]
    before: str
    label: tuple[str, ...]

    @property
    def measure(self) -> str:
        """What it measures, or an empty string."""
        return max(self.measures, default="")

    @property
    def is_year(self) -> bool:
        """True for what looks like a calendar year and counts nothing measured."""
        return bool(_YEAR.fullmatch(self.written)) and "" in self.measures


def figures(text: str) -> Iterator[Figure]:
    """Every figure of ``text``, in order; dates and times are one figure each."""
    plain = plain_characters(text)
    for written in _longest(plain):
        yield _figure(plain, written)


def _longest(text: str) -> Iterator[Written]:
    """At one place the longest reading is the right one: a date before its day."""
    found = [*dates_and_times(text), *_numbers(text), *_in_words(text)]
    end = -1
    for written in sorted(found, key=lambda w: (w.start, -w.end)):
        if written.start >= end:
            end = written.end
            yield written


def _numbers(text: str) -> Iterator[Written]:
    for match in _NAME.finditer(text):
        name = frozenset({fold(match.group())})
        yield Written(*match.span(), name, name)
    for match in _NUMBER.finditer(text):
        readings = _readings(match.group())
        yield _multiplied(text, Written(*match.span(), readings, readings))


def _in_words(text: str) -> Iterator[Written]:
    spans = word_spans(text)
    known = frozenset(word for word, _, _ in spans)
    number = 0
    while number < len(spans):
        word, start, end = spans[number]
        number += 1
        value = numeral(word, known)
        if not value:
            continue
        following = spans[number] if number < len(spans) else ("", len(text), end)
        together = compound(value, following[0])
        if together and not text[end : following[1]].strip(" -"):
            value, end, number = together, following[2], number + 1
        reading = frozenset({value})
        yield _multiplied(text, Written(start, end, reading, reading))


def _multiplied(text: str, written: Written) -> Written:
    """5 tisíc, 1.5 million: the word after a number is a part of it."""
    following = re.compile(r"[ \u00a0]([^\W\d_]+)\.?").match(text, written.end)
    factor = multiplier(fold(following.group(1))) if following else 0
    if not following or not factor:
        return written
    readings = frozenset(
        _canonical(format(Decimal(reading) * factor, "f"), whole=True)
        for reading in written.readings
        if reading.lstrip("-").count(".") <= 1
    )
    return _multiplied(text, Written(written.start, following.end(), readings, readings))


def _figure(text: str, written: Written) -> Figure:
    start, end = written.start, written.end
    after = _words_after(text, end)
    return Figure(
        text[start:end],
        written.readings,
        written.covers,
        _measures(text, written, after),
        after,
        _word_before(text, start),
        _label(text, start),
    )


def _measures(text: str, written: Written, after: tuple[str, ...]) -> frozenset[str]:
    sign = _SIGN_AFTER.match(text, written.end) or _SIGN_BEFORE.search(text[: written.start])
    if sign:
        return measures(sign.group(1))
    if after:
        if _YEAR.search(text[written.start : written.end]) and is_year_word(after[0]):
            return frozenset({""})
        rest = text[written.end :].lstrip()
        alone = len(after) == 1 or not rest[len(after[0]) :].startswith((" ", "\u00a0"))
        return measures(after[0], alone=alone)
    named = {name for word in _label(text, written.start) for name in measures(word)}
    return frozenset({*named, ""})


def _words_after(text: str, at: int) -> tuple[str, ...]:
    """The next words of the clause; of figures in a list or a range, those after the last."""
    while listed := _LIST.match(text, at):
        number = _NUMBER.match(text, listed.end())
        if not number:
            break
        at = number.end()
    clause = _CLAUSE.search(text, at)
    found = words(text[at : clause.start() if clause else len(text)])[:_WORDS_AFTER]
    return tuple(takewhile(lambda word: not word[0].isdigit(), found))


def _word_before(text: str, at: int) -> str:
    found = re.search(r"([^\W\d_]+)\.?\s*$", text[max(0, at - 40) : at])
    return fold(found.group(1)) if found else ""


def _label(text: str, at: int) -> tuple[str, ...]:
    found = _LABEL.search(text[max(0, at - 80) : at])
    return tuple(words(found.group(1))) if found else ()


def _readings(written: str) -> frozenset[str]:
    bare = re.sub(r"\s", "", written).replace("−", "-").replace("{,}", ",")
    readings = {_canonical(bare.replace(",", "."))}
    sign, digits = ("-", bare[1:]) if bare.startswith("-") else ("", bare)
    groups = re.split(r"[.,]", digits)
    if len(groups) > 1 and len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:]):
        readings.add(_canonical(sign + "".join(groups)))
    if len(groups) > 2 and len(set(re.findall(r"[.,]", digits))) == 2:  # 1.234,5 and 1,234.5
        readings.add(_canonical(sign + "".join(groups[:-1]) + "." + groups[-1]))
    return frozenset(readings)


def _canonical(number: str, *, whole: bool = False) -> str:
    """Without leading zeros, and for a product without those after the point."""
    sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
    before, dot, after = digits.partition(".")
    if whole:
        after = after.rstrip("0")
    return sign + (before.lstrip("0") or "0") + (dot + after if after else "")
