"""Questions to a service whose vectors may come from a server, which has its bad days."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.state import State
from index_artifacts.artifact import fetch_channel
from index_artifacts.encoder_router import DOWN_SECONDS
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ConfigError
from index_artifacts.onnx_encoder import OnnxEncoder
from index_artifacts.store import open_store
from tests.embeddings_server import EmbeddingsServer, bags, embeddings_server
from tests.functions.conftest import KEY, Clock
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from functions.settings import Settings
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Encoder

QUESTION = "printer paper"


@pytest.fixture
def own(tiny_store: Path, tmp_path: Path) -> Encoder:
    """The encoder of the version that is served."""
    store = open_store(f"file://{tiny_store}")
    return open_encoder(fetch_channel(store, "latest", tmp_path / "own").model)


@pytest.fixture
def server(own: Encoder) -> Iterator[EmbeddingsServer]:
    """A server that runs the same model."""
    with embeddings_server(own.encode_passages) as running:
        yield running


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no slow server."""
    from index_artifacts.encoder_router import Limits

    monkeypatch.setattr("functions.query_encoders.OF_A_SERVER", Limits(60.0, 60.0, 30.0))


@pytest.fixture
def serve(
    server: EmbeddingsServer, settings: Callable[..., Settings], clock: Clock
) -> Callable[..., TestClient]:
    """A client of a service with the server's address; keyword arguments are settings."""

    def client(**fields: Any) -> TestClient:
        defaults = {"embeddings_url": server.url, "embeddings_model": "m"}
        app = create_local_app(settings(**{**defaults, **fields}))
        app.state.version_state._clock = clock
        return TestClient(app, headers={"X-API-Key": KEY})

    return client


