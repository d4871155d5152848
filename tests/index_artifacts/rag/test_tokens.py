"""The estimate of tokens: near what the encoding counts, and never less for more text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index_artifacts.rag.tokens import estimate_tokens

# Counted once with the encoding itself.
COUNTED = [
    ("Diplomová práca o strojovom preklade porovnáva tri modely a meria ich BLEU.", 27),
    ("Bakalářská práce se zabývá rozpoznáváním řeči u mluvčích s přízvukem.", 27),
    ("Praca magisterska opisuje wyszukiwanie informacji w zbiorach po polsku.", 20),
    ("Дипломная работа посвящена машинному переводу и сравнивает три модели.", 18),
    ("The thesis compares three machine translation models on Slovak texts.", 12),
    ("| model | BLEU | čas |\n|---|---|---|\n| mBART | 31.4 | 12 s |\n", 29),
    ("ssh -p 2222 student@idoc.example.org && python train.py --epochs 30", 20),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_a_sentence_is_estimated_near_what_the_encoding_counts(text: str, tokens: int) -> None:
    assert 0.75 * tokens <= estimate_tokens(text) <= 1.5 * tokens


def test_over_languages_the_estimate_is_within_a_tenth() -> None:
    counted = sum(tokens for _, tokens in COUNTED)
    assert estimate_tokens("\n".join(text for text, _ in COUNTED)) == pytest.approx(
        counted, rel=0.1
    )


@given(st.text(), st.text())
def test_more_text_costs_more(some: str, more: str) -> None:
    together = estimate_tokens(some + more)
    assert max(estimate_tokens(some), estimate_tokens(more)) <= together
    assert together <= estimate_tokens(some) + estimate_tokens(more)


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0


@pytest.mark.parametrize("text", ["\ud800", "\x00", "😀" * 10, "שלום", "漢字", "\u0301"])
def test_any_text_can_be_estimated(text: str) -> None:
    assert estimate_tokens(text) > 0


@given(st.text())
def test_json_around_a_text_never_makes_it_cheaper(text: str) -> None:
    assert estimate_tokens(json.dumps(text, ensure_ascii=False)) >= estimate_tokens(text)
