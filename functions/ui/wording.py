"""The page's words in the language of the browser."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FALLBACK = "en"
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


@cache
def _all() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def words(language: str) -> dict[str, Any]:
    """What the page says in ``language``."""
    return _all()[language]


def language_of(accepted: str) -> str:
    """The best of ``Accept-Language`` that the page has; English where it has none.

    By RFC 9110, section 12.5.4: the highest weight, and of equal ones the first.
    """
    best, weight = FALLBACK, 0.0
    for part in accepted.split(","):
        name, _, rest = part.strip().partition(";")
        found = name.partition("-")[0].lower()
        given = _weight(rest)
        if found in _all() and given > weight:
            best, weight = found, given
    return best


def age(seconds: int, language: str) -> str:
    """How long ago something was, in the largest unit that fits; empty where nobody knows."""
    if seconds < 0:
        return ""
    minutes, hours, days = words(language)["ages"]
    if seconds < _HOUR:
        return str(minutes).format(n=max(1, seconds // _MINUTE))
    if seconds < 2 * _DAY:
        return str(hours).format(n=seconds // _HOUR)
    return str(days).format(n=seconds // _DAY)


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
