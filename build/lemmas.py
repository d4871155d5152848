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
    from collections.abc import Iterable, Iterator

    from simplemma import Lemmatizer

    from index_artifacts.word_filter import Hashes

# A dictionary does not change: a process that builds again need not read it again.
_HASHES: dict[str, Hashes] = {}
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


def _compile_language(language: str, written: set[str], lemmas: Lemmas) -> None:
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultDictionaryFactory, DefaultStrategy
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    if language not in SUPPORTED_LANGUAGES:
        lemmas.of[language] = {}
        lemmas.forms.update((fold(word), language, fold(word)) for word in written)
        return
    factory = DefaultDictionaryFactory(cache_max_size=1)
    strategy = DefaultStrategy(dictionary_factory=factory)
    lemmatizer = Lemmatizer(lemmatization_strategy=strategy)
    known = {word: _lemma(lemmatizer, word, language) for word in sorted(written)}
    lemmas.of[language] = {word: folded for word, (folded, _) in known.items()}
    lemmas.forms.update((fold(word), language, folded) for word, (folded, _) in known.items())
    used = {lemma for _, lemma in known.values()}
    dictionary = factory.get_dictionary(language)
    lemmas.forms.update(_other_forms(dictionary.items(), used, language))
    if language not in _HASHES:
        _HASHES[language] = dictionary_hashes(dictionary)
    lemmas.dictionary.append(_HASHES[language])


def _lemma(lemmatizer: Lemmatizer, word: str, language: str) -> tuple[str, str]:
    """Return (folded lemma, lemma as the dictionary writes it)."""
    lemma = lemmatizer.lemmatize(word, language)
    folded = words(lemma)
    return ("".join(folded) if len(folded) == 1 else fold(word)), lemma


def _other_forms(
    entries: Iterable[tuple[str, str]], used: set[str], language: str
) -> Iterator[tuple[str, str, str]]:
    for form, lemma in entries:
        if lemma in used and len(form) <= _MAX_FORM:
            folded_form, folded_lemma = words(form), words(lemma)
            if len(folded_form) == 1 and len(folded_lemma) == 1:
                yield folded_form[0], language, folded_lemma[0]
