"""The tools that a chat tool shows its model, and the address it calls them at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.app import create_app
from functions.local import create_local_app
from functions.openapi import TOOL
from functions.router import tool_router
from tests.functions.conftest import KEY
from tests.functions.test_openapi import nodes, operations, resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings

FIELDS = [
    "query", "collections", "authors", "tags", "categories", "languages", "years", "limit"
]  # fmt: skip


def schema_of(
    settings: Settings, path: str = "/openapi.json", base_url: str = "http://testserver",
    **headers: str,
) -> dict[str, Any]:  # fmt: skip
    client = TestClient(create_local_app(settings), base_url=base_url)
    response = client.get(path, headers=headers)
    assert response.status_code == 200
    schema: dict[str, Any] = response.json()
    return schema


@pytest.fixture
def tools(settings: Callable[..., Settings]) -> dict[str, Any]:
    return schema_of(settings(), "/openapi-tools.json")


def bodies(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The request body of each operation, by operationId."""
    return {
        operation["operationId"]: resolve(
            schema, operation["requestBody"]["content"]["application/json"]["schema"]
        )
        for _, _, operation in operations(schema)
    }


def test_only_what_a_model_should_choose_is_a_tool(tools: dict[str, Any]) -> None:
    found = {op["operationId"]: (path, method) for path, method, op in operations(tools)}
    assert found == {
        "search_wiki": ("/search", "post"),
        "gather_evidence": ("/rag", "post"),
        "answer_question": ("/answer", "post"),
        "search_graph": ("/graph/search", "post"),
    }


def test_a_tool_says_when_to_use_it_and_what_comes_back(tools: dict[str, Any]) -> None:
    for _, _, operation in operations(tools):
        assert "Use it" in operation["description"]
        assert "`" in operation["description"]  # names a field of its answer
        assert 100 < len(operation["description"]) < 1024  # what OpenAI takes at most


def test_a_models_fields_are_few_flat_and_described(tools: dict[str, Any]) -> None:
    for body in bodies(tools).values():
        assert list(body["properties"]) == FIELDS
        assert body["required"] == ["query"]
        for field in body["properties"].values():
            assert field["description"]
            assert field["type"] in {"string", "integer", "array"}
            if field["type"] == "array":
                assert field["items"]["type"] in {"string", "integer"}


def test_a_program_sees_every_field_and_every_choice(
    settings: Callable[..., Settings],
) -> None:
    schema = schema_of(settings())
    body = schema["components"]["schemas"]["RagBody"]["properties"]
    assert {*FIELDS, "mode", "max_tokens", "max_chars", "rag_profile"} < set(body)
    assert body["mode"]["enum"] == ["hybrid", "lexical", "vector", "cascade", "flat"]
    assert body["mode"]["default"] == "hybrid"


@pytest.mark.parametrize("path", ["/openapi.json", "/openapi-tools.json"])
def test_a_schema_is_tidy_and_whole(settings: Callable[..., Settings], path: str) -> None:
    schema = schema_of(settings(), path)
    used = {node["$ref"].rpartition("/")[2] for node in nodes(schema) if "$ref" in node}
    assert used <= set(schema["components"]["schemas"])
    for node in nodes(schema):
        assert not any(str(name).startswith("x-") for name in node)
        if node.get("type") == "integer":
            assert all(isinstance(node[b], int) for b in ("minimum", "maximum") if b in node)
        if isinstance(node.get("type"), str) and "properties" not in node:
            assert not isinstance(node.get("title"), str)
    assert "title" in schema["components"]["schemas"]["Source"]["properties"]


def test_of_the_components_only_those_of_tools_are_left(tools: dict[str, Any]) -> None:
    used = {node["$ref"].rpartition("/")[2] for node in nodes(tools) if "$ref" in node}
    assert used == set(tools["components"]["schemas"])


def test_a_setting_makes_the_tools_all_there_is(settings: Callable[..., Settings]) -> None:
    chosen = settings(tools_schema="tools")
    published = [schema_of(chosen, path) for path in ("/openapi.json", "/openapi-tools.json")]
    assert published[0] == published[1] == schema_of(settings(), "/openapi-tools.json")
    client = TestClient(create_local_app(chosen), headers={"X-API-Key": KEY})
    assert client.get("/health").status_code == 200
    assert client.get("/search?q=printer").status_code == 200


