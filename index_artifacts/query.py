"""Understanding a question: its words, its quoted phrases, its language, its slips."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from index_artifacts.keyboards import repair
from index_artifacts.lexicon import UNKNOWN
from index_artifacts.question_language import question_language
from index_artifacts.spelling import correct as spell
from index_artifacts.text import is_plain, word_spans, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.index import Index
    from index_artifacts.lexicon import Entry

# Slovak and Czech write „…“ and »…«, Polish „…”, Russian «…», English “…”.
_PHRASE = re.compile(r'"([^"]+)"|„([^“”"]+)[“”"]|“([^“”]+)”|”([^“”]+)”|«([^«»]+)»|»([^«»]+)«')
# A text with more unknown words than this is in no language that the wiki knows.
_MOST_CORRECTED = 32


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question and the lemmas it may stand for.

    ``chunks`` counts the chunks its own form is in; the dictionaries of ``languages`` know it;
    ``is_function`` says that it carries the question rather than its subject.
    """

    word: str
    lemmas: tuple[str, ...]
    chunks: int
    languages: frozenset[str]
    is_function: bool = False
    corrected_from: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """An analysed question. ``dense_text`` is what the encoder gets: slips mended.

    ``repaired`` maps tokens typed under another keyboard layout, or with another alphabet's
    letters, to what they were meant to be.
    """

    text: str
    terms: tuple[Term, ...]
    phrases: tuple[tuple[str, ...], ...]
    dense_text: str
    language: str | None
    repaired: dict[str, str] = field(default_factory=dict)

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
        slips = {term.corrected_from: term.word for term in self.terms if term.corrected_from}
        return self.repaired | slips


def content_of(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms that are no function words; all of them where there is nothing else."""
    return tuple(term for term in terms if not term.is_function) or tuple(terms)


def analyse(
    index: Index, text: str, *, correct: bool = True, published_only: bool = False
) -> Query:
    """Analyse ``text`` against the words of ``index``. It never fails, whatever is typed.

    ``published_only`` is about what a word may be corrected to.
    """
    look_up = index.lexicon.remembering()
    repaired, tokens = repair(text, look_up) if correct else (text, {})
    phrases = tuple(
        tuple(found)
        for match in _PHRASE.finditer(repaired)
        if (found := words(next(group for group in match.groups() if group)))
    )
    quoted = {word for phrase in phrases for word in phrase}
    spans = word_spans(repaired)
    typed = list(dict.fromkeys(word for word, _, _ in spans))
    entries = look_up(typed)
    language = question_language(repaired, list(entries.values()))
    better: dict[str, str] = {}
    # The words of a language that the wiki does not hold are no slips in one that it does.
    if correct and (language is None or language in index.languages):
        unknown = [
            word
            for word, entry in entries.items()
            if not (entry.known or word in quoted or index.lexicon.is_real(word))
        ]
        slips = {
            word: spell(index, word, published_only=published_only)
            for word in unknown[:_MOST_CORRECTED]
        }
        better = {word: meant for word, meant in slips.items() if meant}
        entries |= look_up(better.values())
    return Query(
        text=text,
        terms=tuple(_term(word, better.get(word, ""), entries) for word in typed),
        phrases=phrases,
        dense_text=_mend(repaired, spans, better, entries, language),
        language=language,
        repaired=tokens,
    )


def _term(typed: str, better: str, entries: dict[str, Entry]) -> Term:
    word = better or typed
    entry = entries.get(word, UNKNOWN)
    return Term(
        word=word,
        lemmas=tuple(sorted({lemma for _, lemma in entry.lemmas} or {word})),
        chunks=entry.chunks,
        languages=frozenset(language for language, _ in entry.lemmas),
        is_function=bool(entry.function),
        corrected_from=typed if better else "",
    )


def _mend(
    text: str,
    spans: Sequence[tuple[str, int, int]],
    better: dict[str, str],
    entries: dict[str, Entry],
    language: str | None,
) -> str:
    """Put corrected words in, and diacritics back where the writer left them all out.

    The encoder minds case where a reader does not: shouting and rAnDoM case become lower case.
    """
    plain, shouted = is_plain(text), text.isupper()
    parts, position = [], 0
    for word, start, end in spans:
        written = text[start:end]
        mended = written.lower() if shouted or _is_odd(written) else written
        if word in better or plain:
            entry = entries.get(better.get(word, word), UNKNOWN)
            surface = entry.function.get(language or "") or entry.surface or better.get(word, "")
            if surface and surface != written.lower():
                mended = surface
        if mended != written:
            parts += [text[position:start], mended]
            position = end
    return "".join([*parts, text[position:]])


def _is_odd(written: str) -> bool:
    """True for a word in a case that no rule of writing explains."""
    return not (written.islower() or written.isupper() or written[1:].islower()) and (
        written.lower() != written
    )
