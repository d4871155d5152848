"""The filter over a dictionary's words, and how a build fills it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from build.dictionary import dictionary_hashes
from index_artifacts.spelling import LONGEST as LONGEST_CORRECTED
from index_artifacts.spelling import SHORTEST
from index_artifacts.text import fold
from index_artifacts.word_filter import LONGEST, holds, word_filter, word_hashes

WORDS = st.lists(st.text(min_size=1, max_size=20), max_size=30)


@given(WORDS)
def test_it_holds_what_it_was_built_of(words: list[str]) -> None:
    clean = [word.encode("utf-8", "ignore").decode() or "x" for word in words]
    data = word_filter(word_hashes(clean))
    assert all(holds(data, word) for word in clean)


def test_it_takes_few_other_words_for_one() -> None:
    data = word_filter(word_hashes([f"slovo{number}" for number in range(20_000)]))
    wrong = sum(holds(data, f"iné{number}") for number in range(20_000))
    assert wrong < 20_000 * 0.015
    assert len(data) == 25_000


def test_an_empty_filter_and_a_long_word_hold_nothing() -> None:
    assert not holds(word_filter(word_hashes([])), "word")
    assert not holds(word_filter(word_hashes(["word"])), "w" * (LONGEST + 1))
    assert not holds(word_filter(word_hashes(["word"])), "")


def test_the_order_and_repetition_of_words_do_not_matter() -> None:
    words = ["práca", "Łódź", "сервер", "stroj", "weiß", "שרתים"]
    assert (dictionary_hashes(words) == dictionary_hashes([*words[::-1], "stroj"])).all()


def test_a_dictionary_is_folded_as_a_query_is() -> None:
    words = ["práca", "Łódźką", "сервера", "weißes", "Ёлка", "שרתים", "ab", "x" * 50]
    data = word_filter(dictionary_hashes(words))
    assert all(
        holds(data, fold(word))
        for word in words
        if SHORTEST <= len(fold(word)) <= LONGEST_CORRECTED
    )
    assert len(dictionary_hashes(words)) == 6
    assert len(dictionary_hashes([])) == 0
