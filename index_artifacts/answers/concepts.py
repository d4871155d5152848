"""What is asked for, across words and languages; data in ``concepts.toml``."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def concepts_of(words: Iterable[str]) -> frozenset[str]:
    """The keys of ``concepts.toml`` that folded ``words`` stand for."""
    return frozenset().union(*(_of_word(word) for word in words)) if words else frozenset()


@lru_cache(maxsize=8192)
def _of_word(word: str) -> frozenset[str]:
    return frozenset(name for name, starts in _table().items() if word.startswith(starts))


@cache
def _table() -> dict[str, tuple[str, ...]]:
    table = tomllib.loads(Path(__file__).with_name("concepts.toml").read_text(encoding="utf-8"))
    return {name: tuple(words.split()) for name, words in table.items()}
