"""Other forms of words: simplemma's dictionary read backwards, from lemma to forms.

The dictionary puts homographs under one lemma and knows no grammar, so a form may be one that
no speaker would put there. For a robustness test that is a fair, if hard, question.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Forms = dict[str, tuple[str, ...]]
"""Word in lower case → its other forms, sorted."""


def other_forms(lang: str, words: Iterable[str]) -> Forms:
    """The other forms of those of ``words`` that the dictionary of ``lang`` knows.

    Empty for a language without a dictionary. The dictionary is read once and let go: it is
    a second or two, and up to 600 MB.
    """
    from simplemma.strategies import DefaultDictionaryFactory
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    if lang not in SUPPORTED_LANGUAGES:
        return {}
    dictionary = DefaultDictionaryFactory(cache_max_size=1).get_dictionary(lang)
    return invert(dictionary, words)


def invert(dictionary: Mapping[str, str], words: Iterable[str]) -> Forms:
    """Look ``words`` up in form → lemma, and their lemmas backwards."""
    lemma_of = {
        word: lemma
        for word in {word.lower() for word in words}
        if (lemma := dictionary.get(word) or dictionary.get(word.capitalize()))
    }
    wanted = set(lemma_of.values())
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for form, lemma in dictionary.items():
        if lemma in wanted and form.isalpha():
            forms[lemma].add(form.lower())
    return {
        word: tuple(sorted(others))
        for word, lemma in lemma_of.items()
        if (others := forms[lemma] - {word})
    }
