"""A question as tokens: each word with what it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.graph.vocabulary import NEGATED, group, phrases, tags_of
from index_artifacts.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST_YEAR, _LAST_YEAR = 1800, 2199


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word at ``start``..``end`` of the question, and its tags; see ``words.toml``."""

    word: str
    start: int
    end: int
    written: str
    tags: frozenset[str]

    @property
    def year(self) -> int:
        """The year it is, or 0."""
        if not (self.word.isdigit() and len(self.word) == 4):
            return 0
        return int(self.word) if _FIRST_YEAR <= int(self.word) <= _LAST_YEAR else 0

    @property
    def capital(self) -> bool:
        """True where it is written as names are."""
        return self.written[:1].isupper()

    @property
    def negated(self) -> bool:
        """True where it denies what it says."""
        return NEGATED in self.tags

    def has(self, *tags: str) -> bool:
        """True where it has any of ``tags``."""
        return not self.tags.isdisjoint(tags)


def tokenise(question: str) -> tuple[Token, ...]:
    """The words of ``question`` in order; the words of a phrase are one token."""
    return tuple(_tokens(question))


def _tokens(question: str) -> Iterator[Token]:
    spans = word_spans(question)
    at = 0
    while at < len(spans):
        length = _phrase_length([word for word, _, _ in spans[at : at + 3]])
        word = "_".join(word for word, _, _ in spans[at : at + length])
        start, end = spans[at][1], spans[at + length - 1][2]
        tags = tags_of(word)
        if not at and word == "ci" and len(spans) > 1 and _is_of_work(spans[1][0]):
            tags = frozenset(["by_whom"])  # "Čí práce vedl X": elsewhere it is "or"
        if not at and word in {"name", "count"}:
            tags |= {"imperative"}  # "Name the person who …"
        if not at and word == "name":
            tags -= {"title"}
        if word == "no" and "," in question[max(0, start - 2) : start]:
            tags = frozenset(["fillers"])  # ", no" is "but" in Slovak
        yield Token(word, start, end, question[start:end], tags)
        at += length


def _is_of_work(word: str) -> bool:
    return not tags_of(word).isdisjoint({"work", *group("kinds")})


def _phrase_length(words: list[str]) -> int:
    """How many of the first ``words`` make up one token."""
    for length in range(len(words), 1, -1):
        if tuple(words[:length]) in phrases():
            return length
    return 1
