"""The RAG function and the schema function under the real Lambda runtime client."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from tests.functions.test_lambda import KINDS, body_of, environ, load, with_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RAG = "functions.rag.handler.handler"
SCHEMA = "functions.schema.handler.handler"
POSTS = [kind for kind in KINDS if not kind.endswith("-get")]


def at(event: dict[str, Any], path: str) -> dict[str, Any]:
    """``event`` with another path and no query."""
    changed = copy.deepcopy(event)
    for name in ("path", "rawPath"):
        if name in changed:
            changed[name] = path
    http = changed["requestContext"].get("http")
    if http:
        http["path"] = path
    return changed


def get(event: dict[str, Any], path: str, **query: str) -> dict[str, Any]:
    """An HTTP API's event as a GET."""
    changed = at(event, path)
    changed["requestContext"]["http"]["method"] = "GET"
    changed["rawQueryString"] = "&".join(f"{name}={value}" for name, value in query.items())
    changed["queryStringParameters"] = query
    changed.pop("body")
    return changed


@pytest.fixture(scope="module")
def function(rag_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LambdaProcess]:
    """One process for all kinds of events."""
    folder = tmp_path_factory.mktemp("lambda")
    with lambda_process(folder, environ(f"file://{rag_store}", folder), RAG) as process:
        yield process


@pytest.mark.parametrize("kind", POSTS)
def test_three_invocations_of_a_kind_are_three_answers(function: LambdaProcess, kind: str) -> None:
    event = with_body(at(load(kind), "/rag"), json.dumps({"query": "who supervises the printer?"}))
    for _ in range(3):
        answer = function.invoke(event)
        body = body_of(answer)
        assert (answer["statusCode"], body["status"]) == (200, "ok")
        assert body["sources"][0]["path"] == "people/ada.md"
        assert body["context"].startswith("⟦evidence 1 ")


def test_the_block_for_a_prompt_is_there_too(function: LambdaProcess) -> None:
    answer = function.invoke(get(load("http-api"), "/retrieve", q="printer", top_k="2"))
    assert answer["statusCode"] == 200
    assert body_of(answer)["markdown"].startswith("## Evidence from the wiki\n\n1. ")


def test_what_is_wrong_is_refused_with_its_reason(function: LambdaProcess) -> None:
    event = with_body(at(load("http-api"), "/rag"), '{"query": "x", "rag_profile": "robot"}')
    answer = function.invoke(event)
    assert answer["statusCode"] == 422
    assert "this version has: mute, widget" in body_of(answer)["reason"]


def test_a_function_answers_nothing_of_another(function: LambdaProcess) -> None:
    assert function.invoke(load("http-api"))["statusCode"] == 404
    schema = body_of(function.invoke(get(load("http-api"), "/openapi.json")))
    assert set(schema["paths"]) == {"/rag", "/retrieve", "/health"}


def test_nothing_of_a_question_is_in_the_log(function: LambdaProcess) -> None:
    function.invoke(with_body(at(load("http-api"), "/rag"), '{"query": "supervises the printr"}'))
    assert "printr" not in function.log
    assert "Noll" not in function.log


def test_one_schema_names_the_operations_of_all_functions(rag_store: Path, tmp_path: Path) -> None:
    settings = environ(f"file://{rag_store}", tmp_path, EDGEWIKI_BASE_PATH="/prod")
    event = load("http-api-stage-get")
    host = event["requestContext"]["domainName"]
    with lambda_process(tmp_path, settings, SCHEMA) as process:
        for path in ("/prod/openapi.json", "/prod/openapi-tools.json"):
            answer = process.invoke(get(event | {"body": ""}, path))
            schema = body_of(answer)
            assert answer["statusCode"] == 200
            assert {"/search", "/rag"} <= set(schema["paths"])
            assert schema["servers"] == [{"url": f"https://{host}/prod"}]
    assert "EDGEWIKI" not in process.log
