"""What a question says has to be in its query: all of it, or the graph does not answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.index_artifacts.graph.graph_wiki import PAGES
from tests.index_artifacts.graph.test_questions import asked

if TYPE_CHECKING:
    from index_artifacts.graph.search import Graph


@pytest.mark.parametrize(
    "question",
    [
        # Two people, and one of them forgotten.
        "Práca „Model Whisper“ mala vedúceho. Kto ďalší u neho obhajoval prácu rovnakého typu?",
        # What is denied would be lost.
        "Kto začal študovať v roku 2018 a o prácu nikdy nežiadal u rektora?",
        # The same year and the same supervisor: one of the two would be answered.
        "Začali Ján Kvetoň a Lucia Hrušková v rovnakom roku a mali rovnakého vedúceho?",
        # A work that the question itself names is no answer.
        "U prác „Model Whisper“ a „Neriadené učenie“ jeden autor?",
        # Words without a meaning to the graph.
        "Ktorý oponent hodnotil diplomovú prácu Jána Kvetoňa?",
    ],
)
def test_a_question_of_which_a_part_would_be_ignored_is_not_understood(
    graph: Graph, question: str
) -> None:
    assert asked(graph, question) == ("not_understood", set())


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Obhájil Ján Kvetoň bakalársku prácu skôr ako Vlad Moroz?", True),
        ("Obhájil Vlad Moroz bakalársku prácu skôr ako Ján Kvetoň?", False),
        ("Did Ján Kvetoň start earlier than Lucia Hrušková?", False),
        ("Je práca „Neriadené učenie“ novšia ako „Model Whisper“?", False),
        ("Viedol Peter Zelenák viac diplomových prác než Miloš Haverla?", True),
        ("Je pravda, že Miloš Haverla viedol viac diplomových prác ako Peter Zelenák?", False),
        ("Bolo v roku 2022 viac prác ako v roku 2021?", True),
        ("Jána Kvetoňa viedol pri diplomovke Peter Zelenák, je to pravda?", True),
        ("Over, či Lucia Hrušková a Ján Kvetoň mali rovnakého vedúceho diplomovej práce.", True),
        ("Начали Ján Kvetoň и Lucia Hrušková учиться в одном году?", False),
        ("Je Vlad Moroz autorom práce „Model Whisper“?", True),
    ],
)
def test_a_claim_is_true_or_false(graph: Graph, question: str, value: bool) -> None:
    assert asked(graph, question) == ("answered", {value})


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Kto začal študovať v roku 2016 alebo skôr?", {"Marek Oravkin", "Martin Hruška"}),
        ("Kto nastúpil na štúdium v roku 2021 a neskôr?",
         {"Vlad Moroz", "Simona Malá"}),
        ("Ktoré diplomové práce viedol Peter Zelenák po rok 2023 vrátane?",
         {"Detekcia nenávistnej reči", "Oprava chýb rozpoznávania"}),
        ("Kto študuje od roku 2019?", {"Ján Kvetoň"}),
        ("Kto začal v roku 2021 a má iba bakalársku prácu?", {"Vlad Moroz"}),
        ("Kto začal v roku 2019 a má iba bakalársku prácu?", set()),
        ("Ktoré diplomové práce viedol Peter Zelenák v iných rokoch ako 2023?",
         {"Generovanie odpovedí", "Oprava chýb rozpoznávania"}),
        ("Ktorú inú prácu ako bakalársku napísal Ján Kvetoň?", {"Generovanie odpovedí"}),
        ("Co kromě diplomky Ján Kvetoň obhájil?", {"Vyhľadávanie odpovedí"}),
        ("Z tých, čo začali v roku 2021 a neskôr, koho viedol Miloš Haverla?", {"Vlad Moroz"}),
        ("Apart from those supervised by Peter Zelenák, which master's theses are there?",
         {"Rozpoznávanie detskej reči"}),
        ("Kto mal diplomovú prácu bez toho, aby ho viedol Peter Zelenák?", {"Tomáš Říha"}),
        ("Vypíš študentov, ktorí nastúpili v roku 2018 a v roku 2023 odovzdali diplomovku.",
         {"Lucia Hrušková"}),
        ("Nájdi študentov, ktorí v roku 2021 obhájili bakalárku a diplomovku písali u Petra"
         " Zelenáka.", {"Lucia Hrušková"}),
        ("Kto začal v roku 2018 a autorom jeho stránky je Alžbeta Turčanová?",
         {"Lucia Hrušková"}),
        ("Od ktorého roku študuje osoba, ktorá napísala „Model Whisper“?", {2021}),
        ("Name the person who advised Ján Kvetoň on the master's thesis.", {"Peter Zelenák"}),
        ("Ako sa volá vedúci diplomovej práce Lucie Hruškovej?", {"Peter Zelenák"}),
        ("Komu chýba rok nástupu na štúdium?", {"Tomáš Říha"}),
    ],
)  # fmt: skip
def test_the_small_words_are_heard(graph: Graph, question: str, values: set[object]) -> None:
    outcome = "answered" if values else "no_facts"
    assert asked(graph, question) == (outcome, values)


def test_pages_of_which_nothing_is_said_are_counted_too(graph: Graph) -> None:
    published = [path for path in PAGES if path.endswith(".md") and "samuel_tichy" not in path]
    assert asked(graph, "Koľko má wiki stránok?") == ("answered", {len(published)})
