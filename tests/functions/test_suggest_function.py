"""Suggestions while somebody types, as a search page asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from eval.lambda_runtime import lambda_process
from functions.local import create_local_app
from functions.tools.suggest import SuggestResponse
from tests.functions.conftest import KEY
from tests.functions.test_lambda import body_of, environ, load
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings

DRAFTS = {
    "plan.md": "---\ntitle: Plan of work\ntags: [work]\n---\n\nIt is a plan.\n",
    "draft.md": "---\ntitle: Plan of escape\npublished: false\n---\n\nIt is a secret.\n",
}


def suggested(client: TestClient, **parameters: Any) -> list[tuple[str, str, str]]:
    answer = client.get("/suggest", params=parameters).json()
    return [(one["text"], one["kind"], one["path"]) for one in answer["suggestions"]]


def test_titles_people_and_keywords_are_suggested(client: TestClient) -> None:
    assert suggested(client, q="rep") == [("Yearly report", "title", "report.md")]
    assert suggested(client, q="NOL") == [("Ada Noll", "person", "")]
    assert suggested(client, q="bu") == [("budget", "keyword", "")]
    assert suggested(client, q="room s") == [("Server room", "title", "server.md")]


def test_the_answer_says_which_version_it_is_of_and_whether_there_are_more(
    client: TestClient,
) -> None:
    answer = client.get("/suggest", params={"q": "a"}).json()
    assert SuggestResponse.model_validate(answer, strict=True)
    assert (answer["status"], answer["reason"], answer["truncated"]) == ("ok", "", False)
    assert answer["index_version"] == client.get("/health").json()["index_version"]
    answer = client.get("/suggest", params={"q": "r", "limit": 1}).json()
    assert (len(answer["suggestions"]), answer["truncated"]) == (1, True)
    assert answer["truncation_reasons"] == ["limit"]
    answer = client.get("/suggest", params={"q": "?"}).json()
    assert (answer["status"], answer["suggestions"]) == ("no_hits", [])
    assert answer["reason"]


def test_a_browser_keeps_them_for_a_moment_and_for_one_caller_alone(client: TestClient) -> None:
    headers = client.get("/suggest", params={"q": "re"}).headers
    assert headers["cache-control"] == "private, max-age=30"
    assert set(headers["vary"].split(", ")) >= {"Authorization", "Cookie", "X-API-Key"}
    for refused in (
        client.get("/suggest"),
        client.get("/suggest?q=re", headers={"X-API-Key": "wrong"}),
    ):
        assert refused.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "status_code", "reason"),
    [
        ("", 422, "q: Field required"),
        ("q=x&limit=9", 422, "limit: "),
        ("q=x&limit=0", 422, "limit: "),
        ("q=x&kind=title", 422, "kind: "),
        ("q=x&collections=cellar", 422, "collection 'cellar' is unknown; there are: wiki"),
        ("q=" + "x" * 2_001, 422, "q: String should have at most 2000 characters"),
    ],
)
def test_a_wrong_parameter_is_refused_naming_it(
    client: TestClient, query: str, status_code: int, reason: str
) -> None:
    response = client.get(f"/suggest?{query}")
    assert response.status_code == status_code
    assert reason in response.json()["reason"]


def test_nobody_without_a_key_is_told_a_name(client: TestClient) -> None:
    response = client.get("/suggest?q=rep", headers={"X-API-Key": "wrong"})
    assert response.status_code == 401
    assert "report" not in response.text


def test_it_is_no_tool_for_a_model(client: TestClient) -> None:
    assert "/suggest" in client.get("/openapi.json").json()["paths"]
    assert "/suggest" not in client.get("/openapi-tools.json").json()["paths"]


def test_drafts_are_suggested_to_those_who_ask_for_them(
    tmp_path: Path, settings: Callable[..., Settings]
) -> None:
    build_and_publish(tmp_path / "store", tmp_path, DRAFTS, publication="mark")
    app = create_local_app(settings(store=f"file://{tmp_path / 'store'}"))
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        assert suggested(client, q="plan") == [("Plan of work", "title", "plan.md")]
        assert ("Plan of escape", "title", "draft.md") in suggested(
            client, q="plan", published_only=False
        )


def test_under_lambdas_runtime_client_every_call_is_answered(
    tiny_store: Path, tmp_path: Path
) -> None:
    with lambda_process(tmp_path, environ(f"file://{tiny_store}", tmp_path)) as function:
        for _ in range(3):
            answer = function.invoke(load("suggest"))
            assert answer["statusCode"] == 200
            assert body_of(answer)["suggestions"] == [
                {"text": "Server room", "kind": "title", "path": "server.md"}
            ]
