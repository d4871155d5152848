"""The answer function as a program meets it, without a language model."""

from __future__ import annotations

import json
import logging
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.answers.checking import CHECK_NAMES
from index_artifacts.rag.rules import wording
from tests.functions.answer_wiki import MARKER, ask
from tests.functions.conftest import KEY
from tests.functions.rag_wiki import WIDGET_KEY, open_client
from tests.keys import entry, ring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings

SUPERVISOR = "Who was the supervisor of Anna Noll?"


@pytest.fixture
def client(answer_store: Path, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    keys = ring(entry(KEY), entry(WIDGET_KEY, "widget", rag_profile="widget"))
    with open_client(settings(store=f"file://{answer_store}", api_keys=keys)) as client:
        yield client


def assert_refused(answer: dict[str, Any], language: str) -> None:
    assert (answer["status"], answer["outcome"]) == ("refused", "refused")
    assert not answer["accepted_for_delivery"]
    assert not answer["answerable"]
    assert answer["answer"] == wording(language).refusal
    assert answer["language"] == language
    assert (answer["claims"], answer["sources"]) == ([], [])
    assert answer["reason"]


def test_an_answer_is_verbatim_cited_and_names_its_sources(client: TestClient) -> None:
    answer = ask(client, SUPERVISOR)
    assert (answer["status"], answer["reason"], answer["outcome"]) == ("ok", "", "answered")
    assert answer["accepted_for_delivery"]
    assert answer["answerable"]
    assert "Her supervisor was Peter Zelenák. [1]" in answer["answer"]
    assert answer["answer"].endswith("\n\nSources:\n[1] Anna Noll — https://wiki.test/people/anna")
    assert answer["sources"] == [
        {
            "number": 1, "title": "Anna Noll", "authors": ["Eva Malá"], "path": "people/anna.md",
            "heading": "Anna Noll", "source_url": "https://wiki.test/people/anna",
            "published": True,
        }
    ]  # fmt: skip
    page = client.post("/rag", json={"query": SUPERVISOR}).json()["context"]
    for claim in answer["claims"]:
        assert claim["quote"] in page
        assert f"{claim['text']} [1]" in answer["answer"]
    assert answer["index_version"] == client.get("/health").json()["index_version"]


def test_what_it_cost_is_told(client: TestClient) -> None:
    answer = ask(client, SUPERVISOR)
    assert [check["name"] for check in answer["checks"]] == list(CHECK_NAMES)
    assert answer["checked"] == len(answer["claims"]) + sum(c["refused"] for c in answer["checks"])
    assert (answer["generator"], answer["attempts"]) == ("extractive", 1)
    assert answer["tokens"] == {"prompt": 0, "completion": 0}
    assert set(answer["milliseconds"]) == {"reading", "verdict", "generation"}
    assert answer["complete"]


@pytest.mark.parametrize(
    "question",
    [
        "Where is the printer and where is the server?",
        "When was the thesis of Anna Noll defended and what did Bob Reed study?",
        "What stands in which room?",
    ],
)
def test_sources_are_numbered_from_one_in_the_order_in_which_they_are_cited(
    client: TestClient, question: str
) -> None:
    answer = ask(client, question)
    assert answer["accepted_for_delivery"], answer["reason"]
    body = answer["answer"].partition("\n\nSources:")[0]
    cited = list(dict.fromkeys(int(number) for number in re.findall(r"\[(\d+)\]", body)))
    numbers = [source["number"] for source in answer["sources"]]
    assert cited == numbers == list(range(1, len(numbers) + 1))
    assert {n for claim in answer["claims"] for n in claim["citations"]} == set(numbers)
    for source in answer["sources"]:
        assert f"[{source['number']}] {source['title']}" in answer["answer"]
        assert source["source_url"].startswith("https://wiki.test/")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Aký vysoký je Kriváň?", "sk"),
        ("Jak vysoká je Sněžka?", "cs"),
        ("Jak wysoki jest Giewont?", "pl"),
        ("Какой высоты гора Эльбрус?", "ru"),
        ("Who was the supervisor of Zoltan Kerekes?", "en"),
    ],
)
def test_a_refusal_is_in_the_questions_language(
    client: TestClient, question: str, language: str
) -> None:
    assert_refused(ask(client, question), language)