def test_a_new_tool_is_one_by_its_route(settings: Callable[..., Settings]) -> None:
    router = tool_router("new")

    @router.post("/new", description="Use it.", openapi_extra=TOOL)
    def ask_something_new() -> None:
        """A tool that nobody else knows of."""

    client = TestClient(create_app(router, settings=settings()))
    found = operations(client.get("/openapi-tools.json").json())
    assert [op["operationId"] for _, _, op in found] == ["ask_something_new"]


API = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"


@pytest.mark.parametrize(
    ("fields", "base_url", "headers", "server"),
    [
        # Locally and inside a network: relative, whatever the machine is called.
        ({}, "http://127.0.0.1:8080", {}, "/"),
        ({}, "http://wiki.faculty.example.org", {}, "/"),
        ({"base_path": "wiki"}, "http://127.0.0.1:8080", {}, "/wiki"),
        # Behind a stage prefix, behind a Function URL, on a server with TLS of its own.
        ({"base_path": "/prod"}, f"http://{API}", {"X-Forwarded-Proto": "https"},
         f"https://{API}/prod"),
        ({}, "https://u5x2k9examp.lambda-url.eu-central-1.on.aws", {},
         "https://u5x2k9examp.lambda-url.eu-central-1.on.aws"),
        ({}, "https://wiki.example.org:8443", {}, "https://wiki.example.org:8443"),
        ({}, "http://wiki.example.org", {"X-Forwarded-Proto": "https, http"},
         "https://wiki.example.org"),
        # A proxy that hands its own name for us on, or none that a key may be sent to.
        ({}, "http://127.0.0.1:8080", {"X-Forwarded-Proto": "https"}, "/"),
        ({}, "http://backend:8080", {"X-Forwarded-Proto": "https"}, "/"),
        ({}, "https://wiki.example.org", {"X-Forwarded-Proto": "http"}, "/"),
        ({}, "https://wiki.example.org", {"X-Forwarded-Proto": "gopher"}, "/"),
        ({}, "https://wiki.example.org", {"Host": "evil.example/x?y="}, "/"),
        ({}, "https://wiki.example.org", {"Host": "user@evil.example"}, "/"),
        ({}, "https://wiki.example.org", {"Host": ""}, "/"),
        # What the administrator says goes.
        ({"public_url": "https://tools.example.org/wiki/", "base_path": "/prod"},
         f"https://{API}", {}, "https://tools.example.org/wiki"),
        ({"public_url": "http://wiki.lan:8080"}, "https://wiki.example.org", {},
         "http://wiki.lan:8080"),
    ],
)  # fmt: skip
def test_the_address_is_absolute_only_where_it_is_sure(
    settings: Callable[..., Settings],
    fields: dict[str, str],
    base_url: str,
    headers: dict[str, str],
    server: str,
) -> None:
    for path in ("/openapi.json", "/openapi-tools.json"):
        schema = schema_of(settings(**fields), path, base_url, **headers)
        assert schema["servers"] == [{"url": server}]


def test_one_clients_address_is_not_told_to_the_next(settings: Callable[..., Settings]) -> None:
    client = TestClient(create_local_app(settings()), base_url="https://one.example.org")
    for host in ("one.example.org", "two.example.org"):
        response = client.get("/openapi.json", headers={"Host": host})
        assert response.json()["servers"] == [{"url": f"https://{host}"}]
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "value", ["wiki.example.org", "ftp://x.org", "https://", "https://x.org/?a", "https://u@x.org"]
)
def test_an_address_that_is_none_is_refused(settings: Callable[..., Settings], value: str) -> None:
    with pytest.raises(ValueError, match="public_url"):
        settings(public_url=value)


def test_what_is_published_is_all_or_tools(settings: Callable[..., Settings]) -> None:
    with pytest.raises(ValueError, match="tools_schema"):
        settings(tools_schema="some")
