"""The graph over HTTP: questions, entities, paths and statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.functions.rag_wiki import open_client
from tests.index_artifacts.graph.graph_wiki import PAGES
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings

SUPERVISOR = "Kto viedol diplomovú prácu Jána Kvetoňa?"


@pytest.fixture
def client(graph_store: Path, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    with open_client(settings(store=f"file://{graph_store}")) as client:
        yield client


def search(client: TestClient, query: str, **fields: Any) -> dict[str, Any]:
    response = client.post("/graph/search", json={"query": query, **fields})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def get(client: TestClient, path: str, **parameters: Any) -> dict[str, Any]:
    response = client.get(path, params=parameters)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_a_question_is_answered_by_typed_facts_with_their_places(client: TestClient) -> None:
    found = search(client, SUPERVISOR)
    assert (found["status"], found["outcome"], found["language"]) == ("ok", "answered", "sk")
    (answer,) = found["answers"]
    assert answer == {
        "type": "Person", "id": "person:peter-zelenak", "value": "Peter Zelenák", "number": 0,
        "page": "teachers/zelenak/README.md",
    }  # fmt: skip
    assert found["complete"]
    assert [source["path"] for source in found["sources"]] == ["students/2019/jan_kveton/README.md"]
    led = next(fact for fact in found["facts"] if fact["relation"] == "SUPERVISED")
    assert led["subject"]["id"] == answer["id"]
    assert led["object"]["id"] == "thesis:jan-kveton/master-2024"
    (evidence,) = led["evidence"]
    assert evidence["source_url"] == "https://wiki.test/students/2019/jan_kveton"
    assert evidence["rule"].startswith("thesis/")
    assert {m["mention"] for m in found["entities"]} == {"Jána Kvetoňa"}


def test_years_counts_and_yes_or_no_have_their_types(client: TestClient) -> None:
    def only(query: str) -> tuple[str, str, int]:
        (answer,) = search(client, query)["answers"]
        return answer["type"], answer["value"], answer["number"]

    assert only("Kedy začal študovať Ján Kvetoň?") == ("start_year", "2019", 2019)
    assert only("Koľko prác viedol Miloš Haverla?") == ("count", "4", 4)
    assert only("Viedol Peter Zelenák Jána Kvetoňa?") == ("boolean", "true", 0)


def test_what_gives_no_answer_says_why(client: TestClient) -> None:
    ambiguous = search(client, "Kto viedol Martina Hrušku?")
    assert ambiguous["status"] == ambiguous["outcome"] == "ambiguous"
    assert len(ambiguous["candidates"]) == 2
    for query, outcome in {
        "Kto viedol Jozefa Mrkvičku?": "unknown_entity",
        "Ktorú dizertačnú prácu napísal Ján Kvetoň?": "no_facts",
        "V ktorej miestnosti sedí Peter Zelenák?": "not_understood",
    }.items():
        found = search(client, query)
        assert (found["outcome"], found["answers"], found["facts"]) == (outcome, [], [])
        assert found["reason"]


def test_a_cut_answer_says_so(client: TestClient) -> None:
    found = search(client, "Koho viedol Peter Zelenák?", limit=1)
    assert (len(found["answers"]), found["truncated"], found["complete"]) == (1, True, False)
    assert found["truncation_reasons"] == ["limit"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"query": "x", "collections": ["nowhere"]}, "collection 'nowhere' is unknown"),
        ({"query": "x", "rag_profile": "nobody"}, "nobody"),
        ({"query": "x" * 3_000}, "2000"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "mode": "hybrid"}, "mode"),
        ({}, "query"),
    ],
)
def test_a_wrong_request_is_named(client: TestClient, body: dict[str, Any], reason: str) -> None:
    response = client.post("/graph/search", json=body)
    assert response.status_code == 422
    assert reason in response.json()["reason"]


def test_a_profile_binds_the_graph(client: TestClient) -> None:
    assert search(client, SUPERVISOR, rag_profile="widget")["outcome"] != "answered"
    mute = get(client, "/graph/stats", rag_profile="mute")
    assert (mute["entities"], mute["relations"]) == ({}, {})


def test_entities_are_looked_up_and_listed(client: TestClient) -> None:
    found = get(client, "/graph/entities", name="kvetoňovi", type="Person")
    assert [entity["id"] for entity in found["entities"]] == ["person:jan-kveton"]
    listed = get(client, "/graph/entities", prefix="martin", type="Person", limit=1)
    assert (len(listed["entities"]), listed["total"], listed["truncated"]) == (1, 2, True)
    nobody = get(client, "/graph/entities", name="Jozef Mrkvička")
    assert (nobody["status"], nobody["total"]) == ("no_hits", 0)
    response = client.get("/graph/entities", params={"type": "Dragon"})
    assert response.status_code == 422
    assert "type 'Dragon' is unknown" in response.json()["reason"]


@pytest.mark.parametrize(
    "key", ["person:jan-kveton", "document:students/2019/jan_kveton/README.md"]
)
def test_an_entity_is_read_with_what_is_around_it(client: TestClient, key: str) -> None:
    found = get(client, f"/graph/entities/{key}")
    assert found["entity"]["id"] == key
    assert found["evidence"]
    assert found["facts"]
    assert all(fact["evidence"] for fact in found["facts"])


@pytest.mark.parametrize("key", ["person:nobody", "person:samuel-tichy"])
def test_an_entity_that_is_not_there_or_not_published_is_not_found(
    client: TestClient, key: str
) -> None:
    response = client.get(f"/graph/entities/{key}")
    assert response.status_code == 404
    assert response.json()["status"] == "not_found"


def test_paths_join_two_entities(client: TestClient) -> None:
    ends = {"from": "Ján Kvetoň", "to": "Lucia Hrušková"}
    one = get(client, "/graph/path", **ends)
    assert len(one["paths"]) == 1
    several = get(client, "/graph/path", **ends, paths=3)
    assert len(several["paths"]) == 3
    assert len(several["paths"][0]) == len(one["paths"][0])
    for wrong, status in (("Martin Hruška", 422), ("Jozef Mrkvička", 404)):
        response = client.get("/graph/path", params={"from": "Ján Kvetoň", "to": wrong})
        assert response.status_code == status, response.text


def test_the_pickle_is_fetched_for_what_needs_an_algorithm_alone(
    graph_store: Path, settings: Callable[..., Settings], tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    with open_client(settings(store=f"file://{graph_store}", cache_dir=cache)) as client:
        search(client, SUPERVISOR)
        get(client, "/graph/path", **{"from": "Ján Kvetoň", "to": "Lucia Hrušková"})
        assert not list(cache.rglob("graph.pickle"))
        get(client, "/graph/path", **{"from": "Ján Kvetoň", "to": "Lucia Hrušková", "paths": 2})
        assert list(cache.rglob("graph.pickle"))


def test_a_tampered_pickle_is_refused_and_everything_else_goes_on(
    tmp_path: Path, settings: Callable[..., Settings]
) -> None:
    artifact = build_and_publish(tmp_path / "store", tmp_path, PAGES, languages=("sk", "en"))
    digest = artifact.manifest.file("graph.pickle").sha256
    (blob,) = (tmp_path / "store").rglob(digest)
    blob.chmod(0o644)
    blob.write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    with open_client(settings(store=f"file://{tmp_path / 'store'}")) as client:
        ends = {"from": "Ján Kvetoň", "to": "Lucia Hrušková", "paths": "2"}
        response = client.get("/graph/path", params=ends)
        assert response.status_code == 503
        assert search(client, SUPERVISOR)["outcome"] == "answered"


def test_what_the_graph_holds_is_counted(client: TestClient) -> None:
    found = get(client, "/graph/stats")
    assert found["entities"]["Person"] >= 10
    assert found["relations"]["SUPERVISED"] >= 12
    assert found["gaps"] == 0
