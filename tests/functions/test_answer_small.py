"""Answers from the small wiki in five languages, with the real encoder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from index_artifacts.rag.rules import wording
from tests.functions.answer_wiki import ask
from tests.functions.rag_wiki import open_client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi.testclient import TestClient

    from functions.settings import Settings

pytestmark = pytest.mark.slow


@pytest.fixture
def client(small_store: str, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    with open_client(settings(store=small_store)) as client:
        yield client


@pytest.mark.parametrize(
    ("question", "language", "fact", "path"),
    [
        ("Na akom porte počúva server?", "sk", "2222", "temy/servery.md"),
        ("Kto je správcom serverov?", "sk", "Ondrej Kubiš", "temy/servery.md"),
        ("Kolik stojí měsíčně kolej?", "cs", "96 eur", "cs/navod.md"),
        ("Ile kosztuje pokój w akademiku?", "pl", "620 złotych", "pl/lodz.md"),
        ("Сколько предложений содержит корпус?", "ru", "5240", "ru/yolka.md"),
        ("When does the short partition stop a job?", "en", "four", "en/cluster.md"),
        ("How much does a double room in Łódź cost?", "en", "620", "pl/lodz.md"),
    ],
)  # fmt: skip
def test_a_question_is_answered_from_a_page_in_whatever_language(
    client: TestClient, question: str, language: str, fact: str, path: str
) -> None:
    answer = ask(client, question)
    assert answer["accepted_for_delivery"], answer["reason"]
    assert fact in answer["answer"]
    assert answer["language"] == language
    assert f"\n\n{wording(language).sources}:\n[1] " in answer["answer"]
    assert path in [source["path"] for source in answer["sources"]]
    assert f"https://wiki.example.org/{path}" in answer["answer"]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Aký vysoký je Kriváň?", "sk"),
        ("Jak vysoká je Sněžka?", "cs"),
        ("Jak wysoki jest Giewont?", "pl"),
        ("Какой высоты гора Эльбрус?", "ru"),
        ("How tall is Mount Everest?", "en"),
        ("Kto bol vedúcim práce Zoltána Kerekesa?", "sk"),
    ],
)
def test_what_the_wiki_does_not_know_is_refused_in_the_questions_language(
    client: TestClient, question: str, language: str
) -> None:
    answer = ask(client, question)
    assert not answer["accepted_for_delivery"], answer["answer"]
    assert answer["answer"] == wording(language).refusal
    assert answer["sources"] == []


def test_a_follow_up_in_slovak_is_completed(client: TestClient) -> None:
    history = [
        {"role": "user", "content": "Kto viedol prácu Jany Mokrej?"},
        {"role": "assistant", "content": "Vedúci: Peter Vrabec [1]"},
    ]
    answer = ask(client, "a v ktorom roku začala študovať?", history=history)
    assert "Mokrej" in answer["question"]
    assert "2019" in answer["answer"]
    assert answer["sources"][0]["path"] == "studenti/jana-mokra.md"


@pytest.mark.parametrize("engine", ["auto", "rag", "graph"])
def test_the_unpublished_page_leaks_into_no_field(client: TestClient, engine: str) -> None:
    for question in (
        "Aký je rozpočet na prenájom výpočtového času?",
        "Ktoré stránky majú kategóriu interne?",
        "Aké je kontrolné slovo stránky Koncept rozdelenia tém?",
    ):
        told = json.dumps({**ask(client, question, engine=engine), "question": ""})
        for secret in ("1 850", "tajn", "koncept.md", "V4-217"):
            assert secret not in told


def test_facts_are_counted_over_pages_of_all_languages(client: TestClient) -> None:
    answer = ask(client, "Koľko stránok má značku erasmus?")
    assert answer["answer"].startswith("Počet stránok: 2 [1][2]")
    assert {source["path"] for source in answer["sources"]} == {"cs/navod.md", "pl/lodz.md"}
