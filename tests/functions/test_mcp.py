"""``/mcp`` as bare HTTP: what clients send that no library would."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from functions.settings import Settings

META = "io.modelcontextprotocol/"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def rpc(client: TestClient, method: str, **params: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    response = client.post("/mcp", json=message)
    assert response.status_code == 200
    body: dict[str, Any] = response.json()
    assert (body["jsonrpc"], body["id"]) == ("2.0", 7)
    return body


def test_an_answer_is_json_and_makes_no_session(client: TestClient) -> None:
    response = client.post("/mcp", json=PING)
    assert response.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept": "text/html"},
        {"Accept": "text/event-stream"},
        {"Content-Type": "text/plain"},
        {"Mcp-Session-Id": "of another server"},
        {"Host": "evil.example.org"},
        {"MCP-Protocol-Version": "1999-01-01"},
        {"MCP-Protocol-Version": "2026-07-28"},
        {"Origin": "https://chat.example.org"},
    ],
)
def test_headers_that_decide_nothing_are_let_pass(
    client: TestClient, headers: dict[str, str]
) -> None:
    response = client.post("/mcp", content=json.dumps(PING), headers=headers)
    assert (response.status_code, response.json()["result"]) == (200, {})


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
@pytest.mark.parametrize("key", [KEY, "wrong"])
def test_there_is_no_stream_to_open_and_no_session_to_end(
    client: TestClient, method: str, key: str
) -> None:
    response = client.request(method, "/mcp", headers={"X-API-Key": key})
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


def test_without_a_key_nothing_is_answered(app: FastAPI) -> None:
    with TestClient(app) as client:
        for body in (json.dumps(PING), "[]", "{"):
            response = client.post("/mcp", content=body)
            assert response.status_code == 401
            assert response.headers["www-authenticate"] == "Bearer"
        given = {"Authorization": f"Bearer {KEY}"}
        assert client.post("/mcp", json=PING, headers=given).status_code == 200


def test_it_is_no_operation_of_the_http_api(client: TestClient) -> None:
    assert "/mcp" not in client.get("/openapi.json").json()["paths"]


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/x", "ping"])
def test_a_notification_is_taken_without_a_word(client: TestClient, method: str) -> None:
    response = client.post("/mcp", json={"jsonrpc": "2.0", "method": method})
    assert (response.status_code, response.content) == (202, b"")


def test_an_answer_to_no_question_is_taken_too(client: TestClient) -> None:
    for part in ("result", "error"):
        response = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, part: {}})
        assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[1,", b"nothing", b"[" * 60_000, b'{"id": NaN}',
     b'{"id": 1' + b"0" * 5000 + b"}"],
)  # fmt: skip
def test_what_is_no_json_is_a_parse_error(client: TestClient, body: bytes) -> None:
    response = client.post("/mcp", content=body)
    assert response.status_code == 400
    assert response.json() == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32700, "message": "the body is not valid JSON"},
    }


@pytest.mark.parametrize(
    "message",
    [
        5, "x", None, True, {}, {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1}, {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": {}, "method": "ping"},
    ],
)  # fmt: skip
def test_what_is_no_message_is_an_invalid_request(client: TestClient, message: object) -> None:
    response = client.post("/mcp", content=json.dumps(message))
    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such/method", {}, -32601),
        ("resources/subscribe", {"uri": "wiki:///server.md"}, -32601),
        ("ping", [1], -32602),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": 5}, -32602),
        ("tools/call", {"name": ["search"]}, -32602),
        ("tools/call", {"name": "search", "arguments": "x"}, -32602),
        ("resources/read", {}, -32602),
        ("resources/read", {"uri": 5}, -32602),
        ("resources/read", {"uri": "http://x/server.md"}, -32002),
        ("resources/read", {"uri": "wiki:///%ff%00"}, -32002),
        ("resources/read", {"uri": "wiki:///\ud800"}, -32002),
        ("resources/list", {"cursor": "x"}, -32602),
        ("resources/list", {"cursor": 5}, -32602),
        ("resources/list", {"cursor": "LTE="}, -32602),
        ("resources/list", {"cursor": "eHg="}, -32602),
    ],
)
def test_what_cannot_be_done_is_an_error_with_the_requests_id(
    client: TestClient, method: str, params: object, code: int
) -> None:
    message = {"jsonrpc": "2.0", "id": "ž-1", "method": method, "params": params}
    response = client.post("/mcp", content=json.dumps(message))
    assert response.status_code == 200
    assert response.json()["id"] == "ž-1"
    assert response.json()["error"]["code"] == code
    assert response.json()["error"]["message"]


def test_lone_surrogates_can_be_answered(client: TestClient) -> None:
    call = b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/call","params":{"name":"%s"}}'
    for name in (b"search", b"\\udfff"):
        assert client.post("/mcp", content=call % name).status_code == 200
    argument = rpc_content(client, b'{"name":"search","arguments":{"query":"\\ud800"}}')
    assert argument["result"]["isError"]


def rpc_content(client: TestClient, params: bytes) -> dict[str, Any]:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}' % params
    answer: dict[str, Any] = client.post("/mcp", content=body).json()
    return answer


@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": "2025-03-26"}])
def test_a_batch_is_answered_to_older_clients(client: TestClient, headers: dict[str, str]) -> None:
    call = {"name": "search", "arguments": {"query": "printer"}}
    batch = [
        PING,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": call},
        {"jsonrpc": "2.0", "id": 3, "method": "nothing"},
        5,
    ]
    response = client.post("/mcp", json=batch, headers=headers)
    assert response.status_code == 200
    answers = response.json()
    assert [answer["id"] for answer in answers] == [1, "b", 3, None]
    assert answers[1]["result"]["structuredContent"]["status"] == "ok"
    assert [answer["error"]["code"] for answer in answers[2:]] == [-32601, -32600]


def test_a_batch_of_notifications_is_taken_without_a_word(client: TestClient) -> None:
    response = client.post("/mcp", json=[{"jsonrpc": "2.0", "method": "notifications/x"}] * 2)
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize(
    ("batch", "version"),
    [([], ""), ([PING] * 51, ""), ([PING], "2025-06-18"), ([PING], "2026-07-28")],
)
def test_no_other_batch_is(client: TestClient, batch: list[object], version: str) -> None:
    headers = {"MCP-Protocol-Version": version} if version else {}
    response = client.post("/mcp", json=batch, headers=headers)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("origin", "status_code"),
    [
        ("https://evil.example.org", 403), ("null", 403), ("http://[", 403),
        ("http://localhost:6274", 200), ("http://127.0.0.1", 200), ("http://[::1]:80", 200),
        ("https://chat.example.org", 200),
    ],
)  # fmt: skip
def test_where_anyone_may_ask_a_foreign_web_page_may_not(
    settings: Callable[..., Settings], origin: str, status_code: int
) -> None:
    anyone = settings(api_keys="", allow_anonymous=True, cors_origins="https://chat.example.org")
    with TestClient(create_local_app(anyone)) as client:
        response = client.post("/mcp", json=PING, headers={"Origin": origin})
        assert response.status_code == status_code
