"""The schema that tool importers read, and answers that keep to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient

JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
    "array": (list,), "object": (dict,),
}  # fmt: skip


@pytest.fixture
def schema(client: TestClient) -> dict[str, Any]:
    answer: dict[str, Any] = client.get("/openapi.json").json()
    return answer


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in schema["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON document."""
    if isinstance(value, dict):
        yield value
    for child in value.values() if isinstance(value, dict) else value:
        if isinstance(child, dict | list):
            yield from nodes(child)


def test_operation_ids_are_unique_short_and_snake_case(schema: dict[str, Any]) -> None:
    ids = [operation["operationId"] for _, _, operation in operations(schema)]
    assert sorted(ids) == [
        "answer_question", "count_graph", "delete_document", "find_graph_path",
        "gather_evidence", "get_health", "get_statistics", "get_sync_job", "get_sync_status",
        "list_collections", "list_documents", "list_graph_entities", "put_collection",
        "put_document", "read_document", "read_graph_entity", "receive_gitea_webhook",
        "receive_github_webhook", "reload_version", "report_on_sync_job", "request_build",
        "retrieve_markdown", "search_graph", "search_wiki", "search_wiki_by_link",
        "suggest_names", "upload_document",
    ]  # fmt: skip
    assert all(re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name) for name in ids)


def test_every_operation_says_what_it_is_for(schema: dict[str, Any]) -> None:
    for _, _, operation in operations(schema):
        assert operation["summary"]


def test_nothing_is_one_thing_or_another(schema: dict[str, Any]) -> None:
    for node in nodes(schema):
        assert not {"anyOf", "oneOf", "allOf"} & set(node)
        assert node.get("type") != "null"
        assert not isinstance(node.get("type"), list)


def test_parameters_are_flat_and_typed(schema: dict[str, Any]) -> None:
    parameters = schema["paths"]["/search"]["get"]["parameters"]
    types = {p["name"]: p["schema"]["type"] for p in parameters}
    assert types == {
        "q": "string", "limit": "integer", "mode": "string", "fusion": "string",
        "collections": "array", "authors": "array", "tags": "array", "categories": "array",
        "languages": "array", "years": "array", "published_only": "boolean",
        "max_per_document": "integer",
    }  # fmt: skip
    for parameter in parameters:
        assert parameter["description"] or parameter["schema"]["description"]
        if parameter["schema"]["type"] == "array":
            assert parameter["schema"]["items"]["type"] in {"string", "integer"}
    assert [p["name"] for p in parameters if p["required"]] == ["q"]


@pytest.mark.parametrize("path", ["/search", "/rag"])
def test_the_body_is_flat_described_and_closed(schema: dict[str, Any], path: str) -> None:
    content = schema["paths"][path]["post"]["requestBody"]["content"]
    body = resolve(schema, content["application/json"]["schema"])
    assert body["additionalProperties"] is False
    assert body["required"] == ["query"]
    for field in body["properties"].values():
        assert field["description"]
        assert field["type"] in {"string", "integer", "boolean", "array"}


def test_the_two_ways_to_send_a_key_are_declared(schema: dict[str, Any]) -> None:
    schemes = schema["components"]["securitySchemes"]
    assert (schemes["api_key"]["in"], schemes["api_key"]["name"]) == ("header", "X-API-Key")
    assert schemes["bearer"]["scheme"] == "bearer"
    for path, _, operation in operations(schema):
        names = {name for way in operation.get("security", []) for name in way}
        without_key = path == "/health" or path.startswith("/webhook/")  # those are signed
        assert names == (set() if without_key else {"api_key", "bearer"})


@pytest.mark.parametrize(
    ("method", "path", "request_fields", "status_code"),
    [
        ("get", "/health", {}, 200),
        ("get", "/search", {"params": {"q": "printer"}}, 200),
        ("post", "/search", {"json": {"query": "budget", "mode": "lexical"}}, 200),
        ("post", "/search", {"json": {"query": "???"}}, 200),
        ("post", "/rag", {"json": {"query": "printer", "include_diagnostics": True}}, 200),
        ("post", "/rag", {"json": {"query": "???"}}, 200),
        ("post", "/rag", {"json": {"query": "x", "rag_profile": "robot"}}, 422),
        ("get", "/retrieve", {"params": {"q": "printer"}}, 200),
        ("get", "/suggest", {"params": {"q": "pri"}}, 200),
        ("get", "/suggest", {"params": {"q": "???"}}, 200),
        ("post", "/search", {"json": {"limit": "5"}}, 422),
        ("get", "/search", {"params": {"q": "x"}, "headers": {"X-API-Key": "wrong"}}, 401),
        ("post", "/search", {"content": b" " * 70_000}, 413),
    ],
)
def test_answers_keep_to_the_schema(
    client: TestClient,
    schema: dict[str, Any],
    method: str,
    path: str,
    request_fields: dict[str, Any],
    status_code: int,
) -> None:
    response = client.request(method, path, **request_fields)
    assert response.status_code == status_code
    declared = schema["paths"][path][method]["responses"][str(status_code)]
    validate(schema, declared["content"]["application/json"]["schema"], response.json(), "$")


def resolve(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    if reference := node.get("$ref"):
        found: dict[str, Any] = schema["components"]["schemas"][reference.rpartition("/")[2]]
        return found
    return node


def validate(schema: dict[str, Any], node: dict[str, Any], value: Any, place: str) -> None:
    """Check ``value`` against the part of JSON Schema that this schema uses; no key is extra."""
    node = resolve(schema, node)
    assert isinstance(value, JSON_TYPES[node["type"]]), f"{place}: {value!r} is no {node['type']}"
    assert not isinstance(value, bool) or node["type"] == "boolean", place
    if isinstance(value, list):
        for number, item in enumerate(value):
            validate(schema, node["items"], item, f"{place}[{number}]")
    elif isinstance(value, dict) and "properties" in node:
        assert set(value) == set(node["properties"]), place
        for name, item in value.items():
            validate(schema, node["properties"][name], item, f"{place}.{name}")
    elif isinstance(value, dict):
        for name, item in value.items():
            validate(schema, node["additionalProperties"], item, f"{place}.{name}")
