"""The sync function: webhooks, requests for a job, and what becomes of it."""

from __future__ import annotations

import hashlib
import hmac
import logging
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Path, Request, Security

from functions.access import Role
from functions.health import age_of
from functions.models import ErrorResponse
from functions.security import api_key_header, bearer_header, key_of
from functions.sync.jobs import Request as SyncRequest
from functions.sync.models import (
    AcceptedResponse,
    JobResponse,
    ReportBody,
    StatusResponse,
    SyncBody,
    described,
)
from functions.sync.service import SyncService, service_of
from functions.sync.signatures import signed_payload
from functions.sync.webhooks import MAX_BYTES, Ignored, read_webhook
from index_artifacts.errors import ForbiddenError, NotFoundError
from index_artifacts.version_store import read_pointer

logger = logging.getLogger("edgewiki")

BODY_LIMITS = {"/webhook/github": MAX_BYTES, "/webhook/gitea": MAX_BYTES}
"""Paths whose bodies may be larger than others."""

_KEYS = [Security(api_key_header), Security(bearer_header)]
_PAYLOAD = {
    "requestBody": {
        "required": True,
        "description": "The forge's payload, signed with the secret that both know.",
        "content": {
            "application/json": {"schema": {"type": "object"}},
            "application/x-www-form-urlencoded": {
                "schema": {
                    "type": "object",
                    "required": ["payload"],
                    "properties": {"payload": {"type": "string"}},
                }
            },
        },
    }
}


def _errors(**words: str) -> dict[int | str, dict[str, Any]]:
    return {
        int(code.removeprefix("e")): {"model": ErrorResponse, "description": text}
        for code, text in words.items()
    }


router = APIRouter(
    tags=["sync"],
    responses=_errors(
        e413="The body is too large",
        e422="The request is not valid",
        e503="The store does not answer",
    ),
)


async def body_of(request: Request) -> bytes:
    """The body as it came: a signature is over every byte. A FastAPI dependency."""
    return await request.body()


def service(request: Request) -> SyncService:
    """The sync service of this process. A FastAPI dependency."""
    given: SyncService | None = getattr(request.app.state, "sync", None)
    return given or service_of(request.app.state.settings)


def require_sync_key(request: Request) -> None:
    """Raise 404 where no sync key is set, and 401 for another one. A FastAPI dependency."""
    if not request.app.state.settings.sync_key.get_secret_value():
        logger.warning("EDGEWIKI_SYNC_KEY is empty: %s is not served", request.url.path)
        raise HTTPException(404, "this installation has no sync key, so it takes no requests")
    if not _shows_sync_key(request):
        raise HTTPException(
            401, "send the sync key as X-API-Key or as a Bearer", {"WWW-Authenticate": "Bearer"}
        )


def require_reader(request: Request) -> None:
    """Raise unless the sync key or an admin's was sent. A FastAPI dependency."""
    if _shows_sync_key(request):
        return
    caller = request.app.state.doorkeeper.caller(request)
    if caller is None or (caller.role < Role.ADMIN and not key_of(request)):
        raise HTTPException(
            401, "send the sync key or an admin's API key", {"WWW-Authenticate": "Bearer"}
        )
    if caller.role < Role.ADMIN:
        raise ForbiddenError("this needs the sync key, or the role admin")


def _shows_sync_key(request: Request) -> bool:
    """Whether the sync key was sent. Digests are compared: they tell nothing of a length."""
    key = request.app.state.settings.sync_key.get_secret_value()
    shown = key_of(request).encode(errors="surrogateescape")
    same = hmac.compare_digest(
        hashlib.sha256(shown).digest(), hashlib.sha256(key.encode()).digest()
    )
    return bool(key) and same


Service = Annotated[SyncService, Depends(service)]
Body = Annotated[bytes, Depends(body_of)]
JobId = Annotated[str, Path(max_length=64, description="A job's id, as it was given.")]
NEEDS_SYNC_KEY = [Depends(require_sync_key), *_KEYS]
NEEDS_READER = [Depends(require_reader), *_KEYS]


@router.post(
    "/webhook/github",
    summary="Take a webhook of GitHub",
    description="A push to the branch that is built starts a job; whatever else comes does not.",
    status_code=202,
    responses=_errors(e403="The signature is missing or wrong", e404="Not set up here"),
    openapi_extra=_PAYLOAD,
)
def receive_github_webhook(request: Request, body: Body, sync: Service) -> AcceptedResponse:
    """Signed in X-Hub-Signature-256."""
    return _receive("github", request, body, sync)


