"""Words that carry a sentence rather than its subject; data in ``function_words.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from index_artifacts.text import fold

_FILE = Path(__file__).with_name("function_words.toml")


@cache
def function_words() -> dict[tuple[str, str], str]:
    """(folded word, language) → the word as it is written, of all languages.

    A question, or a sentence of a page, may be in one that no page is written in.
    """
    return {
        (fold(surface), language): surface
        for language, listed in tomllib.loads(_FILE.read_text("utf-8")).items()
        for surface in reversed(listed.split())  # of two that fold alike, the first is meant
    }


_LONGEST_UNLISTED = 3


def is_content(lemma: str, language: str) -> bool:
    """True for a folded lemma that says what a text is about: no number, and no function word.

    Where a language's function words are not listed, the short words are taken for them.
    """
    if len(lemma) < 2 or lemma[0].isdigit():
        return False
    function = function_words_of(language)
    return lemma not in function if function else len(lemma) > _LONGEST_UNLISTED


@cache
def function_words_of(language: str) -> frozenset[str]:
    """The folded function words of a language; none where they are not listed."""
    return frozenset(word for word, of in function_words() if of == language)
