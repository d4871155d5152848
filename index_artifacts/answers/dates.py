"""Dates and times, in figures and with the names of months, in five languages."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_ISO = re.compile(r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?![\d-])")
_DOTTED = re.compile(
    r"(?<![\d.,])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>\d{4})(?!\d))?"
)
_SLASHED = re.compile(r"(?<![\d/])(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})(?![\d/])")
_DAY_FIRST = re.compile(
    r"(?<![\d.,])(?P<day>\d{1,2})(?:\.|st|nd|rd|th)?\s(?:of\s)?(?P<name>[^\W\d_]{3,12})"
    r"(?:\.?,?\s(?P<year>\d{4})(?!\d))?"
)
_MONTH_FIRST = re.compile(
    r"\b(?P<name>[A-Z][a-z]{2,8})\.?\s(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d.:])(?:,?\s(?P<year>\d{4})(?!\d))?"
)
_TIME = re.compile(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_DECIMAL, _ENDED = re.compile(r"\d+\.\d+\."), re.compile(r"\s*(?:$|[^\sa-zà-ž])")
_SHORT = 3
_RANGE = re.compile(r"(?<![\d.])(\d{1,2})\.?\s?(?:[–—-]|až|do|to|and|a|i|и|по)\s?$")


@dataclass(frozen=True, slots=True)
class Written:
    """Where something is written, how it can be read, and which readings it proves."""

    start: int
    end: int
    readings: frozenset[str]
    covers: frozenset[str]


def dates_and_times(text: str) -> Iterator[Written]:
    """The dates ("d.m." or "d.m.yyyy") and times ("h:mm") of ``text``, in no order."""
    for pattern in (_ISO, _DOTTED, _SLASHED, _DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(text):
            if written := _date(text, match):
                yield written
                yield from _first_of_range(text, written)
    for match in _TIME.finditer(text):
        seconds = f":{match[3]}" if match[3] and match[3] != "00" else ""
        time = frozenset({f"{int(match[1])}:{match[2]}{seconds}"})
        yield Written(*match.span(), time, time)


def without_dates(text: str) -> str:
    """``text`` without its dates: their months may be written in other words in the evidence."""
    spans = [(w.start, w.end) for w in dates_and_times(text) if not text[w.start : w.end].isdigit()]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]},{text[end:]}"
    return text


def _date(text: str, match: re.Match[str]) -> Written | None:
    found = match.groupdict()
    month = found.get("month") or _month(found["name"])
    if not (1 <= int(found["day"]) <= 31 and 1 <= int(month) <= 12):
        return None
    short = f"{int(found['day'])}.{int(month)}."
    if found["year"]:
        full = frozenset({short + found["year"]})
        return Written(*match.span(), full, full | {short, found["year"]})
    readings = {short}
    if _DECIMAL.fullmatch(match.group()) and _ENDED.match(text, match.end()):
        readings.add(match.group()[:-1])  # "version 1.2." ends a sentence
    return Written(*match.span(), frozenset(readings), frozenset(readings))


def _first_of_range(text: str, last: Written) -> Iterator[Written]:
    """24. – 26. 6. 2026 proves 24. 6. 2026 too."""
    match = _RANGE.search(text[: last.start])
    if match and 1 <= int(match[1]) <= 31:
        dates = {re.sub(r"^\d+", str(int(match[1])), c) for c in last.covers if c.count(".") > 1}
        day = str(int(match[1]))
        yield Written(*match.span(1), frozenset({day}), frozenset({day, *dates}))


def _month(name: str) -> str:
    """The number of the month called ``name``, or "0"; "may" and "mar" need a capital letter."""
    if len(name) == _SHORT and name.islower() and name.isascii():
        return "0"
    return _months().get(fold(name), "0")


@cache
def _months() -> dict[str, str]:
    file = Path(__file__).with_name("months.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return {word: month for month, forms in table.items() for word in forms.split()}