def search(client: TestClient, **fields: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.get("/search", params={"q": QUESTION, **fields}).json()
    return answer


@pytest.mark.parametrize(
    ("setting", "kind"),
    [("auto", "cooccurrence"), ("local", "cooccurrence"), ("remote", "remote"), ("none", "")],
)
def test_the_setting_chooses_and_the_answer_names_what_was_used(
    serve: Callable[..., TestClient], server: EmbeddingsServer, setting: str, kind: str
) -> None:
    answer = search(serve(query_encoder=setting))
    assert (answer["status"], answer["encoder_kind"]) == ("ok", kind)
    assert ("vector" in answer["legs"], answer["complete"]) == (bool(kind), bool(kind))
    assert bool(answer["encoder"]) == bool(kind)
    assert bool(server.asked) == (setting == "remote")
    assert answer["hits"][0]["document"]["id"] == "printer.md"


def test_the_same_hits_come_from_either_encoder(serve: Callable[..., TestClient]) -> None:
    here, there = (search(serve(query_encoder=name)) for name in ("local", "remote"))
    assert [hit["chunk_id"] for hit in here["hits"]] == [hit["chunk_id"] for hit in there["hits"]]
    for one, other in zip(here["hits"], there["hits"], strict=True):
        assert one["scores"]["vector"] == pytest.approx(other["scores"]["vector"], abs=1e-4)


def test_a_failing_server_is_replaced_within_the_request_and_health_tells(
    serve: Callable[..., TestClient], server: EmbeddingsServer, clock: Clock
) -> None:
    client = serve(query_encoder="remote")
    assert search(client)["encoder_kind"] == "remote"
    server.broken = True
    answer = search(client)
    assert (answer["encoder_kind"], answer["complete"]) == ("cooccurrence", True)
    health = client.get("/health").json()
    assert health["encoders"] == {"remote": "down", "local": "ready"}
    assert health["status"] == "ok"
    server.broken = False
    clock.now += DOWN_SECONDS
    assert search(client)["encoder_kind"] == "remote"


def test_auto_goes_to_the_server_where_the_local_one_fails(
    serve: Callable[..., TestClient],
    server: EmbeddingsServer,
    tmp_path: Path,
) -> None:
    client = serve()
    assert client.get("/health").json()["encoders"] == {"local": "unasked", "remote": "unasked"}
    for file in (tmp_path / "cache").rglob("vectors.npy"):
        file.unlink()  # a local model that is damaged
    answer = search(client, mode="vector")
    assert (answer["encoder_kind"], answer["legs"]) == ("remote", ["vector"])
    server.broken = True
    answer = search(client)
    assert (answer["status"], answer["legs"]) == ("ok", ["lemma", "trigram"])
    assert (answer["complete"], answer["encoder"], answer["encoder_kind"]) == (False, "", "")
    assert answer["reason"] == "the vector leg did not run: the encoder is not available"
    refused = client.get("/search", params={"q": QUESTION, "mode": "vector"})
    assert (refused.status_code, refused.json()["status"]) == (503, "unavailable")
    health = client.get("/health").json()
    assert health["encoders"] == {"local": "down", "remote": "down"}
    assert (health["status"], health["ready"]) == ("degraded", ["index"])
    assert health["reason"] == "no encoder answers: words alone are searched"


def test_vectors_are_refused_where_no_encoder_is_allowed(serve: Callable[..., TestClient]) -> None:
    client = serve(query_encoder="none")
    assert client.get("/search", params={"q": QUESTION, "mode": "vector"}).status_code == 503
    assert search(client, mode="lexical")["complete"]
    health = client.get("/health").json()
    assert (health["status"], health["encoders"]) == ("ok", {})


def test_a_server_with_another_model_is_told_and_its_vectors_are_never_used(
    serve: Callable[..., TestClient], server: EmbeddingsServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.turned = True
    client = serve(query_encoder="remote")
    assert search(client)["encoder_kind"] == "cooccurrence"
    assert [r.levelno for r in caplog.records if "refused for this" in r.getMessage()] == [
        logging.ERROR
    ]
    health = client.get("/health").json()
    assert (health["status"], health["encoders"]["remote"]) == ("degraded", "refused")
    assert "the remote encoder is another model" in health["reason"]
    assert server.url not in json.dumps(health)
    assert QUESTION not in [text for inputs in server.asked for text in inputs]


def test_evidence_and_answers_name_the_encoder_and_so_does_the_log(
    serve: Callable[..., TestClient], caplog: pytest.LogCaptureFixture
) -> None:
    client = serve(query_encoder="remote")
    with caplog.at_level(logging.INFO, "edgewiki.requests"):
        for path in ("/search", "/rag"):
            answer = client.post(path, json={"query": QUESTION}).json()
            assert answer["encoder_kind"] == "remote", path
        assert client.get("/retrieve", params={"q": QUESTION}).json()["encoder_kind"] == "remote"
        lexical = client.post("/rag", json={"query": QUESTION, "mode": "lexical"}).json()
        assert lexical["encoder_kind"] == ""
    lines = [getattr(r, "fields") for r in caplog.records if hasattr(r, "fields")]  # noqa: B009
    assert [line["encoder_kind"] for line in lines] == ["remote"] * 3 + [""]


def test_whoever_may_read_some_collections_is_routed_as_well(
    server: EmbeddingsServer, settings: Callable[..., Settings]
) -> None:
    state = State(settings(query_encoder="remote", embeddings_url=server.url, embeddings_model="m"))
    served = state.version()
    assert served.seen_by(frozenset()).router is served.router
    assert served.seen_by(frozenset()).searcher._encoder is served.router


def test_a_version_that_a_server_built_asks_that_server_or_the_one_of_the_settings(
    server: EmbeddingsServer, serve: Callable[..., TestClient], tmp_path: Path
) -> None:
    server.embed = bags
    build_and_publish(
        tmp_path / "store", tmp_path, model="remote", model_url=server.url, model_name="m"
    )
    store = f"file://{tmp_path / 'store'}"
    client = serve(store=store, embeddings_url="", embeddings_model="")
    assert search(client)["encoder_kind"] == "remote"
    assert client.get("/health").json()["encoders"] == {"remote": "ready"}
    with embeddings_server(bags) as moved:
        server.broken = True
        client = serve(store=store, embeddings_url=moved.url)
        assert search(client)["encoder_kind"] == "remote"
        assert moved.asked[-1] == [f"query: {QUESTION}"]
    alone = search(serve(store=store, query_encoder="local"))
    assert (alone["encoder_kind"], alone["complete"]) == ("", False)


def test_a_built_version_s_server_that_was_given_another_model_is_refused(
    server: EmbeddingsServer, serve: Callable[..., TestClient], tmp_path: Path
) -> None:
    server.embed = bags
    build_and_publish(
        tmp_path / "store", tmp_path, model="remote", model_url=server.url, model_name="m"
    )
    server.turned = True  # under the same name: the fingerprint cannot tell
    client = serve(store=f"file://{tmp_path / 'store'}", embeddings_url="")
    assert search(client)["encoder_kind"] == ""
    assert client.get("/health").json()["encoders"] == {"remote": "refused"}


def test_remote_without_an_address_is_told_and_served_locally(
    serve: Callable[..., TestClient], caplog: pytest.LogCaptureFixture
) -> None:
    answer = search(serve(query_encoder="remote", embeddings_url=""))
    assert answer["encoder_kind"] == "cooccurrence"
    assert "EDGEWIKI_EMBEDDINGS_URL is empty" in caplog.text


def test_an_address_that_is_none_is_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    from functions.settings import load_settings

    for wrong in ("localhost:11434", "http://user:secret@host/v1"):
        monkeypatch.setenv("EDGEWIKI_EMBEDDINGS_URL", wrong)
        with pytest.raises(ConfigError, match="EDGEWIKI_EMBEDDINGS_URL") as refused:
            load_settings(allow_anonymous=True)
        assert "secret" not in str(refused.value)


@pytest.fixture
def real_server(small_artifact: Artifact) -> Iterator[EmbeddingsServer]:
    """The real model behind a server, which knows nothing of prefixes."""
    model = OnnxEncoder(small_artifact.model)
    model._query_prefix = model._passage_prefix = []
    with embeddings_server(model.encode_passages) as running:
        yield running


def test_the_real_model_behind_a_server_is_the_version_s(
    serve: Callable[..., TestClient], real_server: EmbeddingsServer, small_store: str
) -> None:
    there = {"query_encoder": "remote", "embeddings_url": real_server.url, "embeddings_model": ""}
    question = {"query": "Kde sú servery katedry?", "mode": "vector"}
    remote = serve(store=small_store, **there).post("/search", json=question).json()
    local = serve(store=small_store, query_encoder="local").post("/search", json=question).json()
    assert (remote["encoder_kind"], local["encoder_kind"]) == ("remote", "onnx")
    assert [h["chunk_id"] for h in remote["hits"]] == [h["chunk_id"] for h in local["hits"]]
    assert remote["hits"][0]["score"] == pytest.approx(local["hits"][0]["score"], abs=1e-4)
    assert remote["encoder"] == local["encoder"]


def test_an_answer_is_given_without_vectors_where_all_fail_in_the_middle_of_it(
    serve: Callable[..., TestClient],
    real_server: EmbeddingsServer,
    small_store: str,
    tmp_path: Path,
) -> None:
    client = serve(store=small_store, query_encoder="remote", embeddings_url=real_server.url)
    client.get("/health")
    for file in (tmp_path / "cache").rglob("model.onnx"):
        file.unlink()
    model = real_server.embed
    real_server.embed = lambda inputs: model(inputs) * (1 if len(inputs) == 1 else float("nan"))
    answer = client.post("/answer", json={"query": "Kde sú servery katedry?", "engine": "rag"})
    assert any(len(inputs) > 1 for inputs in real_server.asked)
    assert (answer.status_code, answer.json()["encoder_kind"]) == (200, "remote")
    assert client.get("/health").json()["encoders"] == {"remote": "down", "local": "down"}
