"""Corrections, against the words of the small wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.index import Index
from index_artifacts.query import analyse
from index_artifacts.spelling import correct

if TYPE_CHECKING:
    from index_artifacts.artifact import Artifact


@pytest.fixture(scope="module")
def index(small_artifact: Artifact) -> Index:
    return Index(small_artifact)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sevrer", "server"),  # two letters swapped
        ("pripojt", "pripojit"),  # one left out
        ("rozpoznavaniie", "rozpoznavanie"),  # one twice
        ("clustwr", "cluster"),  # the key beside it
        ("rozponzavanei", "rozpoznavanie"),  # two slips, and a long word
        ("zariadeniamii", "zariadeniami"),  # a form that no page uses
        ("хрмпус", None),
        ("srv", None),
        ("b2222x", None),
        ("a" * 60, None),
        ("שרתים", None),
    ],
)
def test_the_nearest_word_is_meant(index: Index, typed: str, meant: str | None) -> None:
    assert correct(index, typed) == meant


def test_of_two_words_as_near_the_likelier_slip_decides(index: Index) -> None:
    # "serverr" is "server" with a letter typed twice, not "servery" with another one.
    assert {"server", "servery"} <= index.lexicon.look_up(["server", "servery"]).keys()
    assert correct(index, "serverr") == "server"


@pytest.mark.parametrize("word", ["какова", "насколько", "vyhovuje", "whereas"])
def test_real_words_that_the_wiki_lacks_are_no_slips(index: Index, word: str) -> None:
    assert not index.lexicon.look_up([word])[word].known
    assert index.lexicon.is_real(word)
    assert analyse(index, word).corrections == {}
