"""Negation: a claim denies what its evidence denies, and nothing else."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.answers.markdown import visible_text
from index_artifacts.answers.quotations import read_unit
from index_artifacts.text import fold, words

_SHORTEST = 3
"""Letters that a negated word has after its prefix at least."""

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds
    from index_artifacts.answers.lemmas import Lemmatiser

# A negation reaches to the end of its clause at most.
_CLAUSE = re.compile(r"[.,;:!?()|\n]")
# "not only" adds; it denies nothing.
_ADDS = re.compile(
    r"\b(?:nie|ne|not|не) (?:len|iba|lem|jen|pouze|tylko|only|just|merely|только)\b"
    r"|\bnielen\b|\bnejen\b"
)
_APOSTROPHES = re.compile(r"n['’]t\b", re.IGNORECASE)


def check_negation(claim: Claim, grounds: Grounds) -> str:
    """Say where the claim denies what its evidence states, or the other way round."""
    lemmas = grounds.lemmas
    units = [unit for window in grounds.windows(claim) for unit in window.units]
    around = "\n".join(f"{visible_text(unit.intro)}\n{read_unit(unit)}" for unit in units)
    if denies(claim.text, lemmas) and not denies(around, lemmas):
        return "it denies what its evidence does not deny"
    if turned := _turned(_polarity(claim.text, lemmas), _polarity(around, lemmas), lemmas):
        return f"{turned!r} stands in its evidence with the opposite meaning"
    if not denies(claim.text, lemmas) and any(
        denies(" ".join(clause), lemmas) and _repeats(words(claim.text), clause)
        for clause in _clauses(visible_text(claim.quote))
    ):
        return "it leaves out that its evidence denies it"
    return ""


def denies(text: str, lemmas: Lemmatiser) -> bool:
    """True where a word of negation, or one negated by its prefix, is in ``text``."""
    return any(
        word in _negations() or _unnegated(word, lemmas)
        for clause in _clauses(text)
        for word in clause
    )


def _polarity(text: str, lemmas: Lemmatiser) -> dict[str, set[bool]]:
    """Each content word of ``text``, without a negating prefix → whether it is stated, or denied.

    A word of negation denies the content word after it in its clause.
    """
    found: dict[str, set[bool]] = {}
    for clause in _clauses(text):
        denied = False
        for word in clause:
            if word in _negations():
                denied = True
            elif bare := _unnegated(word, lemmas):
                found.setdefault(bare, set()).add(False)
            elif not lemmas.is_function(word):
                found.setdefault(word, set()).add(not denied)
                denied = False
    return found


def _turned(stated: dict[str, set[bool]], around: dict[str, set[bool]], lemmas: Lemmatiser) -> str:
    """A word that the claim states and the evidence only denies, or the other way round."""
    for word, signs in stated.items():
        there = [s for other, known in around.items() if lemmas.same(word, other) for s in known]
        if there and not signs & set(there):
            return word
    return ""


def _clauses(text: str) -> Iterator[list[str]]:
    plain = _ADDS.sub(" ", fold(_APOSTROPHES.sub(" not ", text)))
    for clause in _CLAUSE.split(plain):
        yield words(clause)


def _repeats(stated: Sequence[str], quoted: Sequence[str]) -> bool:
    """True where the claim says again half of a clause of its quote, apart from the negation."""
    rest = [word for word in quoted if word not in _negations()]
    return bool(rest) and sum(word in stated for word in rest) * 2 >= len(rest)


def _unnegated(word: str, lemmas: Lemmatiser) -> str:
    """A Slovak or Czech word without its negating prefix, or empty: nezískal → ziskal.

    What is left has to be a word: nedeľa and neuron deny nothing.
    """
    bare = word[2:]
    if not word.startswith("ne") or len(bare) < _SHORTEST or word in _words("none"):
        return ""
    return bare if lemmas.is_known(bare) and not lemmas.is_function(bare) else ""


@cache
def _negations() -> frozenset[str]:
    return frozenset(w for lang in ("sk", "cs", "pl", "ru", "en") for w in _words(lang))


@cache
def _words(key: str) -> frozenset[str]:
    table = tomllib.loads(Path(__file__).with_name("negation.toml").read_text(encoding="utf-8"))
    return frozenset(table[key]["words"].split())