@pytest.mark.parametrize("query", ["", "???", "\u0000", "[1](https://evil.test)"])
def test_a_query_without_words_is_a_refusal(client: TestClient, query: str) -> None:
    answer = ask(client, query)
    assert not answer["accepted_for_delivery"]
    assert answer["answer"] == wording(answer["language"]).refusal


def test_a_part_without_an_answer_is_named(client: TestClient) -> None:
    answer = ask(client, "When was the thesis of Anna Noll defended and what does a walrus eat?")
    assert (answer["status"], answer["outcome"]) == ("ok", "partial")
    assert answer["missing"] == ["and what does a walrus eat?"]
    assert wording("en").partly in answer["answer"]
    assert "It was defended in 2018." in answer["answer"]


@pytest.mark.parametrize(
    ("before", "question", "completed"),
    [
        (
            [("user", SUPERVISOR), ("assistant", "Peter Zelenák [1]")],
            "And in which year was it defended?",
            "And in which year was it defended? Anna Noll",
        ),
        ([("user", "Koľko stojí tlač plagátov?")], "a kde?", "a kde? tlač plagátov"),
        ([("user", "Koľko stojí tlač?")], "a plagátu?", "a plagátu? Koľko stojí tlač"),
    ],
)
def test_history_completes_an_elliptic_question(
    client: TestClient, before: list[tuple[str, str]], question: str, completed: str
) -> None:
    history = [{"role": role, "content": content} for role, content in before]
    answer = ask(client, question, history=history)
    assert answer["question"] == completed
    assert answer["accepted_for_delivery"], answer["reason"]
    assert answer["sources"][0]["path"] in {"people/anna.md", "tlac.md"}
    alone = ask(client, question)
    assert alone["question"] == question
    whole = ask(client, SUPERVISOR, history=history)
    assert whole["question"] == SUPERVISOR


def test_whom_the_history_names_the_answer_is_about(client: TestClient) -> None:
    question = "And in which year was the thesis defended?"
    for name in ("Bob Reed", "Zoltan Kerekes"):
        history = [{"role": "user", "content": f"Who was the supervisor of {name}?"}]
        answer = ask(client, question, history=history)
        assert answer["question"] == f"{question} {name}"
        assert "2018" not in answer["answer"]  # the year of another thesis
        assert "people/anna.md" not in [source["path"] for source in answer["sources"]]


@pytest.mark.parametrize("engine", ["auto", "rag", "graph"])
def test_unpublished_pages_are_in_no_field(client: TestClient, engine: str) -> None:
    for query in ("What replaces the printer?", "chimera", "Which pages have the tag myth?"):
        answer = client.post("/answer", json={"query": query, "engine": engine}).text
        for secret in ("replaces the printer in", "draft.md", "Chimera", "2031", "Nora"):
            assert secret not in answer
    shown = ask(client, "What replaces the printer?", published_only=False)
    assert "The chimera replaces the printer in 2031." in shown["answer"]
    assert shown["sources"][0]["published"] is False


def test_an_order_in_a_page_is_not_delivered(client: TestClient) -> None:
    for query in ("What is in the garden?", "Who waters the garden?", f"the word {MARKER}"):
        answer = ask(client, query)
        assert MARKER not in json.dumps({**answer, "question": ""}, ensure_ascii=False)


@pytest.mark.parametrize("engine", ["auto", "rag", "graph"])
def test_a_profile_of_no_collection_refuses_and_says_why(client: TestClient, engine: str) -> None:
    for query in (SUPERVISOR, "How many pages did Eva Malá write?"):
        answer = ask(client, query, rag_profile="mute", engine=engine)
        assert_refused(answer, "en")
        assert answer["reason"] == "the RAG profile 'mute' searches no collection"


