"""Words by their lemmas: what a claim, a question and its evidence are compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.index import Index


class Words(Protocol):
    """What checks of names and figures need to know of folded words."""

    def is_function(self, word: str) -> bool:
        """True for a word that carries a sentence rather than its content."""

    def is_word(self, word: str) -> bool:
        """True for a word of the wiki or of a dictionary."""

    def same(self, word: str, other: str) -> bool:
        """True where two words are forms of one by the dictionary."""


class Lemmatiser:
    """Looks up lemmas for one question, each word once."""

    def __init__(self, index: Index) -> None:
        self._look_up = index.lexicon.remembering()
        self._is_real = index.lexicon.is_real
        self._texts: dict[str, frozenset[str]] = {}

    def of(self, word: str) -> frozenset[str]:
        """The folded word's lemmas and the word itself."""
        return self._forms([word])[word]

    def in_text(self, text: str) -> frozenset[str]:
        """Every word of ``text`` and its lemmas, folded."""
        if text not in self._texts:  # sections and pages are asked for once a unit
            forms = self._forms(words(text)).values()
            self._texts[text] = frozenset[str]().union(*forms)
        return self._texts[text]

    def is_function(self, word: str) -> bool:
        """True for a folded word that carries a sentence rather than its content."""
        return bool(self._look_up([word])[word].function)

    def is_known(self, word: str) -> bool:
        """True for a folded word of the wiki, or a form of one of its words."""
        return self._look_up([word])[word].known

    def is_word(self, word: str) -> bool:
        """True for a folded word of the wiki or of a dictionary."""
        return self.is_known(word) or self._is_real(word)

    def content(self, text: str) -> list[str]:
        """The folded words of ``text`` that are no function words, in order."""
        found = words(text)
        entries = self._look_up(found)
        return [word for word in found if not entries[word].function]

    def same(self, word: str, other: str) -> bool:
        """True where two folded words are forms of one by the dictionary."""
        return bool(self.of(word) & self.of(other))

    def _forms(self, found: Iterable[str]) -> dict[str, frozenset[str]]:
        entries = self._look_up(found)
        return {
            word: frozenset({word, *(fold(lemma) for _, lemma in entry.lemmas)})
            for word, entry in entries.items()
        }


def shared_beginning(word: str, other: str) -> int:
    """How many letters two words have in common from their first on."""
    pairs = zip(word, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(word), len(other)))
