"""Telling which language a page is written in."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from py3langid.langid import LanguageIdentifier

_MIN_LETTERS = 20
_MIN_CONFIDENCE = 0.8
_MAX_CHARACTERS = 5_000


@cache
def _identifier(languages: tuple[str, ...]) -> LanguageIdentifier | None:
    """None where it can tell none of ``languages``; one it cannot tell is never detected."""
    from py3langid import langid  # its model takes a second to load

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    told = sorted(set(languages) & set(identifier.nb_classes))
    if not told:
        return None
    identifier.set_languages(told)
    return identifier


def detect(prose: str, languages: tuple[str, ...]) -> str | None:
    """Return the language of ``prose`` out of ``languages``, or None where it is not clear."""
    text = prose[:_MAX_CHARACTERS]
    if sum(character.isalpha() for character in text) < _MIN_LETTERS:
        return None
    if (identifier := _identifier(languages)) is None:
        return None
    language, confidence = identifier.classify(text)
    return str(language) if confidence >= _MIN_CONFIDENCE else None


def commonest(languages: Iterable[str | None], fallback: str) -> str:
    """The most frequent known language; the alphabetically first of equals."""
    counts = Counter(language for language in languages if language)
    return min(counts, key=lambda code: (-counts[code], code)) if counts else fallback
