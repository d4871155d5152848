"""Rules that change a question's wording but not what it asks for. All are pure and seeded."""

from __future__ import annotations

import hashlib
import random
import re
import unicodedata
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

SEED = 20261130
LONG_WORD = 5
"""A typo is put only into words of at least this many letters."""

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_PLAIN_RUN = re.compile(r"\w+(?:,?\s+\w+)+")
_NOT_DECOMPOSED = str.maketrans("łŁёЁ", "lLеЕ")


def generator(*salt: object) -> random.Random:
    """Return random numbers that depend on the seed and on ``salt`` only."""
    return random.Random(_digest(*salt))


def shuffled(items: Iterable[T], salt: str, key: Callable[[T], str]) -> list[T]:
    """Return ``items`` in an order that depends on each item's key, not on the others'."""
    return sorted(items, key=lambda item: (_digest(salt, key(item)), key(item)))


def split_of(name: str) -> str:
    """Return the half that a page (or an invented name) belongs to."""
    return "test" if int(hashlib.sha256(name.encode()).hexdigest()[0], 16) % 2 else "dev"


def without_diacritics(text: str) -> str:
    """Drop accents as people type them: Latin marks, the Polish ł, and ё to е (й stays)."""
    return "".join(_bare(char) for char in unicodedata.normalize("NFC", text))


def with_typos(text: str, rows: Sequence[str], rng: random.Random) -> str:
    """Make one edit in each of one or two long words: a neighbouring key or two keys swapped."""
    words = [match.span() for match in _LETTERS.finditer(text) if _is_long(match.group())]
    for start, end in sorted(rng.sample(words, min(len(words), rng.randint(1, 2))), reverse=True):
        text = text[:start] + _mistype(text[start:end], rows, rng) + text[end:]
    return text


def content_words(text: str, stopwords: frozenset[str]) -> str:
    """Keep the words that carry the question, in their order and without punctuation."""
    return " ".join(word for word in _WORD.findall(text) if word.lower() not in stopwords)


def with_noise(text: str, rng: random.Random) -> str:
    """Change case and punctuation only."""
    bare = text.rstrip("?. ")
    return rng.choice((bare.upper(), bare.lower() + "???", f"  {bare.lower()} …", bare.title()))


def reordered(text: str, rng: random.Random) -> str:
    """Move the first half of the words behind the second, as people type keywords."""
    words = text.rstrip("?. ").split()
    cut = rng.randint(1, max(1, len(words) - 1))
    return " ".join(words[cut:] + words[:cut])


def quotable(text: str, most: int = 6, least: int = 4) -> str | None:
    """Return the first words of the longest run free of markup, or None where it is short."""
    runs = [run.split() for run in _PLAIN_RUN.findall(text)]
    longest: list[str] = max(runs, key=len, default=[])
    return " ".join(longest[:most]).rstrip(",") if len(longest) >= least else None


def long_words(text: str) -> int:
    """How many words a typo can be put into."""
    return sum(_is_long(word) for word in _LETTERS.findall(text))


def difficulty(question: str, answer_text: str, kind: str, stopwords: frozenset[str]) -> str:
    """Tell by word starts shared with the answer: three or more are easy, none is hard."""
    shared = len(_starts(question, stopwords) & _starts(answer_text, stopwords))
    if kind == "cross-lingual" or shared == 0:
        return "hard"
    return "easy" if shared >= 3 else "medium"


def fill(frame: str, question: str, interrogatives: Iterable[str]) -> str | None:
    """Put a question into a frame; None where the frame wants a question word in front."""
    if "{lower}" in frame and question.split()[0].lower() not in set(interrogatives):
        return None
    return frame.format(question=question, lower=question[0].lower() + question[1:])


def _digest(*salt: object) -> str:
    return hashlib.sha256("\0".join(map(str, (SEED, *salt))).encode()).hexdigest()


def _bare(char: str) -> str:
    if char.translate(_NOT_DECOMPOSED) != char:
        return char.translate(_NOT_DECOMPOSED)
    if "CYRILLIC" in unicodedata.name(char, ""):
        return char
    return "".join(c for c in unicodedata.normalize("NFD", char) if not unicodedata.combining(c))


def _is_long(word: str) -> bool:
    return len(word) >= LONG_WORD


def _starts(text: str, stopwords: frozenset[str]) -> set[str]:
    words = _WORD.findall(without_diacritics(text).lower())
    bare_stopwords = {without_diacritics(word) for word in stopwords}
    return {word[:LONG_WORD] for word in words if word not in bare_stopwords}


def _mistype(word: str, rows: Sequence[str], rng: random.Random) -> str:
    """Edit one inner letter; swap it with the next where its key has no neighbour."""
    where = rng.randrange(1, len(word) - 1)
    neighbours = _neighbours(without_diacritics(word[where]).lower(), rows)
    if neighbours and rng.random() < 0.5:
        return word[:where] + rng.choice(neighbours) + word[where + 1 :]
    places = [i for i in range(1, len(word) - 1) if word[i] != word[i + 1]]
    if not places:
        return word[:where] + word[where + 1 :]
    at = rng.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _neighbours(key: str, rows: Sequence[str]) -> list[str]:
    for row in rows:
        at = row.find(key)
        if at >= 0:
            return [row[i] for i in (at - 1, at + 1) if 0 <= i < len(row)]
    return []
