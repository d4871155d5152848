"""What the MCP server answers, method by method, and in each revision of the protocol."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.mcp.tools import TOOLS
from index_artifacts.errors import IntegrityError
from tests.functions.conftest import KEY
from tests.functions.test_mcp import rpc
from tests.functions.test_openapi import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from functions.settings import Settings

META = "io.modelcontextprotocol/"


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25"),
        (None, "2025-11-25"), (["x"], "2025-11-25"),
    ],
)  # fmt: skip
def test_the_version_is_the_clients_where_it_is_known(
    client: TestClient, asked: object, given: str
) -> None:
    result = rpc(client, "initialize", protocolVersion=asked)["result"]
    assert result["protocolVersion"] == given
    assert result["capabilities"] == {"tools": {}, "resources": {}}
    assert "data" in result["instructions"]


def test_the_schemas_of_tools_are_flat_and_described(client: TestClient) -> None:
    tools = rpc(client, "tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS)
    for node in nodes(tools):
        assert not {"$ref", "$defs", "anyOf", "oneOf", "allOf"} & set(node)
        assert not isinstance(node.get("type"), list)
    for tool in tools:
        assert tool["annotations"]["readOnlyHint"]
        assert tool["inputSchema"]["additionalProperties"] is False
        assert all(field["description"] for field in tool["inputSchema"]["properties"].values())
        assert set(tool["outputSchema"]["required"]) == set(tool["outputSchema"]["properties"])


def test_resources_are_listed_page_by_page(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("functions.mcp.resources.PAGE_SIZE", 3)
    first = rpc(client, "resources/list")["result"]
    rest = rpc(client, "resources/list", cursor=first["nextCursor"])["result"]
    names = [resource["name"] for resource in first["resources"] + rest["resources"]]
    assert names == ["garden.md", "printer.md", "report.md", "server.md"]
    assert "nextCursor" not in rest


def test_without_a_version_to_answer_from_a_call_says_why(
    settings: Callable[..., Settings], tmp_path: object
) -> None:
    app = create_local_app(settings(store=f"file://{tmp_path}/none"))
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        result = rpc(client, "tools/call", name="search", arguments={"query": "x"})["result"]
        assert result["isError"]
        assert result["content"][0]["text"] == "no version is published yet"
        error = rpc(client, "resources/list")["error"]
        assert (error["code"], error["message"]) == (-32603, "no version is published yet")
        assert len(rpc(client, "tools/list")["result"]["tools"]) == len(TOOLS)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (IntegrityError("/srv/secret"), "the published version failed its verification"),
        (ZeroDivisionError("/srv/secret"), "internal error; see the log"),
    ],
)
def test_a_failure_tells_nothing_internal_and_the_log_everything(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture, failure: Exception, told: str,
) -> None:  # fmt: skip
    def fail() -> None:
        raise failure

    monkeypatch.setattr(app.state.version_state, "version", fail)
    answer = rpc(client, "tools/call", name="search", arguments={"query": "x"})
    assert told in json.dumps(answer)
    assert "secret" not in json.dumps(answer)
    assert "secret" in caplog.text


def modern(method: str, version: object = "2026-07-28", **params: Any) -> dict[str, Any]:
    """A request of the newest revision, which carries its version itself."""
    meta = {f"{META}protocolVersion": version, f"{META}clientCapabilities": {}}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}


def test_a_modern_client_discovers_the_server_in_one_request(client: TestClient) -> None:
    result = client.post("/mcp", json=modern("server/discover")).json()["result"]
    assert "2026-07-28" in result["supportedVersions"]
    assert (result["resultType"], result["cacheScope"]) == ("complete", "private")
    assert result["ttlMs"] > 0
    assert result["_meta"][f"{META}serverInfo"]["name"] == "edgewiki"


def encoded(value: str) -> str:
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


@pytest.mark.parametrize(
    ("headers", "status_code"),
    [
        ({}, 200),
        ({"Mcp-Method": "resources/read", "Mcp-Name": "wiki:///server.md"}, 200),
        ({"Mcp-Name": encoded("wiki:///server.md")}, 200),
        ({"Mcp-Method": "tools/call"}, 400),
        ({"Mcp-Name": "wiki:///printer.md"}, 400),
        ({"Mcp-Name": encoded("wiki:///printer.md")}, 400),
        ({"Mcp-Name": "=?base64?!?="}, 400),
        ({"MCP-Protocol-Version": "2025-06-18"}, 400),
    ],
)
def test_the_headers_of_a_modern_request_say_what_its_body_says(
    client: TestClient, headers: dict[str, str], status_code: int
) -> None:
    message = modern("resources/read", uri="wiki:///server.md")
    response = client.post("/mcp", json=message, headers=headers)
    assert response.status_code == status_code
    if status_code == 400:
        assert response.json()["error"]["code"] == -32020


@pytest.mark.parametrize(
    ("message", "status_code", "code"),
    [
        (modern("nothing"), 404, -32601),
        (modern("tools/call", name="nothing"), 400, -32602),
        (modern("resources/read", uri="wiki:///nothing"), 400, -32602),
        (modern("ping", version="2099-01-01"), 400, -32022),
        (modern("ping", version=5), 400, -32022),
    ],
)
def test_a_modern_error_has_its_http_status(
    client: TestClient, message: dict[str, Any], status_code: int, code: int
) -> None:
    response = client.post("/mcp", json=message)
    assert (response.status_code, response.json()["error"]["code"]) == (status_code, code)
    if code == -32022:
        assert "2026-07-28" in response.json()["error"]["data"]["supported"]


def test_a_modern_request_says_what_its_client_can(client: TestClient) -> None:
    message = modern("ping")
    del message["params"]["_meta"][f"{META}clientCapabilities"]
    response = client.post("/mcp", json=message)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32602)
