"""Requests and reports that are none, and reports that say more than is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.functions.sync.conftest import with_sync_key
from tests.functions.sync.test_sync_function import ask, report

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.mark.parametrize(
    "body",
    [
        {"pull": "yes"}, {"reason": 5}, {"reason": "x" * 501}, {"unknown": 1}, [], None,
        {"reason": "\ud800"}, {"requested_by": "x" * 101},
    ],
)  # fmt: skip
def test_a_request_that_is_none_is_refused(client: TestClient, body: Any) -> None:
    content = json.dumps(body).encode()
    headers = {**with_sync_key(), "Content-Type": "application/json"}
    assert client.post("/sync", content=content, headers=headers).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {"state": "queued"}, {"phase": "Über"}, {"phase": "x" * 41}, {"result": {"counts": [1]}},
        {"result": {"counts": {"pages": -1}}}, {"result": {"seconds": -1}},
        {"result": {"counts": {"pages": 10**30}}}, {"detail": None},
        {"result": {"seconds": float("inf")}},
    ],
)  # fmt: skip
def test_a_report_that_is_none_is_refused(client: TestClient, body: Any) -> None:
    job_id = ask(client)["job_id"]
    headers = {**with_sync_key(), "Content-Type": "application/json"}
    answer = client.post(f"/sync/jobs/{job_id}", content=json.dumps(body), headers=headers)
    assert answer.status_code == 422


def test_a_report_of_a_later_release_is_taken_for_what_is_known(client: TestClient) -> None:
    job_id = ask(client)["job_id"]
    run_url = "https://forge.example/noll/wiki/actions/runs/7"
    report(client, job_id, phase="building", run_url=run_url, exit_code=0, mood="fine")
    said = report(client, job_id, state="failed", error="x" * 9_000, run_url="javascript:alert(1)")
    assert (said["state"], said["phase"], said["run_url"]) == ("failed", "building", run_url)
    assert said["error"] == "x" * 4_000
