"""What a version knows of words: its vocabulary, their lemmas, and the function words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from index_artifacts.word_filter import holds

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

# SQLite takes 32,766 values at a time; a question of more different words is no question.
_MOST = 30_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a folded word; nothing at all where ``known`` is false.

    ``surface`` is how the wiki mostly writes it, ``chunks`` counts those that hold it (0 where
    none does), ``lemmas`` are (language, lemma) pairs, ``function`` maps each language in which
    it is a function word to how it is written there.
    """

    surface: str
    chunks: int
    lemmas: tuple[tuple[str, str], ...]
    function: dict[str, str]

    @property
    def known(self) -> bool:
        """True for a word of the wiki, a form of one of its lemmas, or a function word."""
        return bool(self.chunks or self.lemmas or self.function)


UNKNOWN = Entry("", 0, (), {})


class Lexicon:
    """Looks words up; ``connect`` returns the calling thread's connection."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect

    @cached_property
    def function_words(self) -> dict[str, dict[str, str]]:
        """Folded word → language → how it is written there."""
        found: dict[str, dict[str, str]] = {}
        rows = self._connect().execute("SELECT word, language, surface FROM function_words")
        for word, language, surface in rows:
            found.setdefault(word, {})[language] = surface
        return found

    def is_real(self, word: str) -> bool:
        """True where a dictionary has the folded word, though the wiki may not."""
        return holds(self._dictionary, word)

    def remembering(self) -> Callable[[Iterable[str]], dict[str, Entry]]:
        """`look_up` for one question, whose words are asked for more than once."""
        known: dict[str, Entry] = {}

        def look_up(folded: Iterable[str]) -> dict[str, Entry]:
            wanted = list(dict.fromkeys(folded))
            if missing := [word for word in wanted if word not in known]:
                known.update(self.look_up(missing))
            return {word: known[word] for word in wanted if word in known}

        return look_up

    @cached_property
    def _dictionary(self) -> bytes:
        bits: bytes = self._connect().execute("SELECT bits FROM word_filters").fetchone()[0]
        return bits

    def look_up(self, folded: Iterable[str]) -> dict[str, Entry]:
        """The entry of each of the words ``folded``."""
        wanted = list(dict.fromkeys(folded))[:_MOST]
        marks = ", ".join("?" * len(wanted))
        connection = self._connect()
        vocabulary = {
            word: (surface, chunks)
            for word, surface, chunks in connection.execute(
                f"SELECT word, surface, chunks FROM vocabulary WHERE word IN ({marks})", wanted
            )
        }
        lemmas: dict[str, list[tuple[str, str]]] = {}
        for form, language, lemma in connection.execute(
            f"SELECT form, language, lemma FROM lemma_forms WHERE form IN ({marks})", wanted
        ):
            lemmas.setdefault(form, []).append((language, lemma))
        return {
            word: Entry(
                *vocabulary.get(word, ("", 0)),
                tuple(lemmas.get(word, ())),
                self.function_words.get(word, {}),
            )
            for word in wanted
        }
