"""A line for every request: what it was and what came of it, and nothing that was said."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from eval.lambda_runtime import LambdaProcess, lambda_process
from functions.local import create_local_app
from functions.logs import ROOT, set_up_logging
from functions.settings import load_settings
from index_artifacts.errors import ConfigError
from tests.functions.conftest import KEY, TTL, Clock, Watched
from tests.functions.test_lambda import environ, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from functions.settings import Settings
    from functions.state import State

QUESTION = "toner for the wombat"


@pytest.fixture(autouse=True)
def _as_before(settings: Callable[..., Settings]) -> Iterator[None]:
    level = ROOT.level
    yield
    set_up_logging(settings(log="text"))
    ROOT.setLevel(level)


@pytest.fixture
def client(settings: Callable[..., Settings]) -> Iterator[TestClient]:
    app = create_local_app(settings(log="json", metrics="emf"))
    with TestClient(app, headers={"X-API-Key": KEY}, raise_server_exceptions=False) as client:
        yield client


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def requests(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [line for line in lines(capsys) if "route" in line]


def test_a_search_has_its_line(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    answer = client.post("/search", json={"query": QUESTION, "mode": "lexical"})
    (line,) = requests(capsys)
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert (line["function"], line["route"], line["method"]) == ("search", "/search", "POST")
    assert (line["status"], line["answer_status"]) == (200, "ok")
    assert line["index_version"] == answer.json()["index_version"]
    assert (line["mode"], line["legs"]) == ("lexical", ["lemma", "trigram"])
    assert line["outcome"] == answer.json()["outcome"]
    assert line["caller"] == "tester"
    assert line["milliseconds"] > 0
    assert line["version_age_seconds"] >= 0
    assert line["cold_start"] is True
    client.get("/health")
    (line,) = requests(capsys)
    assert (line["route"], line["cold_start"]) == ("/health", False)


@pytest.mark.parametrize(
    ("path", "route", "function"),
    [
        ("/rag", "/rag", "rag"),
        ("/answer", "/answer", "answer"),
        ("/graph/search", "/graph/search", "graph"),
    ],
)
def test_every_function_says_which_version_and_what_came_of_it(
    client: TestClient,
    capsys: pytest.CaptureFixture[str],
    path: str,
    route: str,
    function: str,
) -> None:
    answer = client.post(path, json={"query": "Who wrote the yearly report?"}).json()
    (line,) = requests(capsys)
    assert (line["route"], line["function"]) == (route, function)
    assert (line["answer_status"], line["outcome"]) == (answer["status"], answer["outcome"])
    assert line["index_version"] == answer["index_version"]


def test_what_was_asked_and_by_which_key_is_in_no_line(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = "a-bad-key-of-somebody-0123456789abcd"
    client.get("/search", params={"q": QUESTION})
    client.get("/suggest", params={"q": "Noll wombat"})
    client.get("/suggest", params={"q": "Ada Noll"})
    client.get("/suggest", params={"q": QUESTION, "collections": "wombat"})
    client.post("/search", json={"query": QUESTION, "years": ["wombat"]})
    client.post("/answer", json={"query": f"{QUESTION}?"})
    client.post("/rag", content=b'{"query": "wombat')
    client.get("/graph/entities/person:wombat")
    client.get("/wombat")
    client.request("WOMBAT", "/search")
    call = {"name": "search", "arguments": {"query": QUESTION}}
    client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    refused = client.get("/search?q=wombat", headers={"X-API-Key": bad, "X-Request-Id": "wom bat"})
    assert refused.status_code == 401
    out = capsys.readouterr().out
    assert len(out.splitlines()) >= 12
    for secret in ("wombat", "wom bat", KEY, bad, "toner", "Noll"):
        assert secret not in out


def test_an_unforeseen_error_is_logged_without_what_it_quotes(
    client: TestClient, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(body: Any, _: State) -> None:
        raise ValueError(f"cannot parse {body.query!r}")

    monkeypatch.setattr("functions.search.routes.run", fail)
    answer = client.post("/search", json={"query": QUESTION})
    said = capsys.readouterr().out
    assert "wombat" not in said
    error, request = [json.loads(line) for line in said.splitlines()]
    assert (error["level"], error["exception"]) == ("error", "ValueError")
    assert any("test_request_log.py" in frame for frame in error["stack"])
    assert error["request_id"] == request["request_id"] == answer.headers["X-Request-Id"]
    assert (request["status"], request["Errors"]) == (500, 1)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("order-1234.a_b", True),
        ("short", False),
        ("x" * 65, False),
        ('"}\n{"forged": 1', False),
        ("žltý-kôň-12345", False),
    ],
)
def test_a_request_id_of_the_caller_is_kept_where_it_is_one(
    client: TestClient, capsys: pytest.CaptureFixture[str], given: str, kept: bool
) -> None:
    answer = client.get("/health", headers={b"X-Request-Id": given.encode()})
    (line,) = requests(capsys)
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert (line["request_id"] == given) is kept


def test_refused_requests_have_an_id_as_well(client: TestClient) -> None:
    answers = [
        client.get("/search?q=a", headers={"X-API-Key": "wrong"}),
        client.get("/nowhere"),
        client.post("/search", content=b"x" * 70_000),
    ]
    assert [answer.status_code for answer in answers] == [401, 404, 413]
    assert len({answer.headers["X-Request-Id"] for answer in answers}) == 3


def test_metrics_are_in_the_form_that_cloudwatch_reads(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    """https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/…Embedded_Metric_Format…"""
    client.get("/search?q=printer")
    (line,) = requests(capsys)
    assert line["_aws"]["Timestamp"] > 1_700_000_000_000
    (described,) = line["_aws"]["CloudWatchMetrics"]
    assert described["Namespace"] == "edgewiki"
    for metric in described["Metrics"]:
        assert isinstance(line[metric["Name"]], int | float)
    assert described["Dimensions"] == [["function"], ["function", "route"]]
    for dimensions in described["Dimensions"]:
        assert all(isinstance(line[name], str) and line[name] for name in dimensions)
    assert (line["ColdStart"], line["Errors"], line["RefreshFailed"]) == (1, 0, 0)


def test_a_failed_refresh_is_counted_once(
    state: State,
    store: Watched,
    clock: Clock,
    settings: Callable[..., Settings],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("functions.app.State", lambda *_, **__: state)
    app = create_local_app(settings(log="json", metrics="emf", store=store.url))
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        client.get("/health")
        store.down = True
        clock.now += TTL
        client.get("/health")
        client.get("/health")
    assert [line["RefreshFailed"] for line in requests(capsys)] == [0, 1, 0]


def test_text_is_left_to_whoever_runs_the_process(
    settings: Callable[..., Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    with TestClient(create_local_app(settings()), headers={"X-API-Key": KEY}) as client:
        assert client.get("/search?q=printer").headers["X-Request-Id"]
    assert capsys.readouterr().out == ""
    assert logging.getLogger("edgewiki").propagate


def test_metrics_need_lines_of_json(settings: Callable[..., Settings]) -> None:
    with pytest.raises(ConfigError, match="needs EDGEWIKI_LOG=json"):
        load_settings(allow_anonymous=True, metrics="emf")
    assert settings(log="json", metrics="off").embeds_metrics is False


def test_on_lambda_the_log_is_json_with_metrics_and_lambdas_request_id(
    tiny_store: Path, tmp_path: Path
) -> None:
    with lambda_process(tmp_path, environ(f"file://{tiny_store}", tmp_path)) as function:
        answers = [function.invoke(load("http-api")) for _ in range(3)]
        written = request_lines(function)
    ids = [
        {name.lower(): value for name, value in answer["headers"].items()}["x-request-id"]
        for answer in answers
    ]
    assert [line["request_id"] for line in written] == ids
    assert [line["cold_start"] for line in written] == [True, False, False]
    assert [line["ColdStart"] for line in written] == [1, 0, 0]
    assert {line["function"] for line in written} == {"edgewiki-search"}  # as its alarms call it
    assert KEY not in function.log


def request_lines(function: LambdaProcess) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in function.log.splitlines() if line.startswith("{")]
    return [line for line in found if "route" in line]
