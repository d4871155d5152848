"""What is asked for, across words and languages; what is counted; what is in focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.concepts import concepts_of
from index_artifacts.answers.focus import counted, focus_of
from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.answers.question import take_apart
from index_artifacts.answers.units import split_units
from index_artifacts.text import words
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from index_artifacts.index import Index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    pages = {"exam.md": "# Exam\n\nThe exam has 40 points and takes two hours.\n"}
    folder = tmp_path_factory.mktemp("concepts")
    return open_searcher(build(folder, pages, languages=("sk", "en"))).index


@pytest.fixture
def lemmas(index: Index) -> Lemmatiser:
    return Lemmatiser(index)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kto viedol prácu?", "Supervisor: Peter"),
        ("Kto bol školiteľ?", "Promotor: Peter"),
        ("Na akom porte počúva?", "порт 22"),
        ("Koľko to stojí?", "The price is 4"),
        ("Dokedy treba poslať prihlášku?", "Deadline: Monday"),
        ("Kedy sú konzultácie?", "Office hours"),
    ],
)
def test_words_of_different_languages_stand_for_one_thing(one: str, other: str) -> None:
    assert concepts_of(words(one)) & concepts_of(words(other))


def test_words_that_stand_for_nothing_have_no_concept() -> None:
    assert concepts_of([]) == frozenset()
    assert concepts_of(["zebra", "", "42"]) == frozenset()
    assert not concepts_of(words("Kto viedol prácu?")) & concepts_of(words("Room 12"))


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("Koľko bodov je za skúšku?", "bodov"),
        ("How many points does the exam have?", "points"),
        ("Na akom porte počúva server?", "porte"),
        ("Who?", ""),
        ("The exam has points.", ""),
        ("", ""),
    ],
)
def test_what_is_asked_for_stands_after_the_asking_word(
    lemmas: Lemmatiser, question: str, focus: str
) -> None:
    assert focus_of(question, lemmas) == focus


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("Koľko bodov je za skúšku?", "Za skúšku je 40 bodov.", 1.0),
        ("Koľko bodov je za skúšku?", "The exam has 40 points.", 1.0),
        ("Koľko bodov je za skúšku?", "Za skúšku sú body.", 0.0),
        ("Koľko bodov je za skúšku?", "The exam takes 2 hours.", 0.0),
        ("Koľko stojí skúška?", "The price is 4.", 0.8),
        ("Who wrote the exam?", "The exam has 40 points.", 0.5),
        ("The exam", "The exam has 40 points.", 0.5),
    ],
)
def test_a_number_of_what_is_to_be_counted_is_looked_for(
    lemmas: Lemmatiser, question: str, text: str, share: float
) -> None:
    asked, focus = take_apart(question, lemmas), focus_of(question, lemmas)
    assert counted(asked, focus, split_units(text), lemmas) == share
    assert counted(asked, focus, [], lemmas) == (0.0 if share != 0.5 else 0.5)
