"""Undoing a wrong keyboard layout and look-alike letters, against the words of the small wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.index import Index
from index_artifacts.keyboards import DIGIT_ROW, LOOKS_LATIN, SWAPPED_YZ, TO_LATIN, repair
from index_artifacts.query import analyse

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact


@pytest.fixture(scope="module")
def index(small_artifact: Artifact) -> Index:
    return Index(small_artifact)


@pytest.mark.parametrize(
    ("meant", "typed"),
    [
        ("кто размечает предложения", "rnj hfpvtxftn ghtlkj;tybz"),
        ("strojový preklad", "ыекщощмý зкулдфв"),
        ("Кто размечает предложения?", "Rnj hfpvtxftn ghtlkj;tybz&"),
    ],
)
def test_a_question_typed_under_the_other_layout_is_read_as_meant(
    index: Index, meant: str, typed: str
) -> None:
    words = set(analyse(index, typed).words)
    wanted = set(analyse(index, meant).words)
    assert len(words & wanted) >= len(wanted) - 1


def test_what_was_undone_is_told(index: Index) -> None:
    query = analyse(index, "кто размечает ghtlkj;tybz")
    assert query.corrections == {"ghtlkj;tybz": "предложения"}
    assert query.dense_text == "кто размечает предложения"


def test_qwertz_and_qwerty_are_told_apart(index: Index) -> None:
    assert "vyber" not in analyse(index, "zariadenia").words
    assert analyse(index, "yariadenia").words == ("zariadenia",)


def test_a_row_of_digits_types_slovak_letters(index: Index) -> None:
    typed = "tr0novanie".translate(SWAPPED_YZ)
    assert "trénovanie".translate(DIGIT_ROW["sk"]) == typed
    assert analyse(index, typed).words == ("trenovanie",)


def test_letters_of_the_other_alphabet_that_look_alike_are_undone(index: Index) -> None:
    assert "sеrvеr".translate(LOOKS_LATIN) == "server"  # each е is Cyrillic
    assert analyse(index, "sеrvеr").words == ("server",)


@pytest.mark.parametrize(
    "typed", ["server 2222", "qqqxxx zzzyyy", "gpu v4217 k8s", "", "xkcd rtfm", "yz", "cnt"]
)
def test_words_that_no_layout_explains_stay(index: Index, typed: str) -> None:
    assert repair(typed, index.lexicon.look_up) == (typed, {})


def test_quotes_are_left_alone(index: Index) -> None:
    typed = f'"{"сервер".translate(TO_LATIN)}"'
    assert repair(typed, index.lexicon.look_up) == (typed, {})


def test_a_text_is_no_question(index: Index) -> None:
    typed = " ".join(["ghtlkj;tybz"] * 200)
    assert repair(typed, index.lexicon.look_up) == (typed, {})
