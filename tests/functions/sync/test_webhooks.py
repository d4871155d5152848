"""Webhooks as forges send them, and as nobody should."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from functions.sync.webhooks import MAX_BYTES
from tests.functions.sync.conftest import (
    GITEA_SECRET,
    GITHUB_SECRET,
    NO_COMMIT,
    REVISION,
    START,
    client_of,
    github,
    push,
    sent,
    signature,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi.testclient import TestClient
    from httpx2 import Response

    from functions.settings import Settings
    from functions.sync.service import SyncService
    from tests.functions.sync.conftest import PlayedForge


def deliver(client: TestClient, payload: Any, **headers: str) -> Response:
    body = sent(payload)
    return client.post("/webhook/github", content=body, headers=github(body, **headers))


def test_a_push_becomes_a_job_and_starts_the_workflow(
    client: TestClient, sync: SyncService, forge: PlayedForge
) -> None:
    answer = deliver(client, push())
    assert answer.status_code == 202
    said = answer.json()
    assert said["status"] == "accepted"
    assert said["status_url"] == f"/sync/jobs/{said['job_id']}"
    assert forge.started == [{"job": said["job_id"], "reason": "push of 8f14e45fceea to main"}]
    job = sync.job(said["job_id"])
    assert (job.state, job.revision, job.requested_by) == ("running", REVISION, ("ada",))
    assert job.reasons == ("push of 8f14e45fceea to main",)


@pytest.mark.parametrize("prefix", ["", "sha256="])
@pytest.mark.parametrize(
    "name",
    ["X-Gitea-Signature", "X-Forgejo-Signature", "X-Gogs-Signature", "X-Hub-Signature-256"],
)
def test_gitea_may_sign_in_any_of_its_headers_with_or_without_the_prefix(
    client: TestClient, name: str, prefix: str
) -> None:
    body = sent(push())
    headers = {"X-Gitea-Event": "push", name: prefix + signature(body, GITEA_SECRET)}
    assert client.post("/webhook/gitea", content=body, headers=headers).status_code == 202


def test_forgejo_names_its_events_in_headers_of_its_own(client: TestClient) -> None:
    body = sent(push())
    headers = {
        "X-Forgejo-Event": "push",
        "X-Forgejo-Delivery": "f-1",
        "X-Forgejo-Signature": signature(body, GITEA_SECRET),
    }
    assert client.post("/webhook/gitea", content=body, headers=headers).json()["job_id"]


def test_a_form_of_github_is_signed_as_it_is(client: TestClient) -> None:
    body = urlencode({"payload": sent(push(note="žltá čiara"))}).encode()
    headers = github(body, Content_Type="application/x-www-form-urlencoded")
    answer = client.post("/webhook/github", content=body, headers=headers)
    assert answer.json()["status"] == "accepted"


@pytest.mark.parametrize("signed", ["payload", "body"])
def test_a_form_of_gitea_is_signed_by_its_payload(client: TestClient, signed: str) -> None:
    payload = sent(push())
    body = urlencode({"payload": payload}).encode()
    headers = {
        "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
        "X-Gitea-Event": "push",
        "X-Gitea-Signature": signature(payload if signed == "payload" else body, GITEA_SECRET),
    }
    assert client.post("/webhook/gitea", content=body, headers=headers).status_code == 202


def test_a_signed_json_cannot_be_sent_again_as_a_form(
    client: TestClient, forge: PlayedForge
) -> None:
    body = sent(push(note="&" + urlencode({"payload": sent(push())}) + "&"))
    headers = github(body, Content_Type="application/x-www-form-urlencoded")
    assert client.post("/webhook/github", content=body, headers=headers).status_code == 422
    assert not forge.started


HEX = signature(sent(push()), GITHUB_SECRET)


@pytest.mark.parametrize(
    "wrong",
    [
        b"", b"sha256=", HEX[:-1].encode(), HEX.encode() + b"0", b"sha1=" + HEX[:40].encode(),
        b"sha512=" + HEX.encode(), b"zz" + HEX[2:].encode(), b"\xff\xfe" * 32, b"\xd9\xa1" * 64,
        b"0" * 64, HEX.encode() + b"," + HEX.encode(), b"sha256=sha256=" + HEX.encode(),
        signature(sent(push()), GITEA_SECRET).encode(), b"\x00" * 64, b" ", b"sha256= " + b"a" * 64,
    ],
)  # fmt: skip
def test_a_signature_of_any_other_shape_is_refused(
    client: TestClient, forge: PlayedForge, wrong: bytes
) -> None:
    body = sent(push())
    headers = {
        name.encode(): value.encode()
        for name, value in github(body).items()
        if name != "X-Hub-Signature-256"
    }
    answer = client.post(
        "/webhook/github", content=body, headers={**headers, b"X-Hub-Signature-256": wrong}
    )
    assert answer.status_code == 403
    assert answer.json()["status"] == "forbidden"
    assert not forge.started


def test_a_signature_that_is_missing_or_sent_twice_is_refused(client: TestClient) -> None:
    body, event = sent(push()), ("X-GitHub-Event", "push")
    named = ("X-Hub-Signature-256", f"sha256={HEX}")
    assert client.post("/webhook/github", content=body, headers=[event]).status_code == 403
    twice = client.post("/webhook/github", content=body, headers=[event, named, named])
    assert (twice.status_code, "twice" in twice.json()["reason"]) == (403, True)
    once = client.post("/webhook/github", content=body, headers=[event, named])
    assert once.status_code == 202


def test_one_right_signature_does_not_make_up_for_a_wrong_one(client: TestClient) -> None:
    body = sent(push())
    headers = {
        "X-Gitea-Event": "push",
        "X-Gitea-Signature": signature(body, GITEA_SECRET),
        "X-Gogs-Signature": "0" * 64,
    }
    assert client.post("/webhook/gitea", content=body, headers=headers).status_code == 403


def test_a_changed_byte_breaks_the_signature(client: TestClient, forge: PlayedForge) -> None:
    headers = github(sent(push()))
    changed = sent(push()).replace(b"main", b"Main")
    assert client.post("/webhook/github", content=changed, headers=headers).status_code == 403
    assert not forge.started


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ref": "refs/heads/feature/main"}, "another branch"),
        ({"ref": "refs/heads/Main"}, "another branch"),
        ({"ref": "refs/heads/main/"}, "another branch"),
        ({"ref": "main"}, "no branch"),
        ({"ref": "refs/tags/main"}, "a tag"),
        ({"deleted": True}, "was deleted"),
        ({"after": NO_COMMIT}, "was deleted"),
        ({"repository": {"full_name": "noll/wiki2"}}, "another repository"),
        ({"repository": {"full_name": "eve/wiki"}}, "another repository"),
    ],
)
def test_what_is_no_push_to_the_branch_is_ignored_and_says_why(
    client: TestClient, forge: PlayedForge, fields: dict[str, Any], reason: str
) -> None:
    answer = deliver(client, push(**fields))
    assert answer.status_code == 202
    said = answer.json()
    assert (said["status"], said["job_id"], said["status_url"]) == ("ignored", "", "")
    assert reason in said["reason"]
    assert not forge.started


@pytest.mark.parametrize(("event", "reason"), [("ping", "set up"), ("issues", "needs no build")])
def test_other_events_need_no_build(client: TestClient, event: str, reason: str) -> None:
    answer = deliver(client, {"zen": "Keep it simple."}, X_GitHub_Event=event)
    assert (answer.status_code, answer.json()["status"]) == (202, "ignored")
    assert reason in answer.json()["reason"]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b"1" * 5000, sent({}),
        sent(push(ref=None)), sent(push(repository="noll/wiki")), sent(push(after=5)),
        sent(push(after="HEAD")), sent({"ref": "refs/heads/main", "repository": {}}),
    ],
)  # fmt: skip
def test_a_signed_payload_that_is_no_push_is_refused(
    client: TestClient, forge: PlayedForge, body: bytes
) -> None:
    answer = client.post("/webhook/github", content=body, headers=github(body))
    assert answer.status_code == 422
    assert not forge.started


@pytest.mark.parametrize("body", [b"", b"payload", b"payload=1&x=2", b"x=1", b"payload=%ff"])
def test_a_form_of_another_kind_is_refused(client: TestClient, body: bytes) -> None:
    headers = github(body, Content_Type="application/x-www-form-urlencoded")
    assert client.post("/webhook/github", content=body, headers=headers).status_code == 422


def test_a_name_that_is_no_text_is_kept_as_far_as_it_is(
    client: TestClient, sync: SyncService
) -> None:
    job_id = deliver(client, push(pusher={"name": "a\ud800b"})).json()["job_id"]
    assert sync.job(job_id).requested_by == ("a?b",)


def test_a_delivery_that_comes_twice_gives_the_first_job_again(
    client: TestClient, forge: PlayedForge
) -> None:
    first = deliver(client, push()).json()
    again = deliver(client, push())
    assert again.status_code == 202
    assert again.json()["status"] == "duplicate"
    assert again.json()["job_id"] == first["job_id"]
    assert len(forge.started) == 1


def test_a_captured_delivery_is_known_under_another_id(
    client: TestClient, forge: PlayedForge, sync: SyncService
) -> None:
    first = deliver(client, push()).json()
    replayed = deliver(client, push(), delivery="d-2").json()
    assert (replayed["status"], replayed["job_id"]) == ("duplicate", first["job_id"])
    assert sync.queue().waiting is None
    assert len(forge.started) == 1


@pytest.mark.parametrize(("days", "status"), [(2, "accepted"), (4, "ignored")])
def test_a_delivery_that_is_older_than_github_sends_any_starts_nothing(
    client: TestClient, days: int, status: str
) -> None:
    repository = {"full_name": "noll/wiki", "pushed_at": int(START) - days * 24 * 3600}
    assert deliver(client, push(repository=repository)).json()["status"] == status


def test_without_its_secret_a_forge_is_not_listened_to(
    sync_settings: Callable[..., Settings], caplog: pytest.LogCaptureFixture
) -> None:
    from functions.sync.service import SyncService

    client = client_of(SyncService(sync_settings(webhook_secret_github="")))
    body = sent(push())
    for headers in (github(body), {}):
        assert client.post("/webhook/github", content=body, headers=headers).status_code == 404
    assert "EDGEWIKI_WEBHOOK_SECRET_GITHUB is empty" in caplog.text


def test_a_secret_that_signs_for_one_forge_does_not_for_the_other(client: TestClient) -> None:
    body = sent(push())
    headers = {"X-Gitea-Event": "push", "X-Gitea-Signature": signature(body, GITHUB_SECRET)}
    assert client.post("/webhook/gitea", content=body, headers=headers).status_code == 403


def test_a_webhook_may_be_larger_than_a_question_but_not_than_an_event(
    client: TestClient,
) -> None:
    assert deliver(client, push(note="x" * 1_000_000)).status_code == 202
    assert deliver(client, push(note="x" * MAX_BYTES)).status_code == 413
    question = client.post("/sync", content=b"x" * 70_000)
    assert question.status_code == 413


def test_a_commit_of_a_repository_with_sha256_is_one(client: TestClient) -> None:
    assert deliver(client, push(after="a" * 64)).json()["status"] == "accepted"
