"""A question taken apart: its tokens, what it names, and which of its words are left over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from index_artifacts.graph.mention import TITLES, Mention
from index_artifacts.graph.mentions import find_mentions
from index_artifacts.graph.times import Years, years_in
from index_artifacts.graph.tokens import Token, tokenise
from index_artifacts.graph.vocabulary import group, small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.lemmas import Lemmatiser
    from index_artifacts.graph.tables import GraphTables

_OF = small("of")
_POINTING = small("pointing")
ASKING = ("who", "whom", "by_whom", "which", "when", "count", "how", "why", "where")
NOUNS = (
    "supervisor", "student", "teacher", "author", "work", "page", "title", "topic", "year", "kind",
    "keyword", "category", "state", "link", "fact_person",
)  # fmt: skip
KINDS = group("kinds")
FINISHED = ("defend", "finish", "write")
VERBS = ("supervise", "supervision", "write", "defend", "finish", "begin", "study", "have", "deal")
# A preposition may stand between a comma and its relative pronoun: ", o ktorých".
_LONGEST_PREPOSITION = 3
# "Is it true that": nothing is asked by it.
_THAT = frozenset(["что"])


@dataclass(frozen=True)
class Reading:
    """A question's tokens and mentions. Positions are those of tokens.

    ``free`` are the tokens outside of mentions and years.
    """

    question: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    years: tuple[Years, ...]
    free: tuple[int, ...]
    unexplained: tuple[int, ...]

    def where(self, *tags: str, after: int = -1) -> list[int]:
        """Positions behind ``after`` of the free tokens that have any of ``tags``."""
        return [at for at in self.free if at > after and self.tokens[at].has(*tags)]

    def has(self, *tags: str) -> bool:
        """True where a free token has any of ``tags``."""
        return bool(self.where(*tags))

    def first(self, *tags: str, after: int = -1) -> int:
        """The first position of `where`, or -1."""
        return next(iter(self.where(*tags, after=after)), -1)

    def before(self, position: int, *tags: str, reach: int = 3) -> bool:
        """True where one of the ``reach`` tokens before ``position`` has any of ``tags``."""
        for at in range(position - 1, max(-1, position - 1 - reach), -1):
            if self._in_mention(at):
                return False  # what stands before another name is about that one
            if at in self._free and self.tokens[at].has(*tags):
                return True
        return False

    def negated(self, *tags: str) -> bool:
        """True where a word with any of ``tags`` is denied: "neviedol", "was not supervised"."""
        return any(
            self.tokens[at].negated or self.before(at, "not", reach=2) for at in self.where(*tags)
        )

    def clause(self, position: int) -> int:
        """The number of the clause that a token is in; commas and dashes divide them."""
        return sum(self.question[: self.tokens[position].start].count(mark) for mark in ",;–:")

    @cached_property
    def asking(self) -> int:
        """The position of the word that asks, or -1; pronouns that refer back do not ask."""
        asking = [at for at in self.where(*ASKING) if self._asks(at)]
        main = [at for at in asking if not self._is_relative(at)]
        if self.has("most", "least"):  # "najväčší počet prác viedol kto?"
            main = [at for at in main if not self.tokens[at].has("count")] or main
        if main or not asking or "?" not in self.question:
            return main[0] if main else -1
        if self.tokens[0].word in _OF:
            return asking[-1]  # "Of those who began in 2019, whom …?"
        heading = self.tokens[0].has(*NOUNS) and 0 in self._free
        return (
            -1 if heading or self._opens_with_a_verb() else asking[0]
        )  # "Besides T, which thesis …?"

    @cached_property
    def relative(self) -> int:
        """The position of the first pronoun that refers back, or -1."""
        return next((at for at in self.where(*ASKING) if self._is_relative(at)), -1)

    def _opens_with_a_verb(self) -> bool:
        first = self.tokens[0] if self.tokens else None
        return first is not None and 0 in self._free and first.has(*VERBS, "whether", "fillers")

    @cached_property
    def _free(self) -> frozenset[int]:
        return frozenset(self.free)

    def _asks(self, at: int) -> bool:
        """False for an "ako" that compares: "rovnakého vedúceho ako X"."""
        token = self.tokens[at]
        if not token.has("how") or token.has("count"):
            return True
        if any(token.has("count", "title") for token in self.tokens[at + 1 : at + 3]):
            return True
        if self.has("same"):
            return False
        previous = self.tokens[at - 1]
        comma = "," in self.question[previous.end : token.start]
        return at == 0 or comma or previous.has("fillers")

    def _is_relative(self, at: int) -> bool:
        if not at or not self.tokens[at].has("who", "whom", "by_whom", "which", "where"):
            return False
        token, previous = self.tokens[at], self.tokens[at - 1]
        gap = self.question[previous.end : token.start]
        if "," in gap:
            return token.word in _THAT or self._says_before(at)
        short = len(previous.word) <= _LONGEST_PREPOSITION and at > 1
        if short and "," in self.question[self.tokens[at - 2].end : previous.start]:
            return self._says_before(at)
        if token.word == "whose" and at > 1:
            return self._says_before(at)
        return token.word in {"who", "which", "whom"} and (
            previous.has(*NOUNS, "else", "all")
            or previous.word in _POINTING
            or self._in_mention(at - 1)
        )

    def _says_before(self, at: int) -> bool:
        """True where something to refer to stands before ``at``: "Prosím, kto …" asks."""
        return any(
            self.tokens[n].has(*NOUNS, *KINDS, *ASKING, "all")
            or self.tokens[n].word in _POINTING
            or self._in_mention(n)
            for n in range(at)
        )

    def _in_mention(self, at: int) -> bool:
        return any(mention.covers(at) for mention in self.mentions)


def read_question(tables: GraphTables, question: str, lemmas: Lemmatiser) -> Reading:
    """Take ``question`` apart."""
    tokens = tokenise(question)
    mentions = tuple(find_mentions(tables, question, tokens, lemmas))
    years, dated = years_in(tokens)
    named = {at for mention in mentions for at in range(mention.first, mention.last + 1)}
    free = tuple(at for at in range(len(tokens)) if at not in named and at not in dated)
    return Reading(
        question=question,
        tokens=tokens,
        mentions=mentions,
        years=years,
        free=free,
        unexplained=tuple(_unexplained(tokens, free, lemmas)),
    )


def _unexplained(tokens: Sequence[Token], free: Sequence[int], lemmas: Lemmatiser) -> list[int]:
    """Tokens that no rule knows a meaning of: to ignore one could answer another question."""
    return [
        at
        for at in free
        if not tokens[at].tags
        and tokens[at].word not in TITLES
        and not lemmas.is_function(tokens[at].word)
    ]