def test_collections_and_the_keys_profile_narrow_what_is_answered_from(client: TestClient) -> None:
    room = "In which room does the printer stand?"
    assert "room 12" in ask(client, room)["answer"]
    assert "room 12" in ask(client, room, collections=["wiki"])["answer"]
    assert "room 12" not in ask(client, room, collections=["people"])["answer"]
    client.headers["X-API-Key"] = WIDGET_KEY
    assert "room 12" not in ask(client, room)["answer"]
    assert ask(client, SUPERVISOR)["accepted_for_delivery"]
    assert_refused(ask(client, SUPERVISOR, rag_profile="mute"), "en")


TURN = {"role": "user", "content": "x"}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"query": "x" * 10_000}, "query: String should have at most 2000 characters"),
        ({"engine": "oracle"}, "engine: Input should be 'auto', 'rag' or 'graph'"),
        ({"mode": "psychic"}, "mode: "),
        ({"collections": ["teachers"]}, "collection 'teachers' is unknown; there are: people, w"),
        ({"collections": ["teachers"], "engine": "graph"}, "collection 'teachers' is unknown"),
        ({"collections": ["wiki"], "rag_profile": "widget"}, "not in the RAG profile 'widget'"),
        ({"rag_profile": "robot"}, "RAG profile 'robot' is unknown; this version has: mute, widg"),
        ({"history": [TURN] * 21}, "history: List should have at most 20 items"),
        ({"history": [{**TURN, "role": "system"}]}, "history.0.role: "),
        ({"history": [{**TURN, "content": "x" * 4001}]}, "history.0.content: "),
        ({"history": None}, "history: "),
        ({"limit": 0}, "limit: "),
        ({"limit": 51}, "limit: "),
        ({"max_tokens": 5}, "max_tokens: "),
    ],
)
def test_a_wrong_request_is_refused_naming_what_is_wrong(
    client: TestClient, fields: dict[str, Any], reason: str
) -> None:
    response = client.post("/answer", json={"query": SUPERVISOR, **fields})
    assert response.status_code == 422
    assert set(response.json()) == {"status", "reason"}
    assert response.json()["status"] == "invalid_request"
    assert reason in response.json()["reason"]


def test_only_a_key_opens_it_as_a_header_or_a_bearer(client: TestClient) -> None:
    client.headers["X-API-Key"] = "wrong"
    response = client.post("/answer", json={"query": SUPERVISOR})
    assert (response.status_code, response.json()["status"]) == (401, "unauthorized")
    client.headers.pop("X-API-Key")
    bearer = {"Authorization": f"Bearer {KEY}"}
    assert client.post("/answer", json={"query": SUPERVISOR}, headers=bearer).status_code == 200


def test_a_conversation_that_is_too_large_is_413(client: TestClient) -> None:
    history = [{"role": "user", "content": "x" * 4000}] * 20
    response = client.post("/answer", json={"query": SUPERVISOR, "history": history})
    assert (response.status_code, response.json()["status"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda store: shutil.rmtree(store), "no version is published yet"),
        (
            lambda store: [p.write_bytes(b"x") for p in store.glob("objects/sha256/*")],
            "the published version failed its verification",
        ),
    ],
)
def test_a_version_that_does_not_open_is_unavailable(
    answer_store: Path,
    tmp_path: Path,
    settings: Callable[..., Settings],
    break_it: Callable[[Path], object],
    reason: str,
) -> None:
    store = tmp_path / "store"
    shutil.copytree(answer_store, store)
    break_it(store)
    with open_client(settings(store=f"file://{store}")) as client:
        response = client.post("/answer", json={"query": SUPERVISOR})
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable", "reason": reason}


def test_nothing_of_a_question_or_its_evidence_is_logged_above_debug(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    history = [{"role": "user", "content": "the walrus of Anna Noll"}]
    for fields in ({}, {"engine": "graph"}, {"rag_profile": "mute"}, {"rag_profile": "robot"}):
        client.post("/answer", json={"query": SUPERVISOR, "history": history, **fields})
    client.post("/answer", json={"query": SUPERVISOR, "limit": "x"})
    # The test client's own log names addresses; ours does not.
    told = [r.getMessage() for r in caplog.records if not r.name.startswith("httpx")]
    assert told
    for word in ("Noll", "supervisor", "walrus", "Zelenák", "Malá", KEY):
        assert not [line for line in told if word in line]
