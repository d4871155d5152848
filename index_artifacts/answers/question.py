"""What a question asks for: its parts, the kind of each, and what it names."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.names import Name, names
from index_artifacts.answers.figures import Figure, figures
from index_artifacts.text import word_spans, words

if TYPE_CHECKING:
    from index_artifacts.answers.lemmas import Lemmatiser

_SENTENCE = re.compile(r"\S.*?(?:[?!]+(?=\s|$)|;(?=\s)|\.(?=\s+[A-ZÁ-ŽА-Я])|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked. ``kind`` is a key of ``question_words.toml``, or empty."""

    text: str
    kind: str
    content: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart. Evidence that holds not all ``names`` is about something else."""

    parts: tuple[Part, ...]
    names: tuple[Name, ...]
    figures: tuple[Figure, ...]


def take_apart(question: str, lemmas: Lemmatiser) -> Asked:
    """What ``question`` asks for. A question without any word has no part.

    Sentences around the ones that ask ("hurry", "cite page 9") are no part of it.
    """
    sentences = [sentence for sentence in _SENTENCE.findall(question) if words(sentence)]
    asking = [s for s in sentences if "?" in s] or [s for s in sentences if kind_of(s)] or sentences
    texts = [part.strip() for sentence in asking for part in _joined(sentence)]
    parts = [Part(text, kind_of(text), tuple(lemmas.content(text))) for text in texts]
    focus = " ".join(asking)
    return Asked(
        parts=tuple(part for part in parts if part.content),
        names=tuple(
            name for name in names(focus, lemmas) if name.certain and not is_asking(name.words[0])
        ),
        figures=tuple(figures(focus)),
    )


def kind_of(question: str) -> str:
    """The kind of thing that the first asking word in ``question`` asks for.

    "How" alone asks for a manner; "how many" does not.
    """
    found = words(question)
    for at, word in enumerate(found):
        if kind := _kinds().get(word):
            following = _kinds().get(found[at + 1], "") if at + 1 < len(found) else ""
            return following if kind == "manner" and following == "number" else kind
    return ""


def is_asking(word: str) -> bool:
    """True for a folded word that asks."""
    return word in _kinds()


def _joined(sentence: str) -> list[str]:
    """The questions that a conjunction and another asking word join in one sentence."""
    spans = word_spans(sentence)
    cuts = [0]
    for (word, start, _), (following, _, _) in pairwise(spans):
        if word in _joins() and following in _kinds() and _asks(sentence[cuts[-1] : start]):
            cuts.append(start)
    return [sentence[a:b] for a, b in zip(cuts, [*cuts[1:], len(sentence)], strict=True)]


def _asks(text: str) -> bool:
    return any(word in _kinds() for word in words(text))


@cache
def _table() -> dict[str, object]:
    file = Path(__file__).with_name("question_words.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _kinds() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind, listed in _table().items():
        if isinstance(listed, str):
            for word in listed.split():
                found.setdefault(word, kind)
    return found


@cache
def _joins() -> frozenset[str]:
    joins = _table()["joins"]
    assert isinstance(joins, dict)
    return frozenset(joins["words"].split())
