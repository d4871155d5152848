"""The RAG function as a chat tool meets it."""

from __future__ import annotations

import json
import logging
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.rag.rules import wording
from index_artifacts.rag.tokens import estimate_tokens
from tests.functions.conftest import KEY
from tests.functions.rag_wiki import PAGES, WIDGET_KEY, gather, open_client
from tests.keys import entry, ring
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings


@pytest.fixture
def client(rag_store: Path, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    """A client over `PAGES`."""
    keys = ring(entry(KEY), entry(WIDGET_KEY, "widget", rag_profile="widget"))
    with open_client(settings(store=f"file://{rag_store}", api_keys=keys)) as client:
        yield client


def paths(answer: dict[str, Any]) -> list[str]:
    return [source["path"] for source in answer["sources"]]


def test_evidence_names_its_sources_by_number(client: TestClient) -> None:
    answer = gather(client, "who supervises the printer?")
    assert (answer["status"], answer["reason"], answer["answerable"]) == ("ok", "", True)
    assert answer["sources"][0] == {
        "number": 1, "title": "Ada Noll", "authors": ["Eva Noll"], "path": "people/ada.md",
        "heading": "Ada Noll", "source_url": "https://wiki.test/people/ada", "published": True,
    }  # fmt: skip
    for source in answer["sources"]:
        piece = answer["context"].partition(f"⟦evidence {source['number']} ")[2]
        assert piece.partition("⟧\n")[2].startswith(f"title: {source['title']}\n")
    assert answer["rules"] == wording("en").grounding()
    assert answer["language"] == "en"
    assert answer["complete"]
    assert answer["index_version"] == client.get("/health").json()["index_version"]


def test_a_page_gives_one_piece_unless_more_are_asked_for(client: TestClient) -> None:
    assert paths(gather(client)).count("printer.md") == 1
    more = gather(client, "printer paper room 12", max_per_document=2)
    assert paths(more).count("printer.md") == 2


def test_the_whole_answer_is_within_the_budget(client: TestClient) -> None:
    whole = gather(client)
    budget = whole["context_budget"]
    assert (budget["encoding"], budget["estimate"]) == ("o200k_base", True)
    assert (budget["limit"], budget["dropped"]) == (12_000, 0)
    assert budget["characters"] == len(whole["context"])
    for limit in range(600, budget["actual"], 20):
        answer = gather(client, max_tokens=limit)
        budget = answer["context_budget"]
        assert budget["limit"] == limit
        assert budget["dropped"] or budget["actual"] <= limit
        if answer["answerable"]:
            text = json.dumps(answer, ensure_ascii=False)
            assert estimate_tokens(text) <= budget["actual"] <= limit
            assert paths(answer) == paths(whole)[: len(paths(answer))]
        assert answer["complete"] == (budget["dropped"] == 0)
        assert answer["truncated"]
        assert "llm_context_budget" in answer["truncation_reasons"]


def test_nobody_raises_the_installations_budget(
    rag_store: Path, settings: Callable[..., Settings]
) -> None:
    chosen = settings(store=f"file://{rag_store}", rag_llm_max_tokens=800)
    with open_client(chosen) as client:
        for fields in ({}, {"max_tokens": 100_000}, {"rag_profile": "widget"}):
            assert gather(client, **fields)["context_budget"]["limit"] == 800


def test_max_chars_bounds_the_context(client: TestClient) -> None:
    answer = gather(client, max_chars=300)
    assert 0 < len(answer["context"]) <= 300
    assert answer["truncation_reasons"][-1] == "llm_context_budget"


def test_pages_of_one_giant_chunk_make_no_giant_answer(
    tmp_path: Path, settings: Callable[..., Settings]
) -> None:
    giant = "\u2003".join(["printer", *" " * 300_000, "paper"])
    pages = {f"page{n}.md": f"# Printer {n}\n\nThe printer {n}. {giant}\n" for n in range(4)}
    artifact = build_and_publish(tmp_path / "store", tmp_path, pages, chunk_max_tokens=8192)
    assert artifact.index.stat().st_size > 3_600_000
    chosen = settings(store=f"file://{tmp_path / 'store'}", rag_llm_max_tokens=200_000)
    with open_client(chosen) as client:
        for response in (
            client.post("/rag", json={"query": "printer paper", "limit": 50}),
            client.get("/retrieve", params={"q": "printer paper", "top_k": 50, "max_chars": 0}),
        ):
            assert response.status_code == 200
            assert response.json()["truncation_reasons"][-1] == "llm_context_budget"
            # As Lambda sends it: a string inside JSON, all but ASCII escaped.
            assert len(json.dumps(response.text)) < 6_000_000


@pytest.mark.parametrize("query", ["", "?", "\u0000"])
def test_a_query_without_words_is_no_answer_and_no_error(client: TestClient, query: str) -> None:
    answer = gather(client, query)
    assert (answer["status"], answer["reason"]) == ("no_hits", "the query holds no words")
    assert_no_evidence(answer)


def assert_no_evidence(answer: dict[str, Any]) -> None:
    assert not answer["answerable"]
    assert (answer["context"], answer["sources"]) == ("", [])
    assert answer["rules"] == wording(answer["language"]).no_evidence
    assert answer["reason"]


def test_unpublished_pages_are_in_no_field_unless_asked_for(client: TestClient) -> None:
    for query in ("chimera", "chimra", "what replaces the printer?"):
        answer = client.post("/rag", json={"query": query, "include_diagnostics": True})
        for secret in ("replaces the", "draft.md", "Chimera", '"chimera"'):
            assert secret not in answer.text
    assert "draft.md" in paths(gather(client, "chimera", published_only=False))


def test_diagnostics_come_only_when_they_are_asked_for(client: TestClient) -> None:
    assert gather(client, "printr paper")["diagnostics"] == {
        "legs": [], "corrections": {}, "chunk_ids": [], "figures": {}, "milliseconds": {}
    }  # fmt: skip
    told = gather(client, "printr paper", include_diagnostics=True)["diagnostics"]
    assert told["legs"] == ["lemma", "trigram", "vector"]
    assert told["corrections"] == {"printr": "printer"}
    assert "printer.md#0" in told["chunk_ids"]
    assert told["milliseconds"]


def test_a_profile_narrows_limits_and_adds_rules(client: TestClient) -> None:
    answer = gather(client, rag_profile="widget")
    assert answer["profile"] == "widget"
    assert len(answer["sources"]) == 1
    assert paths(answer)[0].startswith("people/")
    assert answer["context_budget"]["limit"] == 3000
    assert answer["rules"].endswith("9. Answer in one sentence.")
    wider = gather(client, rag_profile="widget", limit=5, max_tokens=5000)
    assert len(wider["sources"]) == 2
    assert wider["context_budget"]["limit"] == 5000


def test_a_keys_profile_holds_unless_the_request_names_another(client: TestClient) -> None:
    client.headers["X-API-Key"] = WIDGET_KEY
    assert gather(client)["profile"] == "widget"
    assert client.get("/retrieve", params={"q": "printer"}).json()["markdown"].count("title:") == 1
    assert gather(client, rag_profile="mute")["profile"] == "mute"


def test_the_profile_called_default_is_everybodys(
    tmp_path: Path, settings: Callable[..., Settings]
) -> None:
    toml = '[[rag_profiles]]\nname = "default"\nlimit = 1\n'
    pages = {**PAGES, "edgewiki.toml": toml}
    build_and_publish(tmp_path / "store", tmp_path, pages)
    with open_client(settings(store=f"file://{tmp_path / 'store'}")) as client:
        answer = gather(client)
        assert (answer["profile"], len(answer["sources"])) == ("default", 1)


def test_a_profile_of_no_collection_answers_nothing_and_says_why(client: TestClient) -> None:
    answer = gather(client, rag_profile="mute", include_diagnostics=True)
    assert answer["status"] == "profile_none"
    assert answer["reason"] == "the RAG profile 'mute' searches no collection"
    assert_no_evidence(answer)
    assert answer["diagnostics"]["legs"] == []


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"rag_profile": "robot"}, "RAG profile 'robot' is unknown; this version has: mute, widg"),
        ({"rag_profile": "widget", "collections": ["wiki"]}, "not in the RAG profile 'widget'"),
        ({"collections": ["teachers"]}, "collection 'teachers' is unknown; there are: people, w"),
        ({"query": "x" * 10_000}, "query: String should have at most 2000 characters"),
        ({"limit": 0}, "limit: "),
        ({"limit": 51}, "limit: "),
        ({"max_tokens": -1}, "max_tokens: "),
        ({"max_chars": "5"}, "max_chars: "),
        ({"rag_profile": None}, "rag_profile: "),
        ({"fusion": "rrf"}, "fusion: "),
    ],
)
def test_a_wrong_request_is_refused_naming_what_is_wrong(
    client: TestClient, fields: dict[str, Any], reason: str
) -> None:
    response = client.post("/rag", json={"query": "printer", **fields})
    assert response.status_code == 422
    assert set(response.json()) == {"status", "reason"}
    assert response.json()["status"] == "invalid_request"
    assert reason in response.json()["reason"]


