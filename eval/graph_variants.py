"""Ways to write a question of a graph set: as it is, without diacritics, with slips in names."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from eval import keyboards
from eval.perturbations import mistype, perturb

if TYPE_CHECKING:
    from collections.abc import Iterable

PLAIN, NO_DIACRITICS, TYPO = "plain", "no-diacritics", "typo"
VARIANTS = (PLAIN, NO_DIACRITICS, TYPO)
SHORTEST = 5
"""Shorter words of names keep their letters: with one of four gone, a name is another name."""


def vary(
    variant: str, question: str, lang: str, mentions: Iterable[str] = (), *, key: str = ""
) -> str:
    """Return ``question`` as ``variant`` writes it; the same ``key`` gives the same slips.

    TYPO makes one slip in each word of the names ``mentions`` that is long enough; its first
    letter stays.
    """
    if variant == NO_DIACRITICS:
        return perturb("diacritics", question, lang, 2, question_id=key)
    if variant == TYPO:
        for number, mention in enumerate(dict.fromkeys(mentions)):
            typed = _mistyped(mention, lang, f"{key}:{number}")
            question = question.replace(mention, typed)
    return question


def _mistyped(name: str, lang: str, key: str) -> str:
    def slip(match: re.Match[str]) -> str:
        word = match.group()
        if len(word) < SHORTEST:
            return word
        random = Random(f"{key}:{match.start()}:{word}")
        return word[0] + mistype(word[1:], 1, _keys(word, lang), random)

    return re.sub(r"[^\W\d_]+", slip, name)


def _keys(word: str, lang: str) -> str:
    """The language whose keyboard types the word: a Latin name stands in a Russian question."""
    return "sk" if lang == "ru" and not keyboards.is_cyrillic(word) else lang
