"""Words by which confusions are told; data in ``phrases.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable


def speaks_of(kind: str, text: str) -> bool:
    """True where a word of ``text`` begins as one of ``kind``, a key of ``phrases.toml``, does."""
    return any(word.startswith(beginnings(kind)) for word in words(text))


def lines_that_speak_of(kinds: Iterable[str], text: str) -> list[str]:
    """The lines of ``text`` that speak of every one of ``kinds``."""
    wanted = list(kinds)
    return [line for line in text.split("\n") if all(speaks_of(kind, line) for kind in wanted)]


def kinds_in(text: str) -> set[str]:
    """The kinds of theses that ``text`` speaks of."""
    found = words(text)
    return {
        kind
        for kind, starts in _table()["kinds"].items()
        if any(word.startswith(tuple(starts.split())) for word in found)
    }


@cache
def beginnings(kind: str) -> tuple[str, ...]:
    """The folded beginnings of the words of ``kind``."""
    return tuple(_table()[kind].split())


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
