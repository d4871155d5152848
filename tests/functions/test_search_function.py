"""The search function as a client meets it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from functions.settings import Settings


def test_a_hit_carries_its_page_place_and_scores(client: TestClient) -> None:
    answer = client.post("/search", json={"query": "administrator account"}).json()
    assert answer["status"] == "ok"
    assert answer["complete"]
    hit = answer["hits"][0]
    assert (hit["rank"], hit["chunk_id"]) == (1, "server.md#1")
    assert hit["heading_path"] == ["Server room", "Access"]
    assert hit["document"]["title"] == "Server room"
    assert hit["document"]["summary"].startswith("The server listens")
    assert [hit["snippet"][a:b] for a, b in hit["highlights"]] == ["administrator", "account"]
    assert hit["scores"]["lemma"] > 0
    assert answer["sources"][0]["path"] == "server.md"
    assert [s["number"] for s in answer["sources"]] == list(range(1, len(answer["sources"]) + 1))
    assert len(answer["encoder"]) == 64


def test_post_and_get_give_the_same(client: TestClient) -> None:
    fields: dict[str, Any] = {
        "limit": 3, "mode": "cascade", "fusion": "rrf", "authors": ["Ada Noll", "Nobody"],
        "tags": ["budget"], "categories": ["office"], "languages": ["en"], "years": [2024, 1999],
        "published_only": False, "max_per_document": 1, "collections": ["wiki"],
    }  # fmt: skip
    posted = client.post("/search", json={"query": "printer budget", **fields})
    got = client.get("/search", params={"q": "printer budget", **fields})
    assert posted.status_code == got.status_code == 200
    assert timeless(posted.json()) == timeless(got.json())
    assert [hit["document"]["id"] for hit in got.json()["hits"]] == ["report.md"]


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "milliseconds": set(answer["milliseconds"])}


def test_a_leg_that_did_not_run_scores_minus_one(client: TestClient) -> None:
    answer = client.get("/search", params={"q": "printer", "mode": "lexical"}).json()
    assert answer["legs"] == ["lemma", "trigram"]
    assert answer["encoder"] == ""
    assert answer["hits"][0]["scores"]["vector"] == -1


def test_a_correction_is_told(client: TestClient) -> None:
    answer = client.get("/search", params={"q": "admnistrator"}).json()
    assert answer["corrections"] == {"admnistrator": "administrator"}


@pytest.mark.parametrize("query", ["", " ", "?", "😀", "((((", "\x00", "-", '"'])
def test_a_query_without_words_is_no_error(client: TestClient, query: str) -> None:
    for response in (
        client.post("/search", json={"query": query}),
        client.get("/search", params={"q": query}),
    ):
        answer = response.json()
        assert response.status_code == 200
        assert (answer["status"], answer["hits"]) == ("no_hits", [])
        assert answer["reason"] == "the query holds no words"


@pytest.mark.parametrize(
    "query",
    ["AND", "NEAR(x", "title:server", "server* OR 1=1", "'; DROP TABLE chunks; --", "a b NOT",
     "a" * 2000, "ž" * 2000, "wörd " * 400, "\u202eשרת", "x\x00y", '"a" ' * 500],
)  # fmt: skip
def test_nothing_typed_is_a_server_error(client: TestClient, query: str) -> None:
    assert client.post("/search", json={"query": query}).status_code == 200
    assert client.get("/search", params={"q": query}).status_code == 200


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"query": "x", "colour": "red"}, "colour: "),
        ({"query": "x", "limit": "5"}, "limit: Input should be a valid integer"),
        ({"query": "x", "limit": 5.0}, "limit: "),
        ({"query": "x", "limit": 0}, "limit: "),
        ({"query": "x", "limit": 51}, "limit: "),
        ({"query": "x", "limit": True}, "limit: "),
        ({"query": "x", "limit": None}, "limit: "),
        ({"query": "x", "limit": 10**30}, "limit: "),
        ({"query": "x", "mode": "psychic"}, "mode: "),
        ({"query": "x", "tags": "gpu"}, "tags: "),
        ({"query": "x", "tags": [1]}, "tags.0: "),
        ({"query": "x", "tags": [""]}, "tags.0: "),
        ({"query": "x", "tags": ["t"] * 51}, "tags: "),
        ({"query": "x", "years": ["2024"]}, "years.0: "),
        ({"query": "x", "published_only": "yes"}, "published_only: "),
        ({"query": "x" * 2001}, "query: "),
        ({"query": 5}, "query: "),
        ({"query": None}, "query: "),
        ({}, "query: Field required"),
        ([], "body: "),
        ("text", "body: "),
        (None, "body: "),
        ({"query": "x", "collections": ["teachers"]}, "collection 'teachers' is unknown"),
    ],
)
def test_a_wrong_request_is_refused_naming_the_field(
    client: TestClient, body: object, reason: str
) -> None:
    response = client.post("/search", json=body)
    assert response.status_code == 422
    assert set(response.json()) == {"status", "reason"}
    assert response.json()["status"] == "invalid_request"
    assert reason in response.json()["reason"]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "q: Field required"),
        ("q=x&colour=red", "colour: "),
        ("query=x", "query: "),
        ("q=x&limit=many", "limit: "),
        ("q=x&limit=99", "limit: "),
        ("q=x&years=MMXXIV", "years.0: "),
        ("q=x&published_only=perhaps", "published_only: "),
    ],
)
def test_a_wrong_parameter_is_refused_naming_it(
    client: TestClient, query: str, reason: str
) -> None:
    response = client.get(f"/search?{query}")
    assert response.status_code == 422
    assert reason in response.json()["reason"]


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"\xff\xfe{}", b'{"query": "x"', b"query=x", b"[" * 60_000, b'{"query": "\\ud8"}',
     b'{"query": "x", "limit": 1' + b"0" * 5000 + b"}"],
)  # fmt: skip
def test_a_body_that_is_no_json_is_refused(client: TestClient, body: bytes) -> None:
    response = client.post("/search", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 422
    assert response.json()["status"] == "invalid_request"


def test_a_body_that_is_not_called_json_is_told_how_to_be(client: TestClient) -> None:
    response = client.post("/search", content=b'{"query": "printer"}')
    assert response.status_code == 422
    assert response.json()["reason"] == (
        "body: send a JSON object, with the header Content-Type: application/json"
    )


def test_lone_surrogates_are_refused_and_can_be_answered(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    for body in (b'{"query": "\\ud800"}', b'{"query": "x", "\\ud800": 1}', b'{"query": "x", '
                 b'"tags": ["\\udfff"]}', b'{"query": "x", "mode": "\\ud800"}'):  # fmt: skip
        response = client.post("/search", content=body, headers=headers)
        assert response.status_code == 422
        assert response.json()["reason"]


def test_a_body_over_the_limit_is_too_large(settings: Callable[..., Settings]) -> None:
    app = create_local_app(settings(max_body_bytes=2048))
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        body = json.dumps({"query": "printer", "tags": ["t" * 150] * 40}).encode()

        def in_chunks() -> Iterator[bytes]:
            for at in range(0, len(body), 500):
                yield body[at : at + 500]

        whole = client.post("/search", content=body)
        chunked = client.post("/search", content=in_chunks())
        assert "content-length" not in chunked.request.headers
        for response in (whole, chunked):
            assert response.status_code == 413
            assert response.json() == {
                "status": "too_large",
                "reason": "the body is larger than 2048 bytes",
            }
        exact = json.dumps({"query": "printer"}).encode().ljust(2048)
        headers = {"Content-Type": "application/json"}
        assert client.post("/search", content=exact, headers=headers).status_code == 200
        assert client.post("/search", content=exact + b" ", headers=headers).status_code == 413


def test_health_describes_what_is_served(client: TestClient) -> None:
    health = client.get("/health").json()
    assert health["status"] == "ok"
    assert health["index_version"] == client.get("/search?q=printer").json()["index_version"]
    assert health["channel"] == "latest"
    assert 0 <= health["age_seconds"] < 3600