@pytest.mark.parametrize(("method", "path"), [("POST", "/rag"), ("GET", "/retrieve?q=printer")])
def test_only_a_key_opens_it(client: TestClient, method: str, path: str) -> None:
    client.headers["X-API-Key"] = "wrong"
    response = client.request(method, path, json={"query": "printer"})
    assert (response.status_code, response.json()["status"]) == (401, "unauthorized")
    client.headers.pop("X-API-Key")
    bearer = {"Authorization": f"Bearer {KEY}"}
    response = client.request(method, path, json={"query": "printer"}, headers=bearer)
    assert response.status_code == 200


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
    rag_store: Path,
    tmp_path: Path,
    settings: Callable[..., Settings],
    break_it: Callable[[Path], object],
    reason: str,
) -> None:
    store = tmp_path / "store"
    shutil.copytree(rag_store, store)
    break_it(store)
    with open_client(settings(store=f"file://{store}")) as client:
        for response in (
            client.post("/rag", json={"query": "printer"}),
            client.get("/retrieve", params={"q": "printer"}),
        ):
            assert response.status_code == 503
            assert response.json() == {"status": "unavailable", "reason": reason}


def test_nothing_of_a_question_or_its_evidence_is_logged_above_debug(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    gather(client, "supervises the printr", include_diagnostics=True)
    gather(client, "supervises the printr", rag_profile="mute")
    client.get("/retrieve", params={"q": "supervises the printr"})
    client.post("/rag", json={"query": "supervises the printr", "rag_profile": "robot"})
    client.post("/rag", json={"query": "supervises the printr", "limit": "x"})
    # The test client's own log names addresses; ours does not.
    told = [r.getMessage() for r in caplog.records if not r.name.startswith("httpx")]
    assert told
    for word in ("printr", "printer", "supervises", "Noll"):
        assert not [line for line in told if word in line]
