"""The MCP function under the real Lambda runtime client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from tests.functions.conftest import KEY
from tests.functions.test_lambda import body_of, environ, load, with_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KINDS = ["rest-api", "http-api", "function-url", "load-balancer"]


@pytest.fixture(scope="module")
def function(tiny_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LambdaProcess]:
    folder = tmp_path_factory.mktemp("mcp-lambda")
    settings = environ(f"file://{tiny_store}", folder)
    with lambda_process(folder, settings, "functions.mcp.handler.handler") as process:
        yield process


def posted(kind: str, message: object, key: str = KEY) -> dict[str, Any]:
    """The event of a client that posts ``message`` to ``/mcp``."""
    text = json.dumps(load(kind)).replace("/search", "/mcp").replace(KEY, key)
    return with_body(json.loads(text), json.dumps(message))


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize("kind", KINDS)
def test_a_conversation_may_come_three_times_to_one_process(
    function: LambdaProcess, kind: str
) -> None:
    search = request("tools/call", name="search", arguments={"query": "administrator account"})
    for _ in range(3):
        opened = function.invoke(posted(kind, request("initialize", protocolVersion="2025-06-18")))
        assert body_of(opened)["result"]["protocolVersion"] == "2025-06-18"
        told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        taken = function.invoke(posted(kind, told))
        assert (taken["statusCode"], taken["body"]) == (202, "")
        found = function.invoke(posted(kind, search))
        assert found["statusCode"] == 200
        assert "server.md" in body_of(found)["result"]["content"][0]["text"]
        headers = {k.lower(): v for k, v in found["headers"].items()}
        assert headers["content-type"] == "application/json"
        assert "mcp-session-id" not in headers


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_needs_no_opening(function: LambdaProcess, kind: str) -> None:
    reading = request("resources/read", uri="wiki:///server.md")
    body = body_of(function.invoke(posted(kind, reading)))
    assert body["result"]["contents"][0]["text"].startswith("# Server room")


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_is_not_offered(function: LambdaProcess, kind: str) -> None:
    for method in ("GET", "DELETE"):
        text = json.dumps(posted(kind, {})).replace('"POST"', f'"{method}"')
        answer = function.invoke(json.loads(text))
        assert answer["statusCode"] == 405
        assert {k.lower(): v for k, v in answer["headers"].items()}["allow"] == "POST"


def test_a_wrong_key_is_turned_away(function: LambdaProcess) -> None:
    answer = function.invoke(posted("function-url", request("ping"), key="wrong"))
    assert answer["statusCode"] == 401


def test_the_function_answers_nothing_of_the_others(function: LambdaProcess) -> None:
    assert function.invoke(load("http-api"))["statusCode"] == 404
