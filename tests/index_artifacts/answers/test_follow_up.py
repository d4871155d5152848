"""A question that leans on the one before is completed from it; any other is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.chat_model import Message
from index_artifacts.answers.follow_up import complete
from index_artifacts.text import fold

if TYPE_CHECKING:
    from index_artifacts.index import Index

SK = ("Kto viedol diplomovú prácu Jany Mokrej?", "Prácu viedol Peter Vrabec [1].")

ELLIPTIC = [
    (SK, "A v ktorom roku?", "jany mokrej", "viedol"),
    (SK, "A aký mala názov?", "jany mokrej", ""),
    (SK, "A čo Ivan Brezina?", "kto viedol", "mokrej"),
    (SK, "Kde má kanceláriu?", "peter vrabec", "mokrej"),
    (("Kolik stojí kolej?", "96 eur."), "A kde je?", "kolej", "kolik"),
    (("Jakou přesnost má wav2vec?", "…"), "A co Whisper?", "presnost", "wav2vec"),
    (("Ile kosztuje pokój w akademiku?", "620 złotych."), "A gdzie to jest?", "akademiku", "ile"),
    (("Сколько предложений в корпусе Ёлка?", "5240."), "А в каком году?", "елка", "сколько"),
    (("How big is the disk of the GPU cluster?", "20 GB."), "And where is it?", "gpu cluster", ""),
    (("Who supervised the thesis of Jana Mokrá?", "Peter Vrabec [1]."), "What is his room?",
     "peter vrabec", "jana"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "question", "holds", "lacks"), ELLIPTIC, ids=[q for _, q, _, _ in ELLIPTIC]
)
def test_what_is_left_out_is_put_back(
    index: Index, before: tuple[str, str], question: str, holds: str, lacks: str
) -> None:
    history = [Message("user", before[0]), Message("assistant", before[1])]
    completed = complete(index, question, history)
    assert completed.startswith(question)
    assert holds in fold(completed)
    assert not lacks or lacks not in fold(completed)


@pytest.mark.parametrize(
    "question",
    [
        "Koľko stojí kolej v Košiciach?",
        "Ako sa prihlásim na server quokka?",
        "Kto je Peter Vrabec?",
        "Kolik stojí kolej na Jedlíkově ulici?",
        "Co je to zápočet?",
        "Ile kosztuje pokój w akademiku?",
        "Сколько предложений в корпусе Ёлка?",
        "Что такое каппа?",
        "What is BLEU?",
        "Who is Ivan Brezina?",
        "How do I submit a job to the cluster?",
        "[odkaz](https://x.example) Koľko kariet má quokka?",
    ],
)
def test_a_question_that_stands_on_its_own_is_left_as_it_is(index: Index, question: str) -> None:
    history = [Message("user", SK[0]), Message("assistant", SK[1])] * 3
    assert complete(index, question, history) == question
    assert complete(index, question, []) == question


def test_a_follow_up_of_a_follow_up_goes_back_to_the_first(index: Index) -> None:
    history = [
        Message("user", SK[0]),
        Message("assistant", SK[1]),
        Message("user", "A v ktorom roku?"),
        Message("assistant", "V roku 2024 [1]."),
    ]
    assert "jany mokrej" in fold(complete(index, "A aký mala názov?", history))


def test_nothing_comes_out_of_what_the_assistant_alone_has_said(index: Index) -> None:
    history = [Message("assistant", "Spýtajte sa na Petra Vrabca.")]
    assert complete(index, "A v ktorom roku?", history) == "A v ktorom roku?"
