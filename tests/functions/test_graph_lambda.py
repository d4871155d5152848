"""The graph function under the real Lambda runtime client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from index_artifacts.manifest import GRAPH_FILE, INDEX_FILE, MODEL_FOLDER
from tests.functions.test_lambda import body_of, environ, load, with_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUPERVISOR = "Kto viedol diplomovú prácu Jána Kvetoňa?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("graph-lambda")


@pytest.fixture(scope="module")
def function(graph_store: Path, folder: Path) -> Iterator[LambdaProcess]:
    settings = environ(f"file://{graph_store}", folder)
    with lambda_process(folder, settings, "functions.graph.handler.handler") as process:
        yield process


def asked(kind: str, path: str, **body: Any) -> dict[str, Any]:
    event = json.loads(json.dumps(load(kind)).replace("/search", path))
    return with_body(event, json.dumps(body))


@pytest.mark.parametrize("kind", ["rest-api", "http-api", "function-url", "load-balancer"])
def test_a_question_may_come_three_times_to_one_process(function: LambdaProcess, kind: str) -> None:
    for _ in range(3):
        answer = function.invoke(asked(kind, "/graph/search", query=SUPERVISOR))
        assert answer["statusCode"] == 200
        found = body_of(answer)
        assert [one["value"] for one in found["answers"]] == ["Peter Zelenák"]


def test_neither_the_encoder_nor_the_pickle_is_fetched_for_a_question(
    function: LambdaProcess, folder: Path
) -> None:
    assert function.invoke(asked("http-api", "/graph/search", query=SUPERVISOR))
    fetched = {path.name for path in (folder / "cache").rglob("*")}
    assert INDEX_FILE in fetched
    assert not {GRAPH_FILE, MODEL_FOLDER.rstrip("/")} & fetched
