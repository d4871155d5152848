"""The words that questions to the graph are made of; data in ``words.toml``."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path

NEGATED = "negated"
"""The tag of a word that denies what its other tags say: "neviedol"."""

FILLER = "fillers"
_NEGATIONS = ("ne", "не")
# What a beginning may deny: verbs, and "nemá". "Nedela" denies nothing.
_DENIABLE = frozenset(
    ["supervise", "write", "defend", "finish", "begin", "study", "have", "deal", "link"]
)
_SHORTEST_DENIED = 2
_SMALL = "small"
# Words come from whoever asks: a process that lives long must not keep them all.
_REMEMBERED = 8192


@lru_cache(maxsize=_REMEMBERED)
def tags_of(word: str) -> frozenset[str]:
    """What a folded word stands for: keys of ``words.toml``, and `NEGATED`; nothing if unknown."""
    found = _tags(word)
    for beginning in _NEGATIONS:
        denied = word.removeprefix(beginning)
        if denied != word and len(denied) >= _SHORTEST_DENIED and not found - {FILLER}:
            verbs = _tags(denied) & _DENIABLE
            if verbs:
                return verbs | {NEGATED}
    return found


def phrases() -> frozenset[tuple[str, ...]]:
    """Several words that stand for one thing; they are looked up joined by ``_``."""
    return _tables()[2]


def group(name: str) -> tuple[str, ...]:
    """The tags of a group of ``words.toml``, such as the kinds of theses."""
    return tuple(_file()[name])


@cache
def small(*names: str) -> frozenset[str]:
    """The small words of ``words.toml`` under ``names``: they join, point and compare."""
    return frozenset(word for name in names for word in _file()[_SMALL][name].split())


def _tags(word: str) -> frozenset[str]:
    whole, beginnings, _ = _tables()
    tags = set(whole.get(word, ()))
    for length in range(1, len(word) + 1):
        tags |= beginnings.get(word[:length], set())
    return frozenset(tags)


@cache
def _tables() -> tuple[dict[str, set[str]], dict[str, set[str]], frozenset[tuple[str, ...]]]:
    """Whole words, beginnings of words, and phrases."""
    whole: dict[str, set[str]] = defaultdict(set)
    beginnings: dict[str, set[str]] = defaultdict(set)
    for name, table in _file().items():
        if name == _SMALL:
            continue
        for tag, words in table.items():
            for word in words.split():
                place = beginnings if word.endswith("*") else whole
                place[word.rstrip("*")].add(FILLER if name == FILLER else tag)
    joined = frozenset(tuple(word.split("_")) for word in whole if "_" in word)
    return dict(whole), dict(beginnings), joined


@cache
def _file() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
