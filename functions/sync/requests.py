"""How another function asks for a job after it has changed the wiki."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from functions.sync.jobs import Request
from functions.sync.service import service_of
from index_artifacts.errors import ConfigError, UnavailableError

if TYPE_CHECKING:
    from functions.settings import Settings

READ_SECONDS = 8
"""Twice that, beside the edit itself, is less than the 29 s that an edit may take on Lambda."""


@dataclass(frozen=True, slots=True)
class SyncTicket:
    """The job that will build a change, and where it is described."""

    job_id: str
    status_url: str


def request_sync(
    settings: Settings, reason: str, revision: str = "", requested_by: str = ""
) -> SyncTicket:
    """Ask for a version that holds ``revision``.

    By the ledger in this process, or where EDGEWIKI_SYNC_FUNCTION names a Lambda function, by
    that. Raises `ConfigError` and `StoreError`: the change itself is made by then.
    """
    if settings.sync_function:
        return _asked(settings, reason, revision, requested_by)
    service = service_of(settings)
    wish = Request(
        reason=reason[:500], revision=revision, requested_by=requested_by[:100], pull=True
    )
    job_id, _ = service.request(wish)
    return SyncTicket(job_id, service.status_url(job_id))


def _asked(settings: Settings, reason: str, revision: str, requested_by: str) -> SyncTicket:
    key = settings.sync_key.get_secret_value()
    if not key:
        raise ConfigError("EDGEWIKI_SYNC_KEY is empty: EDGEWIKI_SYNC_FUNCTION asks for it")
    body = {
        "pull": True,
        "reason": reason[:500],
        "revision": revision,
        "requested_by": requested_by[:100],
    }
    answer = _invoked(settings.sync_function, sync_event(body, key))
    try:
        status, said = answer["statusCode"], json.loads(answer["body"])
        if status != 202:
            raise UnavailableError(
                f"the sync function {settings.sync_function} answered {status}: {said['reason']}"
            )
        return SyncTicket(said["job_id"], said["status_url"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnavailableError(
            f"EDGEWIKI_SYNC_FUNCTION: {settings.sync_function} answers like no sync function"
        ) from error


def sync_event(body: dict[str, Any], key: str) -> dict[str, Any]:
    """``POST /sync`` as an HTTP API tells a function of it (payload version 2.0)."""
    method, path = "POST", "/sync"
    return {
        "version": "2.0",
        "routeKey": f"{method} {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json", "host": "edgewiki", "x-api-key": key},
        "requestContext": {
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": "edgewiki",
            },
            "routeKey": f"{method} {path}",
            "stage": "$default",
        },
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }


def _invoked(function: str, event: dict[str, Any]) -> dict[str, Any]:
    import boto3.session
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError

    # Asked twice for one commit, it gives one job.
    config = Config(connect_timeout=2, read_timeout=READ_SECONDS, retries={"total_max_attempts": 2})
    try:
        with closing(boto3.session.Session().client("lambda", config=config)) as client:
            found = client.invoke(FunctionName=function, Payload=json.dumps(event).encode())
            answer = json.loads(found["Payload"].read())
    except (BotoCoreError, ClientError, ValueError) as error:
        raise UnavailableError(f"the sync function {function} cannot be asked: {error}") from error
    if "FunctionError" in found or not isinstance(answer, dict):
        raise UnavailableError(f"the sync function {function} failed; see its log")
    return answer
