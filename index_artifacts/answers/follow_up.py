"""Follow-up questions: what an elliptic one leaves out is taken from the turns before it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.answers.checks.names import names
from index_artifacts.answers.concepts import concepts_of
from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.answers.question import kind_of
from index_artifacts.text import word_spans, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.answers.chat_model import Message
    from index_artifacts.index import Index

# A question that begins with "and" leaves something out where it has so few content words.
_FEW = 4
# Without such a beginning, a question of so few is one that leans on another.
_FEWER = 2
_MARKUP = re.compile(r"<[^>]*>|!?\[([^\]]*)\]\([^)]*\)|https?://\S+|\[\d+\]")


def complete(index: Index, question: str, history: Sequence[Message]) -> str:
    """``question`` with what it leaves out, as far as the user's turns in ``history`` hold it.

    A question that stands on its own is returned as it is.
    """
    lemmas = Lemmatiser(index)
    so_far, answer = "", ""
    for turn in history:
        if turn.role == "user":
            so_far, answer = _continue(clean(turn.content), so_far, answer, lemmas), ""
        else:
            answer = clean(turn.content)
    completed = _continue(clean(question), so_far, answer, lemmas)
    return completed if completed != clean(question) else question


def clean(text: str) -> str:
    """``text`` without markup, addresses and citations, which are no part of what is asked."""
    return " ".join(_MARKUP.sub(lambda match: match.group(1) or " ", text).split())


def _continue(question: str, before: str, answer: str, lemmas: Lemmatiser) -> str:
    if not before or not _is_elliptic(question, lemmas):
        return question
    asked = concepts_of(words(question))
    if asked & set(_table("of_people")) and kind_of(before) == "person" and answer:
        told = names(answer, lemmas, first_words=True)
        left_out = [name.written for name in told if not name.begins or len(name.words) > 1]
    else:
        left_out = _left_out(question, before, lemmas)
    return f"{question} {' '.join(left_out)}".strip()


def _is_elliptic(question: str, lemmas: Lemmatiser) -> bool:
    """True where a question leans on the one before: by how it begins, or by what it lacks."""
    found, content = words(question), lemmas.content(question)
    if len(content) > _FEW:
        return False
    plain = " ".join(found)
    if _opening(plain):
        return True
    if any(f"{plain} ".startswith(f"{start} ") for start in _phrases("definitions")):
        return False  # "What is a …?" leaves nothing out
    if names(question, lemmas) or len(content) > _FEWER:
        return False  # whom it names, it is about
    # Nothing but what is asked for: "in which year?", "and the price?".
    return bool(set(found) & set(_table("pronouns"))) or all(concepts_of([w]) for w in content)


def _left_out(question: str, before: str, lemmas: Lemmatiser) -> list[str]:
    """The words of the question before that this one does not replace by its own."""
    own, asked = words(question), concepts_of(words(question))
    # "What about Whisper?" asks nothing of its own; it puts one name for another.
    rest = " ".join(own).removeprefix(_opening(" ".join(own)))
    new_question = bool(kind_of(rest))
    renamed = bool(names(question, lemmas))
    kept = []
    for word, start, end in word_spans(before):
        concepts = concepts_of([word])
        replaced = concepts & asked or any(lemmas.same(word, other) for other in own)
        # With a question of its own, what was asked before is no longer asked.
        answered = new_question and (concepts or lemmas.is_function(word) or bool(kind_of(word)))
        capital = before[start].isupper() and not (lemmas.is_function(word) or kind_of(word))
        name = start > 0 and (capital or _is_mixed(word))
        if not replaced and (not renamed if name else not answered):
            kept.append(before[start:end])
    return kept


def _is_mixed(word: str) -> bool:
    """True for a name such as wav2vec."""
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word))


def _opening(plain: str) -> str:
    """The longest beginning of a folded question by which it goes on from another, or nothing."""
    found = [start for start in _phrases("openings") if plain.startswith(f"{start} ")]
    return max(found, key=len, default="")


def _phrases(key: str) -> list[str]:
    return [phrase.replace("_", " ") for phrase in _table(key)]


@cache
def _table(key: str) -> tuple[str, ...]:
    table = tomllib.loads(Path(__file__).with_name("follow_ups.toml").read_text(encoding="utf-8"))
    return tuple(table[key].split())
