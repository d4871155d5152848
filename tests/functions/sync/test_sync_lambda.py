"""The sync function under the real Lambda runtime client."""

from __future__ import annotations

import base64
import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import LambdaProcess, lambda_process
from tests.functions.sync.conftest import (
    GITEA_SECRET,
    GITHUB_SECRET,
    KEYS,
    SYNC_KEY,
    github,
    push,
    sent,
    signature,
)
from tests.functions.test_lambda import body_of, load

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = ["rest-api", "http-api", "function-url", "load-balancer"]


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LambdaProcess]:
    """One process without a forge: a job is taken, begun, and fails for want of one."""
    folder = tmp_path_factory.mktemp("sync-lambda")
    environ = {
        "EDGEWIKI_STORE": f"file://{folder / 'store'}",
        "EDGEWIKI_CACHE_DIR": str(folder / "cache"),
        "EDGEWIKI_API_KEYS": KEYS,
        "EDGEWIKI_SYNC_KEY": SYNC_KEY,
        "EDGEWIKI_WEBHOOK_SECRET_GITHUB": GITHUB_SECRET,
        "EDGEWIKI_WEBHOOK_SECRET_GITEA": GITEA_SECRET,
        "EDGEWIKI_FORGE_REPOSITORY": "noll/wiki",
    }
    with lambda_process(folder, environ, "functions.sync.handler.handler") as process:
        yield process


def event_of(
    kind: str, method: str, path: str, headers: dict[str, str], body: bytes, *, encoded: bool
) -> dict[str, Any]:
    """An event of ``kind`` with another address, headers and body."""
    event = copy.deepcopy(load(kind))
    named = {name.lower(): value for name, value in headers.items()}
    for holder in ("headers", "multiValueHeaders"):
        if event.get(holder):
            # API Gateway and Function URLs write them small, an HTTP/1 client as it likes.
            event[holder] = {
                "host": "wiki.example.org",
                **named,
            }
    if event.get("multiValueHeaders"):
        event["multiValueHeaders"] = {k: [v] for k, v in event["multiValueHeaders"].items()}
    if "rawPath" in event:
        event["rawPath"] = event["requestContext"]["http"]["path"] = path
        event["requestContext"]["http"]["method"] = method
    else:
        event["path"], event["httpMethod"] = path, method
    event["isBase64Encoded"] = encoded
    event["body"] = base64.b64encode(body).decode() if encoded else body.decode()
    return event


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("encoded", [True, False], ids=["base64", "plain"])
def test_a_webhook_is_verified_by_the_bytes_that_the_forge_signed(
    function: LambdaProcess, kind: str, encoded: bool
) -> None:
    body = sent(push(note=f"žltá čiara {kind} {encoded}"))
    headers = github(body, delivery=f"{kind}-{encoded}")
    for status in ("accepted", "duplicate", "duplicate"):
        event = event_of(kind, "POST", "/webhook/github", headers, body, encoded=encoded)
        answer = function.invoke(event)
        assert answer["statusCode"] == 202, answer
        assert body_of(answer)["status"] == status
    forged = event_of(kind, "POST", "/webhook/github", headers, body + b" ", encoded=encoded)
    assert function.invoke(forged)["statusCode"] == 403


def test_bytes_that_are_no_text_are_verified_too(function: LambdaProcess) -> None:
    body = b'{"ref": "\xff"}'
    event = event_of("http-api", "POST", "/webhook/github", github(body), body, encoded=True)
    assert function.invoke(event)["statusCode"] == 422


@pytest.mark.parametrize("wrong", ["", "sha256=", "ü" * 64, "zz", f"{'0' * 64},{'0' * 64}"])
def test_a_malformed_signature_is_403_in_an_event_too(function: LambdaProcess, wrong: str) -> None:
    body = sent(push())
    headers = {"X-Gitea-Event": "push", "X-Gitea-Signature": wrong}
    for kind in KINDS:
        event = event_of(kind, "POST", "/webhook/gitea", headers, body, encoded=False)
        assert function.invoke(event)["statusCode"] == 403


def test_a_signature_that_comes_twice_is_403_however_the_event_writes_it(
    function: LambdaProcess,
) -> None:
    body = sent(push())
    good = signature(body, GITEA_SECRET)
    headers = {"X-Gitea-Event": "push", "X-Gitea-Signature": good}
    event = event_of("rest-api", "POST", "/webhook/gitea", headers, body, encoded=False)
    event["multiValueHeaders"]["x-gitea-signature"] = [good, good]
    assert function.invoke(event)["statusCode"] == 403


def test_a_job_is_asked_for_followed_and_reported_on(function: LambdaProcess) -> None:
    key = {"X-API-Key": SYNC_KEY, "Content-Type": "application/json"}
    asked = function.invoke(
        event_of("http-api", "POST", "/sync", key, b'{"reason": "by hand"}', encoded=False)
    )
    assert asked["statusCode"] == 202
    url = body_of(asked)["status_url"]
    job = body_of(function.invoke(event_of("http-api", "GET", url, key, b"", encoded=False)))
    assert (job["state"], job["reasons"]) == ("failed", ["by hand"])
    assert "EDGEWIKI_FORGE is empty" in job["error"]
    late = event_of("http-api", "POST", url, key, b'{"phase": "building"}', encoded=False)
    assert function.invoke(late)["statusCode"] == 409
    status = function.invoke(event_of("http-api", "GET", "/sync/status", key, b"", encoded=False))
    assert body_of(status)["last_failure"][0]["job_id"] == job["job_id"]


def test_it_answers_nothing_else(function: LambdaProcess) -> None:
    event = event_of("http-api", "POST", "/search", {}, json.dumps({}).encode(), encoded=False)
    assert function.invoke(event)["statusCode"] == 404
