"""What questions ask of the graph, in five languages, and what it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.graph.answers import typed_answers

if TYPE_CHECKING:
    from index_artifacts.graph.search import Graph


def asked(graph: Graph, question: str) -> tuple[str, set[object]]:
    """The outcome, and the values of what was asked for."""
    found = graph.search(question)
    return found.outcome, {value for _, _, value, _ in typed_answers(graph.tables, found)}


@pytest.mark.parametrize(
    "question",
    [
        "Kto viedol diplomovú prácu Jána Kvetoňa?",
        "kto viedol diplomovku jana kvetona",
        "Kdo vedl diplomovou práci Jána Kvetoně?",
        "Kto był promotorem pracy magisterskiej Jána Kvetoňa?",
        "Кто руководил магистерской работой Jána Kvetoňa?",
        "Who supervised the master thesis of Ján Kvetoň?",
        "Kto viedol prácu Jána Kvteoňa?",
        "Pod vedením koho písal J. Kvetoň diplomovú prácu?",
        "Vedúci diplomovej práce Jána Kvetoňa",
    ],
)
def test_a_supervisor_is_found_however_it_is_asked(graph: Graph, question: str) -> None:
    assert asked(graph, question) == ("answered", {"Peter Zelenák"})


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Koho viedol Peter Zelenák?", {"Ján Kvetoň", "Lucia Hrušková", "Martin Hruška"}),
        ("Who did Peter Zelenák supervise?", {"Ján Kvetoň", "Lucia Hrušková", "Martin Hruška"}),
        ("Kto písal dizertačnú prácu pod vedením Miloša Haverlu?", {"Marek Oravkin"}),
        ("Kedy začal študovať Ján Kvetoň?", {2019}),
        ("V ktorom roku obhájila Lucia Hrušková diplomovú prácu?", {2023}),
        ("Aký je názov bakalárskej práce Lucie Hruškovej?", {"Anotácia príspevkov"}),
        ("Aký druh práce napísal Marek Oravkin?", {"doctoral"}),
        ("Kto napísal prácu „Model Whisper“?", {"Vlad Moroz"}),
        ("Akej téme sa venuje práca Generovanie odpovedí?", {"Generovanie s vyhľadávaním"}),
        ("Aké kľúčové slová má stránka Jána Kvetoňa?", {"nlp", "rag", "server"}),
    ],
)
def test_single_facts(graph: Graph, question: str, values: set[object]) -> None:
    assert asked(graph, question) == ("answered", values)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Ktoré práce boli obhájené v roku 2022?",
         {"Vyhľadávanie odpovedí", "Rozpoznávanie detskej reči"}),
        ("Ktoré práce viedol Peter Zelenák pred rokom 2022?", {"Oprava chýb rozpoznávania"}),
        ("Ktoré práce viedol Peter Zelenák po roku 2022?",
         {"Detekcia nenávistnej reči", "Generovanie odpovedí"}),
        ("Ktoré práce viedol Peter Zelenák od roku 2023 do roku 2024?",
         {"Detekcia nenávistnej reči", "Generovanie odpovedí"}),
        ("Which theses did Peter Zelenák supervise between 2020 and 2022?",
         {"Oprava chýb rozpoznávania", "Vyhľadávanie odpovedí"}),
        ("Ktoré dizertačné práce vznikli v 21. storočí?", {"Neriadené učenie"}),
        ("Ktorí študenti začali študovať v roku 2018 alebo 2019?",
         {"Ján Kvetoň", "Lucia Hrušková"}),
        ("Ktorí študenti, čo začali v roku 2018, majú diplomovú prácu?", {"Lucia Hrušková"}),
    ],
)  # fmt: skip
def test_years_restrict_what_they_are_said_of(
    graph: Graph, question: str, values: set[object]
) -> None:
    assert asked(graph, question) == ("answered", values)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Koľko prác viedol Miloš Haverla?", {4}),
        ("How many students did Peter Zelenák supervise?", {3}),
        ("Koľko dizertačných prác viedol Peter Zelenák?", {0}),
        ("Kto viedol najviac bakalárskych prác?", {"Alžbeta Turčanová", "Miloš Haverla"}),
        ("Ktorá práca Lucie Hruškovej bola prvá?", {"Anotácia príspevkov"}),
        ("Ktorá je najnovšia práca, ktorú viedol Peter Zelenák?", {"Generovanie odpovedí"}),
        ("Kto skončil skôr, Ján Kvetoň alebo Marek Oravkin?", {"Ján Kvetoň"}),
        ("Kto viedol viac prác, Peter Zelenák alebo Alžbeta Turčanová?", {"Peter Zelenák"}),
        ("Majú Ján Kvetoň a Lucia Hrušková rovnakého vedúceho?", {True}),
        ("Majú Ján Kvetoň a Marek Oravkin rovnakého vedúceho?", {False}),
        ("Viedol Peter Zelenák Marka Oravkina?", {False}),
        ("Did Peter Zelenák supervise Ján Kvetoň?", {True}),
    ],
)
def test_numbers_extremes_comparisons_and_yes_or_no(
    graph: Graph, question: str, values: set[object]
) -> None:
    assert asked(graph, question) == ("answered", values)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Kto mal rovnakého vedúceho ako Ján Kvetoň?", {"Lucia Hrušková", "Martin Hruška"}),
        ("Koho ešte viedol vedúci Jána Kvetoňa?", {"Lucia Hrušková", "Martin Hruška"}),
        ("Kedy začal študovať autor práce Detekcia nenávistnej reči?", {2018}),
        ("Akú ďalšiu prácu napísal autor práce „Generovanie odpovedí“?",
         {"Vyhľadávanie odpovedí"}),
        ("Kto viedol bakalársku prácu autora diplomovky „Detekcia nenávistnej reči“?",
         {"Alžbeta Turčanová"}),
        ("Kto písal bakalársku prácu v roku 2021 a diplomovú v roku 2023?", {"Lucia Hrušková"}),
        ("Kto písal bakalársku aj diplomovú prácu pod vedením Petra Zelenáka?", {"Ján Kvetoň"}),
        ("Kto mal ako vedúceho Petra Zelenáka a pri inej práci Miloša Haverlu?",
         {"Martin Hruška"}),
        ("Aké kľúčové slová majú stránky študentov, ktorých viedla Alžbeta Turčanová v roku 2021?",
         {"nlp", "server"}),
    ],
)  # fmt: skip
def test_several_facts_are_joined(graph: Graph, question: str, values: set[object]) -> None:
    assert asked(graph, question) == ("answered", values)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Ktoré práce z roku 2023 neviedol Peter Zelenák?",
         {"Hlasový asistent", "Neriadené učenie", "Zber nahrávok"}),
        ("Which theses of 2023 were not supervised by Peter Zelenák?",
         {"Hlasový asistent", "Neriadené učenie", "Zber nahrávok"}),
        ("Ktorí študenti nemajú uvedený začiatok štúdia?", {"Tomáš Říha"}),
        ("Kto začal v roku 2018 alebo neskôr a nikdy ho neviedol Peter Zelenák?", None),
        ("Ktoré práce Vlada Moroza okrem bakalárskej existujú?", {"Zber nahrávok"}),
        ("Kto začal študovať v roku 2018 a nemá dizertačnú prácu?", {"Lucia Hrušková"}),
    ],
)  # fmt: skip
def test_what_is_denied_is_left_out(
    graph: Graph, question: str, values: set[object] | None
) -> None:
    outcome, found = asked(graph, question)
    if values is None:  # either is right, a wrong list is not
        assert outcome == "not_understood" or "Ján Kvetoň" not in found
    else:
        assert (outcome, found) == ("answered", values)


@pytest.mark.parametrize(
    "question",
    [
        "Ktorú dizertačnú prácu napísal Ján Kvetoň?",
        "Ktoré práce napísal Peter Zelenák?",
        "Koho viedol Ján Kvetoň?",
        "Kto viedol prácu Jána Kvetoňa v roku 2023?",
    ],
)
def test_what_is_not_so_is_no_fact(graph: Graph, question: str) -> None:
    found = graph.search(question)
    assert (found.outcome, found.values, found.facts) == ("no_facts", (), ())
    assert found.complete


def test_a_proposed_topic_is_no_thesis_unless_proposals_are_asked_for(graph: Graph) -> None:
    assert asked(graph, "Ktorú prácu napísala Simona Malá?") == ("no_facts", set())
    assert asked(graph, "Ktoré témy sú navrhnuté?") == ("answered", {"Kontrola pravopisu"})


def test_namesakes_are_asked_back_unless_the_question_tells_them_apart(graph: Graph) -> None:
    for question in ("Kto viedol Martina Hrušku?", "Kto viedol prácu Hrušku?"):
        found = graph.search(question)
        assert found.outcome == "ambiguous"
        assert {node.page for node in found.candidates} == {
            "students/2015/martin_hruska/README.md",
            "students/2020/martin_hruska2/README.md",
        }
    told_apart = "Kto viedol Martina Hrušku, ktorý začal študovať v roku 2020?"
    assert asked(graph, told_apart) == ("answered", {"Alžbeta Turčanová"})


@pytest.mark.parametrize(
    "question",
    ["Kto viedol prácu Jozefa Mrkvičku?", "Koho viedol Peter Mrkvička?",
     "Who supervised Zoltan Kerekes?", "Kto viedol prácu Petra Haverlu?"],
)  # fmt: skip
def test_a_name_that_nobody_has_is_unknown(graph: Graph, question: str) -> None:
    assert asked(graph, question) == ("unknown_entity", set())


@pytest.mark.parametrize(
    "question",
    [
        "", "???", "Zelenák", "V ktorej miestnosti sedí Peter Zelenák?", "Aké bude počasie?",
        "Kto bol oponentom práce Jána Kvetoňa?", "Kde sa narodil Ján Kvetoň?", "Kto vedie katedru?",
        "Prečo písal Ján Kvetoň o RAG?", "Koľko strán má diplomovka Jána Kvetoňa?",
        "Kedy začína štúdium?", "Akú známku dostala práca „Model Whisper“?",
        "What is the phone of the supervisor of Ján Kvetoň?", "Ako napísať diplomovú prácu?",
        "Which thesis of Ján Kvetoň won an award?", "Сколько стоит печать дипломной работы?",
    ],
)  # fmt: skip
def test_what_the_graph_has_no_words_for_is_not_understood(graph: Graph, question: str) -> None:
    assert asked(graph, question) == ("not_understood", set())


def test_pages_are_asked_by_author_keyword_and_category(graph: Graph) -> None:
    keyword = {"Pripojenie cez VPN", "Ján Kvetoň", "Lucia Hrušková"}  # server, servery
    assert asked(graph, "Ktoré stránky majú kľúčové slovo server?") == ("answered", keyword)
    assert asked(graph, "Ktoré stránky majú značku nlp aj rag?") == ("answered", {"Ján Kvetoň"})
    assert asked(graph, "Kto je autorom stránky Lucie Hruškovej?") == (
        "answered", {"Alžbeta Turčanová"},
    )  # fmt: skip
    assert asked(graph, "How many pages did Miloš Haverla write?") == ("answered", {2})


def test_a_cut_list_is_neither_whole_nor_complete(graph: Graph) -> None:
    found = graph.search("Koho viedol Peter Zelenák?", limit=2)
    assert (len(found.values), found.truncated, found.complete) == (2, True, False)
