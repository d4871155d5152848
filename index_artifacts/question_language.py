"""Telling which language a question is in: by function words, letters, and the wiki's words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from index_artifacts.lexicon import Entry

# Letters that only one of the languages with function words uses.
_LETTERS = {
    **dict.fromkeys("ľĺŕäô", "sk"), **dict.fromkeys("ěřů", "cs"), **dict.fromkeys("ąęłńśźżć", "pl"),
    **dict.fromkeys("ыэъё", "ru"),
}  # fmt: skip
# Of a question, this share of the words has to be known in a language to call it that.
_SHARE = 0.5


def question_language(text: str, entries: Sequence[Entry]) -> str | None:
    """The language of a question whose words have ``entries``, or None where it is not clear.

    Function words and letters tell it even where the wiki has no page in it; the wiki's own
    words decide between languages that share those, and for a question that has none of them.
    """
    votes = _votes(entry.function for entry in entries)
    for letter in set(unicodedata.normalize("NFC", text).lower()) & _LETTERS.keys():
        votes[_LETTERS[letter]] = votes.get(_LETTERS[letter], 0) + 1
    content = [entry for entry in entries if not entry.function]
    known: Counter[str] = Counter()
    for entry in content:
        known.update({language for language, _ in entry.lemmas})
    leaders = _leaders(votes)
    if leaders:
        return _only(leaders) or _only(_leaders({lang: known[lang] for lang in leaders}))
    if max(known.values(), default=0) < _SHARE * len(content):
        return None
    return _only(_leaders(known))


def _votes(functions: Iterable[dict[str, str]]) -> dict[str, float]:
    """Each function word has one vote, which the languages that have it share."""
    votes: dict[str, float] = {}
    for function in functions:
        for language in function:
            votes[language] = votes.get(language, 0) + 1 / len(function)
    return votes


def _leaders(votes: Mapping[str, float]) -> list[str]:
    top = max(votes.values(), default=0)
    return [language for language, count in votes.items() if top and count > top - 1e-9]


def _only(leaders: Sequence[str]) -> str | None:
    return leaders[0] if len(leaders) == 1 else None
