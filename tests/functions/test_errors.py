"""Failures as a client meets them, and the headers that every answer has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fastapi import APIRouter
from fastapi.testclient import TestClient
from mangum import Mangum

from functions.app import create_app
from functions.local import create_local_app
from index_artifacts.errors import (
    ConfigError,
    DocumentNotFoundError,
    EdgewikiError,
    ModelMissingError,
    QueryError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from functions.settings import Settings

EVENTS = Path(__file__).parent.parent / "events"
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "strict-transport-security": "max-age=31536000",
}


def test_an_unknown_address_and_method_are_answered_in_json(client: TestClient) -> None:
    missing = client.get("/nothing/here")
    assert (missing.status_code, missing.json()["status"]) == (404, "not_found")
    wrong = client.delete("/search")
    assert (wrong.status_code, wrong.json()["status"]) == (405, "method_not_allowed")
    assert "POST" in wrong.headers["allow"] or "GET" in wrong.headers["allow"]
    assert client.get("/docs").status_code == 404


@pytest.fixture
def broken(settings: Callable[..., Settings]) -> FastAPI:
    """An app with an address for every kind of failure."""
    router = APIRouter()
    errors: dict[str, Exception] = {
        "bug": ZeroDivisionError("SELECT secret FROM /srv/app/index.sqlite"),
        "config": ConfigError("EDGEWIKI_STORE=s3://secret-bucket is wrong"),
        "model": ModelMissingError("no model in /srv/secret"),
        "tree": EdgewikiError("/srv/secret"),
        "query": QueryError("collection 'x' is unknown"),
        "page": DocumentNotFoundError("there is no page 'x'"),
    }

    @router.get("/broken/{kind}")
    def fail(kind: str) -> None:
        raise errors[kind]

    return create_app(router, settings=settings(cors_origins="https://chat.example.org"))


@pytest.mark.parametrize(
    ("kind", "status_code", "status"),
    [
        ("bug", 500, "error"),
        ("config", 500, "misconfigured"),
        ("model", 503, "unavailable"),
        ("tree", 500, "error"),
        ("query", 422, "invalid_request"),
        ("page", 404, "not_found"),
    ],
)
def test_a_failure_tells_nothing_internal_and_the_log_everything(
    broken: FastAPI, caplog: pytest.LogCaptureFixture, kind: str, status_code: int, status: str
) -> None:
    with TestClient(broken) as client:  # raises whatever the app lets through
        response = client.get(f"/broken/{kind}")
    assert response.status_code == status_code
    assert response.json()["status"] == status
    for internal in ("secret", "srv", "SELECT", "Error", "Traceback", "EDGEWIKI"):
        assert internal not in response.text
    if kind not in {"query", "page"}:
        assert "secret" in caplog.text


def test_security_headers_are_on_every_answer(broken: FastAPI, client: TestClient) -> None:
    with TestClient(broken) as other:
        answers = [
            client.get("/health"),
            client.get("/search?q=printer"),
            client.get("/search"),
            client.get("/search?q=printer", headers={"X-API-Key": "wrong"}),
            client.get("/nothing"),
            client.put("/search"),
            client.post("/search", content=b" " * 70_000),
            client.get("/openapi.json"),
            other.get("/broken/bug"),
            other.get("/broken/model"),
        ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 200, 422, 401, 404, 405, 413, 200, 500, 503]
    for answer in answers:
        assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS


PREFLIGHT = {
    "Origin": "https://chat.example.org",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type, x-api-key",
}


def test_a_browser_may_ask_before_it_has_a_key(settings: Callable[..., Settings]) -> None:
    app = create_local_app(settings(cors_origins="https://chat.example.org, https://b.example"))
    with TestClient(app) as client:
        preflight = client.options("/search", headers=PREFLIGHT)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == PREFLIGHT["Origin"]
        assert "x-api-key" in preflight.headers["access-control-allow-headers"].lower()
        assert "access-control-allow-credentials" not in preflight.headers
        stranger = client.options("/search", headers={**PREFLIGHT, "Origin": "https://evil.test"})
        assert "access-control-allow-origin" not in stranger.headers
        refused = client.post("/search", json={}, headers={"Origin": PREFLIGHT["Origin"]})
        assert refused.status_code == 401  # and the page can read why
        assert refused.headers["access-control-allow-origin"] == PREFLIGHT["Origin"]


def test_a_browser_can_read_even_a_server_error(broken: FastAPI) -> None:
    with TestClient(broken) as client:
        answer = client.get("/broken/bug", headers={"Origin": PREFLIGHT["Origin"]})
        assert answer.headers["access-control-allow-origin"] == PREFLIGHT["Origin"]


def test_no_origin_is_allowed_by_default(client: TestClient) -> None:
    answer = client.get("/search?q=printer", headers={"Origin": "https://chat.example.org"})
    assert "access-control-allow-origin" not in answer.headers
    assert client.options("/search", headers=PREFLIGHT).status_code == 405


@pytest.mark.usefixtures("mangums_loop")
def test_a_bug_is_a_plain_500_through_mangum_too(broken: FastAPI) -> None:
    handler = Mangum(broken, lifespan="off")
    event = json.loads((EVENTS / "function-url.json").read_text())
    event["rawPath"] = event["requestContext"]["http"]["path"] = "/broken/bug"
    event["requestContext"]["http"]["method"] = "GET"
    for _ in range(2):
        answer = handler(event, {})  # type: ignore[arg-type]
        assert answer["statusCode"] == 500
        assert json.loads(answer["body"])["reason"] == "internal error; see the log"
        assert answer["headers"]["x-content-type-options"] == "nosniff"


def test_without_an_encoder_the_caller_learns_the_effect_not_the_place(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/health")

    def missing() -> None:
        raise ModelMissingError("no model in /srv/secret: run `edgewiki model`")

    monkeypatch.setattr(app.state.version_state.version().searcher, "_encoder", missing)
    answer = client.get("/search?q=printer").json()
    assert (answer["status"], answer["complete"]) == ("ok", False)
    assert answer["reason"] == "the vector leg did not run: the encoder is not available"
    refused = client.get("/search?q=printer&mode=vector")
    assert refused.status_code == 503
    assert refused.json()["reason"] == "the encoder is not available; try mode=lexical"