@router.post(
    "/webhook/gitea",
    summary="Take a webhook of Gitea or Forgejo",
    description="A push to the branch that is built starts a job; whatever else comes does not.",
    status_code=202,
    responses=_errors(e403="The signature is missing or wrong", e404="Not set up here"),
    openapi_extra=_PAYLOAD,
)
def receive_gitea_webhook(request: Request, body: Body, sync: Service) -> AcceptedResponse:
    """Signed in X-Gitea-Signature, X-Forgejo-Signature, X-Gogs-Signature or GitHub's header."""
    return _receive("gitea", request, body, sync)


@router.post(
    "/sync",
    summary="Ask for a version of the wiki as it is now",
    description="Requests that wait for a build share it.",
    status_code=202,
    dependencies=NEEDS_SYNC_KEY,
    responses=_errors(e401="No sync key was sent", e404="Not set up here"),
)
def request_build(body: SyncBody, sync: Service) -> AcceptedResponse:
    """Needs the sync key."""
    wish = SyncRequest(body.reason, body.pull, body.revision, body.requested_by)
    return _accepted(sync, wish)


@router.get(
    "/sync/status",
    summary="What is being built, what was, and how old the live version is",
    dependencies=NEEDS_READER,
    responses=_errors(e401="No key was sent", e403="The key is not an admin's"),
)
def get_sync_status(sync: Service) -> StatusResponse:
    """Needs the sync key or an admin's API key."""
    queue, settings = sync.queue(), sync.settings
    try:
        live = read_pointer(sync.store, settings.channel)[0]
        version, published_at = live.version, live.published_at
    except NotFoundError:
        version = published_at = ""
    listed = {
        "running": queue.active,
        "waiting": queue.waiting,
        "last_success": queue.last_success,
        "last_failure": queue.last_failure,
    }
    jobs = {
        name: [described(job, sync.status_url(job.id))] if job else []
        for name, job in listed.items()
    }
    return StatusResponse(
        **jobs,
        index_version=version,
        published_at=published_at,
        age_seconds=age_of(published_at),
    )


@router.get(
    "/sync/jobs/{id}",
    summary="How far a job is, or how it ended",
    dependencies=NEEDS_READER,
    responses=_errors(
        e401="No key was sent", e403="The key is not an admin's", e404="There is no such job"
    ),
)
def get_sync_job(id: JobId, sync: Service) -> JobResponse:
    """Needs the sync key or an admin's API key."""
    return described(sync.job(id), sync.status_url(id))


@router.post(
    "/sync/jobs/{id}",
    summary="Report on a job",
    description="For the workflow that builds. Each report renews the job's lease.",
    dependencies=NEEDS_SYNC_KEY,
    responses=_errors(
        e401="No sync key was sent",
        e404="There is no such job",
        e409="The job is over, or has not begun",
    ),
)
def report_on_sync_job(id: JobId, body: ReportBody, sync: Service) -> JobResponse:
    """Needs the sync key."""
    return described(sync.report(id, body.report()), sync.status_url(id))


def _receive(
    forge: Literal["github", "gitea"], request: Request, body: bytes, sync: SyncService
) -> AcceptedResponse:
    settings = sync.settings
    secret = getattr(settings, f"webhook_secret_{forge}").get_secret_value()
    if not secret:
        logger.warning("EDGEWIKI_WEBHOOK_SECRET_%s is empty: a webhook came", forge.upper())
        raise HTTPException(404, f"this installation takes no webhooks of {forge}")
    try:
        payload = signed_payload(forge, request.headers, body, secret)
    except ForbiddenError as error:
        logger.warning("a webhook of %s is refused: %s", forge, error)
        raise
    said = read_webhook(forge, request.headers, payload, settings, sync.clock())
    if isinstance(said, Ignored):
        sync.begin()
        return AcceptedResponse(status="ignored", reason=said.reason, job_id="", status_url="")
    return _accepted(sync, said)


def _accepted(sync: SyncService, wish: SyncRequest) -> AcceptedResponse:
    job_id, is_new = sync.request(wish)
    return AcceptedResponse(
        status="accepted" if is_new else "duplicate",
        reason="" if is_new else "this delivery was taken before",
        job_id=job_id,
        status_url=sync.status_url(job_id),
    )
