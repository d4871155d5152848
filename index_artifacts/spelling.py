"""Correcting a mistyped word: to a word of the wiki, or to a form of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from index_artifacts.lexical import is_on_published_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.index import Index

SHORTEST, LONGEST = 4, 40
"""Words of these lengths are corrected; a shorter one is too near to too many."""

# A slip in two places is believed of a long word only: "access" is not "accents".
_LONG = 8
_CANDIDATES = 40
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"


def correct(index: Index, word: str, *, published_only: bool = False) -> str | None:
    """The word that ``word`` (folded, unknown) was meant to be, or None where none is near.

    One slip away are the words of the wiki and the forms of its lemmas, looked up by key. Two
    slips away, in a long word, are words of the wiki that share its trigrams. With
    ``published_only`` it is no word that stands on unpublished pages alone: what is corrected is
    shown, and would give it away.
    """
    if not SHORTEST <= len(word) <= LONGEST or any(letter.isdigit() for letter in word):
        return None
    hidden = published_only and not index.published[index.visible].all()
    for find in (_one_slip_away, _alike) if len(word) >= _LONG else (_one_slip_away,):
        for *_, candidate in sorted(find(index, word)):
            if not hidden or is_on_published_page(index, candidate):
                return candidate
    return None


def _one_slip_away(index: Index, word: str) -> list[tuple[int, int, str]]:
    """(0 for a slip of the fingers else 1, -chunks, candidate); a form of no page has 0 chunks."""
    variants = sorted(set(slips(word)) - {word})
    marks = ", ".join("?" * len(variants))
    found = dict.fromkeys(
        (
            form
            for (form,) in index.connection.execute(
                f"SELECT DISTINCT form FROM lemma_forms WHERE form IN ({marks})", variants
            )
        ),
        0,
    )
    found |= dict(
        index.connection.execute(
            f"SELECT word, chunks FROM vocabulary WHERE word IN ({marks})", variants
        ).fetchall()
    )
    return [(_rarity(word, candidate), -chunks, candidate) for candidate, chunks in found.items()]


def slips(word: str) -> Iterator[str]:
    """What ``word`` (folded) may be for, had one letter slipped; ``word`` itself among them."""
    letters = _CYRILLIC if any("а" <= letter <= "ґ" for letter in word) else _LATIN
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in letters:
            yield head + letter + tail
            yield head + letter + tail[1:]


def _rarity(typed: str, meant: str) -> int:
    """0 where letters changed places, one was left out or came twice; 1 for other slips.

    A letter that was typed beside another, or instead of it, leaves the words that differ in
    one letter, such as two forms of a lemma: of those the likelier slip decides.
    """
    if len(meant) > len(typed):
        return 0
    if len(meant) == len(typed):
        return int(sum(a != b for a, b in zip(typed, meant, strict=True)) == 1)
    twice = (at for at in range(1, len(typed)) if typed[at] == typed[at - 1])
    return int(all(typed[:at] + typed[at + 1 :] != meant for at in twice))


def _alike(index: Index, word: str) -> list[tuple[int, int, str]]:
    scores, _ = index.vocabulary.scores(index.connection, [word])
    if index.visible_words is not None:
        scores = np.where(index.visible_words, scores, np.float32(0))
    found = np.flatnonzero(scores)  # partitioning hundreds of thousands of zeros is slow
    most = min(_CANDIDATES, len(found))
    best = found[scores[found].argpartition(-most)[-most:]] if most else found
    ids = [int(row) + 1 for row in best]  # in no order, and that is as good
    marks = ", ".join("?" * len(ids))
    return [
        (distance, -chunks, candidate)
        for candidate, chunks in index.connection.execute(
            f"SELECT word, chunks FROM vocabulary WHERE id IN ({marks})", ids
        )
        if (distance := OSA.distance(word, candidate, score_cutoff=2)) <= 2
    ]
