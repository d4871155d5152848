"""Lemmas, looked up once at build so that a query needs no dictionary.

simplemma supplies them; what a query needs of it is compiled into a ``form → lemma`` table,
which also holds the dictionary's other forms of every lemma that the wiki uses.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from build.dictionary import dictionary_hashes
from index_artifacts.text import fold, word_spans, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from simplemma import Lemmatizer

    from index_artifacts.word_filter import Hashes

# Other forms of a lemma that no query will hold: compounds the dictionary writes with spaces.
_MAX_FORM = 40


@dataclass(slots=True)
class Lemmas:
    """``of[language][word as written, lower case]`` is its folded lemma."""

    of: dict[str, dict[str, str]] = field(default_factory=dict)
    forms: set[tuple[str, str, str]] = field(default_factory=set)
    """(folded form, language, folded lemma): every form a query may use."""
    dictionary: list[Hashes] = field(default_factory=list)
    """Hashes of the words of each language's dictionary: a query's real words are no slips."""

    def text(self, text: str, language: str) -> list[str]:
        """The lemmas of the words of ``text``, in order."""
        known = self.of.get(language, {})
        spans = word_spans(text)
        return [known.get(text[start:end].lower(), word) for word, start, end in spans]


def surfaces(texts: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Collect the words of (language, text) pairs as written, in lower case, by language."""
    found: dict[str, set[str]] = defaultdict(set)
    for language, text in texts:
        found[language].update(text[start:end].lower() for _, start, end in word_spans(text))
    return found


def compile_lemmas(by_language: dict[str, set[str]]) -> Lemmas:
    """Look up every word's lemma. A language without a dictionary keeps its words as they are.

    One dictionary is held in memory at a time: Polish alone takes 600 MB.
    """
    lemmas = Lemmas()
    for language in sorted(by_language):
        _compile_language(language, by_language[language], lemmas)
    return lemmas


@dataclass(slots=True)
class _Dictionary:
    """What builds of this process have looked up in a language's dictionary."""

    lemmas: dict[str, tuple[str, str]] = field(default_factory=dict)
    """word → (folded lemma, lemma as the dictionary writes it)"""
    forms: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """lemma → (folded form, folded lemma) of every other form"""
    hashes: Hashes | None = None


# A dictionary does not change, and reading one takes seconds: a process that builds again, as
# `edgewiki watch` does, reads it for words alone that it has not met yet.
_DICTIONARIES: dict[str, _Dictionary] = defaultdict(_Dictionary)


def _compile_language(language: str, written: set[str], lemmas: Lemmas) -> None:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    if language not in SUPPORTED_LANGUAGES:
        lemmas.of[language] = {}
        lemmas.forms.update((fold(word), language, fold(word)) for word in written)
        return
    dictionary = _DICTIONARIES[language]
    unknown = written - dictionary.lemmas.keys()
    if unknown or dictionary.hashes is None:
        _look_up(unknown, language, dictionary)
    known = {word: dictionary.lemmas[word] for word in sorted(written)}
    lemmas.of[language] = {word: folded for word, (folded, _) in known.items()}
    lemmas.forms.update((fold(word), language, folded) for word, (folded, _) in known.items())
    for lemma in {lemma for _, lemma in known.values()}:
        lemmas.forms.update((form, language, of) for form, of in dictionary.forms[lemma])
    assert dictionary.hashes is not None
    lemmas.dictionary.append(dictionary.hashes)


def _look_up(unknown: set[str], language: str, dictionary: _Dictionary) -> None:
    """Read the dictionary itself for what is not known of it yet."""
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultDictionaryFactory, DefaultStrategy

    factory = DefaultDictionaryFactory(cache_max_size=1)
    strategy = DefaultStrategy(dictionary_factory=factory)
    lemmatizer = Lemmatizer(lemmatization_strategy=strategy)
    found = {word: _lemma(lemmatizer, word, language) for word in sorted(unknown)}
    dictionary.lemmas.update(found)
    entries = factory.get_dictionary(language)
    new = {lemma for _, lemma in found.values()} - dictionary.forms.keys()
    dictionary.forms |= {lemma: [] for lemma in new}
    for form, lemma in entries.items():
        if lemma in new and len(form) <= _MAX_FORM:
            folded_form, folded_lemma = words(form), words(lemma)
            if len(folded_form) == 1 and len(folded_lemma) == 1:
                dictionary.forms[lemma].append((folded_form[0], folded_lemma[0]))
    if dictionary.hashes is None:
        dictionary.hashes = dictionary_hashes(entries)


def _lemma(lemmatizer: Lemmatizer, word: str, language: str) -> tuple[str, str]:
    """Return (folded lemma, lemma as the dictionary writes it)."""
    lemma = lemmatizer.lemmatize(word, language)
    folded = words(lemma)
    return ("".join(folded) if len(folded) == 1 else fold(word)), lemma
