"""Summaries: whole sentences of prose, and never too much of them."""

from __future__ import annotations

import pytest

from build.markdown import parse
from build.summaries import MAX_CHARACTERS, first_sentences


def summary(body: str) -> str:
    return first_sentences(parse(body))


def test_the_first_sentences_of_prose_are_taken() -> None:
    body = "# A\n\n- zoznam\n\nPrvá *veta*. Druhá\nveta!\n\n```\nkód\n```\n\nTretia [veta](x.md)?\n"
    assert summary(body) == "Prvá veta. Druhá veta! Tretia veta?"


def test_sentences_that_do_not_fit_are_left_out_whole() -> None:
    sentence = "Slovo " * 20 + "koniec."
    assert summary(f"{sentence} {sentence} {sentence} {sentence}") == f"{sentence} {sentence}"


def test_a_sentence_that_is_too_long_ends_at_a_word() -> None:
    shown = summary("slovo " * 100)
    assert len(shown) <= MAX_CHARACTERS
    assert shown.endswith("slovo…")


@pytest.mark.parametrize("body", ["", "# Nadpis\n", "```\nkód\n```\n", "- a\n- b\n", "x" * 1000])
def test_a_page_without_prose_has_a_short_one_or_none(body: str) -> None:
    assert len(summary(body)) <= MAX_CHARACTERS
