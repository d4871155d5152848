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


@cache
def function_words_of(language: str) -> frozenset[str]:
    """The folded function words of a language; none where they are not listed."""
    return frozenset(word for word, of in function_words() if of == language)
