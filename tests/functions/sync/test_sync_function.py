"""``/sync``: who may ask for a job, how it goes, and what it says of itself."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from functions.sync.jobs import QUEUE_KEY, Request
from functions.sync.service import SyncService
from functions.sync.workflow_runner import START_SECONDS
from index_artifacts.errors import ForgeError, UnavailableError
from index_artifacts.file_store import FileStore
from tests.functions.sync.conftest import (
    ADMIN_KEY,
    REVISION,
    client_of,
    github,
    push,
    sent,
    with_sync_key,
)
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings
    from tests.functions.sync.conftest import Clock, PlayedForge

LEASE = 3600.0


def ask(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/sync", json=body, headers=with_sync_key())
    assert answer.status_code == 202
    said: dict[str, Any] = answer.json()
    return said


def report(client: TestClient, job_id: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/sync/jobs/{job_id}", json=body, headers=with_sync_key())
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def look(client: TestClient, path: str = "/sync/status") -> dict[str, Any]:
    answer = client.get(path, headers={"Authorization": f"Bearer {ADMIN_KEY}"})
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


SUMMARY = {
    "version": "8f14e45fceea-0123456789ab",
    "folder": "/somewhere/artifact",
    "counts": {"pages": 3, "chunks": 5},
    "bytes": {"index.sqlite": 12_345},
    "embeddings": {"computed": 4, "reused": 1, "damaged_cache_entries": 0},
    "seconds": 12.5,
    "report": [{"path": "a.md", "line": 1, "severity": "note", "code": "x", "reason": "y"}],
}


def test_a_job_from_its_request_to_its_result(
    client: TestClient, forge: PlayedForge, clock: Clock
) -> None:
    said = ask(client, reason="new release", requested_by="ada", revision=REVISION)
    job_id = said["job_id"]
    assert forge.job_ids == [job_id]
    job = look(client, said["status_url"])
    assert (job["state"], job["phase"], job["attempts"]) == ("running", "workflow", 1)
    clock.now += 60
    building = report(client, job_id, phase="building", detail="embedding 10/400")
    assert (building["phase"], building["detail"]) == ("building", "embedding 10/400")
    clock.now += 60
    done = report(client, job_id, state="succeeded", phase="done", result=SUMMARY)
    assert done == look(client, said["status_url"])
    assert done["state"] == "succeeded"
    assert done["version"] == SUMMARY["version"]
    assert done["counts"] == {"pages": 3, "chunks": 5}
    assert (done["embeddings_computed"], done["embeddings_reused"]) == (4, 1)
    assert done["seconds"] == 12.5
    assert done["started_at"] == "2026-02-02T02:40:00+00:00"
    assert done["finished_at"] == "2026-02-02T02:42:00+00:00"


def test_status_tells_what_runs_what_waits_and_how_it_ended_before(client: TestClient) -> None:
    first = ask(client, reason="one")["job_id"]
    waiting = ask(client, reason="two")["job_id"]
    assert ask(client, reason="three")["job_id"] == waiting
    status = look(client)
    assert [job["job_id"] for job in status["running"]] == [first]
    assert [job["reasons"] for job in status["waiting"]] == [["two", "three"]]
    assert status["last_success"] == status["last_failure"] == []
    assert (status["index_version"], status["age_seconds"]) == ("", -1)
    report(client, first, state="failed", phase="gate", error="3 questions broke")
    report(client, waiting, state="succeeded")
    status = look(client)
    assert status["running"] == status["waiting"] == []
    (failed,), (succeeded,) = status["last_failure"], status["last_success"]
    assert (failed["job_id"], failed["error"]) == (first, "3 questions broke")
    assert (failed["phase"], succeeded["job_id"]) == ("gate", waiting)


def test_a_push_while_it_builds_starts_one_more_when_it_is_done(
    client: TestClient, forge: PlayedForge
) -> None:
    first = ask(client)["job_id"]
    for number in range(4):
        body = sent(push(after=f"{number}" * 40))
        client.post("/webhook/github", content=body, headers=github(body, f"d-{number}"))
    assert forge.job_ids == [first]
    report(client, first, state="succeeded")
    assert len(forge.started) == 2
    follow_up = look(client)["running"][0]
    assert follow_up["revision"] == "3" * 40
    report(client, forge.job_ids[1], state="succeeded")
    assert len(forge.started) == 2


def test_how_old_the_live_version_is(client: TestClient, tmp_path: Path) -> None:
    artifact = build_and_publish(tmp_path / "store", tmp_path)
    status = look(client)
    assert status["index_version"] == artifact.manifest.version
    assert 0 <= status["age_seconds"] < 600


def test_a_workflow_that_never_reports_is_started_three_times_and_then_failed(
    client: TestClient, forge: PlayedForge, clock: Clock
) -> None:
    job_id = ask(client, reason="push")["job_id"]
    for tries in (1, 2, 3):
        assert forge.job_ids == [job_id] * tries
        clock.now += LEASE - 1
        assert look(client)["running"][0]["attempts"] == tries
        clock.now += 1
        assert bool(look(client)["running"]) == (tries < 3)
    failed = look(client, f"/sync/jobs/{job_id}")
    assert (failed["state"], failed["attempts"]) == ("failed", 3)
    assert "try 3 of 3 ended without a word" in failed["error"]
    assert look(client)["last_failure"][0]["job_id"] == job_id
    assert len(forge.started) == 3


def test_reports_keep_a_long_build_alive(
    client: TestClient, forge: PlayedForge, clock: Clock
) -> None:
    job_id = ask(client)["job_id"]
    for part in range(10):
        clock.now += LEASE - 1
        report(client, job_id, phase="building", detail=f"{part}/10")
    assert report(client, job_id, state="succeeded")["attempts"] == 1
    assert len(forge.started) == 1


def test_any_request_notices_that_a_runner_is_gone(
    client: TestClient, forge: PlayedForge, clock: Clock
) -> None:
    first = ask(client)["job_id"]
    clock.now += LEASE
    body = sent({"zen": "Keep it simple."})
    client.post("/webhook/github", content=body, headers=github(body, X_GitHub_Event="ping"))
    assert forge.job_ids == [first] * 2
    clock.now += LEASE
    look(client, f"/sync/jobs/{first}")
    assert forge.job_ids == [first] * 3


def test_a_forge_that_refuses_is_the_jobs_clear_end(client: TestClient, forge: PlayedForge) -> None:
    forge.trouble = ForgeError("the forge does not take EDGEWIKI_FORGE_TOKEN (401)")
    job_id = ask(client)["job_id"]
    failed = look(client, f"/sync/jobs/{job_id}")
    assert failed["state"] == "failed"
    assert failed["error"] == (
        "the workflow cannot be started: the forge does not take EDGEWIKI_FORGE_TOKEN (401)"
    )
    forge.trouble = None
    assert ask(client)["job_id"] != job_id
    assert len(forge.started) == 1


def test_a_function_that_ended_while_it_asked_the_forge_is_made_up_for(
    client: TestClient, sync: SyncService, forge: PlayedForge, clock: Clock
) -> None:
    job_id, _ = sync.ledger.request(Request("push"))
    assert sync.ledger.claim("a function that was killed", START_SECONDS)
    clock.now += START_SECONDS
    assert look(client, f"/sync/jobs/{job_id}")["attempts"] == 2
    assert forge.job_ids == [job_id]


def test_without_a_forge_the_job_says_what_to_set(
    sync_settings: Callable[..., Settings],
) -> None:
    client = client_of(SyncService(sync_settings(forge="")))
    job_id = ask(client)["job_id"]
    assert "EDGEWIKI_FORGE is empty" in look(client, f"/sync/jobs/{job_id}")["error"]


def test_requests_at_once_start_one_workflow_and_share_one_that_waits(
    client: TestClient, forge: PlayedForge
) -> None:
    start = threading.Barrier(8)

    def hurry(number: int) -> str:
        start.wait()
        return str(ask(client, reason=f"push {number}")["job_id"])

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(hurry, range(8)))
    assert len(forge.started) == 1
    status = look(client)
    jobs = [*status["running"], *status["waiting"]]
    assert {job["job_id"] for job in jobs} == ids
    assert sorted(reason for job in jobs for reason in job["reasons"]) == [
        f"push {number}" for number in range(8)
    ]


def test_a_job_that_is_over_refuses_another_end(client: TestClient) -> None:
    job_id = ask(client)["job_id"]
    report(client, job_id, state="succeeded")
    assert report(client, job_id, state="succeeded")["state"] == "succeeded"
    answer = client.post(f"/sync/jobs/{job_id}", json={"state": "failed"}, headers=with_sync_key())
    assert (answer.status_code, answer.json()["status"]) == (409, "conflict")


@pytest.mark.parametrize("job_id", ["20260202-024000-0123456789abcdef", "index", "%2e%2e", "é"])
def test_a_job_that_is_not_there_is_404(client: TestClient, job_id: str) -> None:
    for answer in (
        client.get(f"/sync/jobs/{job_id}", headers=with_sync_key()),
        client.post(f"/sync/jobs/{job_id}", json={}, headers=with_sync_key()),
    ):
        assert (answer.status_code, answer.json()["status"]) == (404, "not_found")


def test_status_urls_are_absolute_where_the_public_address_is_known(
    sync_settings: Callable[..., Settings], forge: PlayedForge
) -> None:
    for settings, root in (
        (
            sync_settings(public_url="https://wiki.example.org/prod"),
            "https://wiki.example.org/prod",
        ),
        (sync_settings(base_path="/prod"), "/prod"),
    ):
        sync = SyncService(settings, forge=lambda _: forge)
        assert sync.status_url("j") == f"{root}/sync/jobs/j"


def test_a_store_that_is_down_is_503_and_the_request_is_not_taken(
    client: TestClient, sync: SyncService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object) -> None:
        raise UnavailableError("the store is down")

    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "read", down)
        answer = client.post("/sync", json={}, headers=with_sync_key())
        assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
        assert client.get("/sync/status", headers=with_sync_key()).status_code == 503
    assert look(client)["running"] == []
    assert sync.store.size(QUEUE_KEY) is None
