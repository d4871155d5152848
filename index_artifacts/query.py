"""Understanding a question: its words, its quoted phrases, its language, its slips."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from index_artifacts.text import is_plain, word_spans, words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from index_artifacts.index import Index

# Slovak and Czech write „…“ and »…«, Polish „…”, Russian «…», English “…”.
_PHRASE = re.compile(r'"([^"]+)"|„([^“”"]+)[“”"]|“([^“”]+)”|”([^“”]+)”|«([^«»]+)»|»([^«»]+)«')
_SHORTEST_CORRECTED = 4
# A slip in two places is believed of a long word only: "access" is not "accents".
_LONG = 8
_CANDIDATES = 40
# Of a question, this share of the words has to be known in a language to call it that.
_LANGUAGE_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question and the lemmas it may stand for.

    ``chunks`` counts the chunks its own form is in; ``languages`` know the word.
    """

    word: str
    lemmas: tuple[str, ...]
    chunks: int
    languages: frozenset[str]
    corrected_from: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """An analysed question. ``dense_text`` is what the encoder gets: slips mended."""

    text: str
    terms: tuple[Term, ...]
    phrases: tuple[tuple[str, ...], ...]
    dense_text: str
    language: str | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are looked up, after correction."""
        return tuple(term.word for term in self.terms)

    @property
    def quoted(self) -> frozenset[str]:
        """The words of the phrases, which stand for nothing but themselves."""
        return frozenset(word for phrase in self.phrases for word in phrase)

    @property
    def mostly_quoted(self) -> bool:
        """True where the quoted words are half of all words at least."""
        return 2 * len(self.quoted) >= len(self.terms)

    @property
    def corrections(self) -> dict[str, str]:
        """What was typed → what was looked up instead."""
        return {term.corrected_from: term.word for term in self.terms if term.corrected_from}


def analyse(index: Index, text: str, *, correct: bool = True) -> Query:
    """Analyse ``text`` against the vocabulary of ``index``. It never fails, whatever is typed."""
    phrases = tuple(
        tuple(found)
        for match in _PHRASE.finditer(text)
        if (found := words(next(group for group in match.groups() if group)))
    )
    quoted = {word for phrase in phrases for word in phrase}
    spans = word_spans(text)
    typed = list(dict.fromkeys(word for word, _, _ in spans))
    connection = index.connection
    known = _known(connection, typed)
    forms = _forms(connection, typed)
    replaced = {}
    if correct:
        for word in typed:
            if word not in known and word not in forms and word not in quoted:
                replaced[word] = _correct(index, word)
    corrected = [better for better in replaced.values() if better]
    known |= _known(connection, corrected)
    forms |= _forms(connection, corrected)
    terms = tuple(_term(word, replaced.get(word), known, forms) for word in typed)
    return Query(
        text=text,
        terms=terms,
        phrases=phrases,
        dense_text=_mend(text, spans, replaced, known),
        language=_language(terms),
    )


def _known(connection: sqlite3.Connection, typed: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Word → (how it is mostly written, in how many chunks it is)."""
    marks = ", ".join("?" * len(typed))
    rows = connection.execute(
        f"SELECT word, surface, chunks FROM vocabulary WHERE word IN ({marks})", typed
    )
    return {word: (surface, chunks) for word, surface, chunks in rows}


def _forms(
    connection: sqlite3.Connection, typed: Sequence[str]
) -> dict[str, list[tuple[str, str]]]:
    """Form → its (language, lemma) pairs."""
    marks = ", ".join("?" * len(typed))
    found: dict[str, list[tuple[str, str]]] = {}
    for form, language, lemma in connection.execute(
        f"SELECT form, language, lemma FROM lemma_forms WHERE form IN ({marks})", typed
    ):
        found.setdefault(form, []).append((language, lemma))
    return found


def _term(
    typed: str,
    better: str | None,
    known: dict[str, tuple[str, int]],
    forms: dict[str, list[tuple[str, str]]],
) -> Term:
    word = better or typed
    pairs = forms.get(word, [])
    return Term(
        word=word,
        lemmas=tuple(sorted({lemma for _, lemma in pairs} or {word})),
        chunks=known[word][1] if word in known else 0,
        languages=frozenset(language for language, _ in pairs),
        corrected_from=typed if better else "",
    )


def _correct(index: Index, word: str) -> str | None:
    """Return the nearest word of the wiki, or None where none is near enough."""
    if len(word) < _SHORTEST_CORRECTED or any(character.isdigit() for character in word):
        return None
    scores = index.vocabulary.scores(index.connection, [word])
    found = np.flatnonzero(scores)  # partitioning hundreds of thousands of zeros is slow
    most = min(_CANDIDATES, len(found))
    best = found[scores[found].argpartition(-most)[-most:]] if most else found
    ids = [int(row) + 1 for row in best]  # in no order, and that is as good
    marks = ", ".join("?" * len(ids))
    allowed = 1 if len(word) < _LONG else 2
    near = [
        (distance, -chunks, candidate)
        for candidate, chunks in index.connection.execute(
            f"SELECT word, chunks FROM vocabulary WHERE id IN ({marks})", ids
        )
        if (distance := OSA.distance(word, candidate, score_cutoff=allowed)) <= allowed
    ]
    return min(near)[2] if near else None


def _mend(
    text: str,
    spans: Sequence[tuple[str, int, int]],
    replaced: dict[str, str | None],
    known: dict[str, tuple[str, int]],
) -> str:
    """Put corrected words in, and diacritics back where the writer left them all out.

    The encoder minds case where a reader does not: shouting and rAnDoM case become lower case.
    """
    plain, shouted = is_plain(text), text.isupper()
    parts, position = [], 0
    for word, start, end in spans:
        written = text[start:end]
        better = replaced.get(word) or (word if plain else None)
        mended = written.lower() if shouted or _is_odd(written) else written
        if better in known and known[better][0] != written.lower():
            mended = known[better][0]
        if mended != written:
            parts += [text[position:start], mended]
            position = end
    return "".join([*parts, text[position:]])


def _is_odd(written: str) -> bool:
    """True for a word in a case that no rule of writing explains."""
    return not (written.islower() or written.isupper() or written[1:].islower()) and (
        written.lower() != written
    )


def _language(terms: Sequence[Term]) -> str | None:
    counts = Counter(language for term in terms for language in term.languages)
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < _LANGUAGE_SHARE * len(terms):
        return None
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0]
