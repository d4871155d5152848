"""The search function under the real Lambda runtime client."""

from __future__ import annotations

import base64
import copy
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from tests.functions.conftest import KEY
from tests.keys import one_key

if TYPE_CHECKING:
    from collections.abc import Iterator

EVENTS = Path(__file__).parent.parent / "events"
KINDS = ["rest-api", "rest-api-get", "http-api", "function-url", "load-balancer"]


def load(name: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text())
    return event


def with_body(event: dict[str, Any], body: str) -> dict[str, Any]:
    changed = copy.deepcopy(event)
    changed["body"], changed["isBase64Encoded"] = body, False
    return changed


def body_of(answer: dict[str, Any]) -> dict[str, Any]:
    text = answer["body"]
    if answer["isBase64Encoded"]:
        text = base64.b64decode(text).decode()
    body: dict[str, Any] = json.loads(text)
    return body


def environ(store: str, folder: Path, **settings: str) -> dict[str, str]:
    defaults = {
        "EDGEWIKI_STORE": store,
        "EDGEWIKI_CACHE_DIR": str(folder / "cache"),
        "EDGEWIKI_API_KEYS": one_key(KEY),
        "EDGEWIKI_REFRESH_SECONDS": "3600",
    }
    return {**defaults, **settings}


@pytest.fixture(scope="module")
def function(tiny_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LambdaProcess]:
    """One process for all kinds of events. Its store is gone after the first answer."""
    folder = tmp_path_factory.mktemp("lambda")
    shutil.copytree(tiny_store, folder / "store")
    with lambda_process(folder, environ(f"file://{folder / 'store'}", folder)) as process:
        assert process.invoke(load("http-api"))["statusCode"] == 200
        shutil.rmtree(folder / "store")
        yield process


@pytest.mark.parametrize("kind", KINDS)
def test_three_invocations_of_a_kind_are_three_answers_from_one_opening(
    function: LambdaProcess, kind: str
) -> None:
    for _ in range(3):
        answer = function.invoke(load(kind))
        assert answer["statusCode"] == 200
        body = body_of(answer)
        assert body["status"] == "ok"
        assert body["hits"][0]["chunk_id"] == "server.md#1"
        assert len(body["hits"]) == 3
        headers = {k.lower(): v for k, v in answer["headers"].items()}
        assert headers["content-type"] == "application/json"
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("kind", ["rest-api", "http-api", "function-url", "load-balancer"])
def test_a_body_that_is_no_json_is_refused(function: LambdaProcess, kind: str) -> None:
    for body in ("{", "", "[1, 2", '{"query": 5}'):
        answer = function.invoke(with_body(load(kind), body))
        assert answer["statusCode"] == 422
        assert body_of(answer)["status"] == "invalid_request"
    assert function.invoke(load(kind))["statusCode"] == 200


def test_a_base64_body_that_is_no_text_is_refused(function: LambdaProcess) -> None:
    event = load("function-url")
    event["body"] = base64.b64encode(b"\xff\xfe\x00").decode()
    assert function.invoke(event)["statusCode"] == 422


def test_a_large_body_is_refused(function: LambdaProcess) -> None:
    body = json.dumps({"query": "x" * 70_000})
    assert function.invoke(with_body(load("http-api"), body))["statusCode"] == 413


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_key_is_turned_away(function: LambdaProcess, kind: str) -> None:
    event = json.loads(json.dumps(load(kind)).replace(KEY, "wrong"))
    answer = function.invoke(event)
    assert answer["statusCode"] == 401
    assert body_of(answer)["status"] == "unauthorized"


def test_an_unknown_address_is_404(function: LambdaProcess) -> None:
    event = load("http-api")
    event["rawPath"] = event["requestContext"]["http"]["path"] = "/admin"
    answer = function.invoke(event)
    assert (answer["statusCode"], body_of(answer)["status"]) == (404, "not_found")


def test_a_path_that_the_stage_precedes_is_found(tiny_store: Path, tmp_path: Path) -> None:
    settings = environ(f"file://{tiny_store}", tmp_path, EDGEWIKI_BASE_PATH="/prod")
    with lambda_process(tmp_path, settings) as process:
        for kind in ("http-api-stage-get", "http-api", "http-api-stage-get"):
            answer = process.invoke(load(kind))
            assert answer["statusCode"] == 200
            assert body_of(answer)["hits"][0]["chunk_id"] == "server.md#1"


def test_without_a_base_path_the_stage_is_part_of_the_address(function: LambdaProcess) -> None:
    assert function.invoke(load("http-api-stage-get"))["statusCode"] == 404


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"EDGEWIKI_SYNC_KEY": "short-secret"}, "fewer than 32 characters"),
        ({"EDGEWIKI_API_KEYS": ""}, "EDGEWIKI_API_KEYS is empty"),
    ],
)
def test_unsafe_settings_are_reported_as_a_failed_start(
    tiny_store: Path, tmp_path: Path, settings: dict[str, str], message: str
) -> None:
    variables = {**environ(f"file://{tiny_store}", tmp_path), **settings}
    with lambda_process(tmp_path, variables) as process:
        report = process.init_error()
        assert report["errorType"] == "ConfigError"
        assert message in report["errorMessage"]
        assert "short-secret" not in json.dumps(report)
        assert "short-secret" not in process.log


def test_a_store_without_a_version_is_503_until_one_is_published(
    tiny_store: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    with lambda_process(tmp_path, environ(f"file://{store}", tmp_path)) as process:
        for _ in range(2):
            answer = process.invoke(load("rest-api"))
            assert answer["statusCode"] == 503
            assert body_of(answer)["reason"] == "no version is published yet"
        shutil.copytree(tiny_store, store)
        assert process.invoke(load("rest-api"))["statusCode"] == 200


@pytest.mark.slow
def test_the_real_model_answers_too(small_store: str, tmp_path: Path) -> None:
    event = with_body(load("function-url"), '{"query": "Na akom porte počúva server?"}')
    with lambda_process(tmp_path, environ(small_store, tmp_path)) as process:
        for _ in range(3):
            body = body_of(process.invoke(event))
            assert body["legs"] == ["lemma", "trigram", "vector"]
            assert "2222" in body["hits"][0]["text"]
