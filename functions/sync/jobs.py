"""A sync job and the queue it stands in, as records; times are seconds since 1970."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from index_artifacts.errors import StoreError
from index_artifacts.manifest import canonical_json

PREFIX = "jobs/"
QUEUE_KEY = "jobs/index.json"
"""The one object that is swapped; a finished job also lies in `job_key`."""

QUEUED, RUNNING, SUCCEEDED, FAILED = "queued", "running", "succeeded", "failed"
FINAL = frozenset({SUCCEEDED, FAILED})

_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a build made: the version, how much is in it, and what it cost."""

    version: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    embeddings_computed: int = 0
    embeddings_reused: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody's wish for a version of the wiki as it is now.

    ``pull`` is about a local runner: fetch the branch first. ``deliveries`` are digests by which
    a webhook that comes twice is known.
    """

    reason: str
    pull: bool = True
    revision: str = ""
    requested_by: str = ""
    deliveries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One build, of one request or of several that could wait together.

    ``owner`` holds the lease until ``expires_at``: a token of whoever runs this attempt.
    ``detail`` says how far the phase is, ``error`` what went wrong last.
    """

    id: str
    requested_at: float
    reasons: tuple[str, ...]
    requested_by: tuple[str, ...] = ()
    revision: str = ""
    pull: bool = False
    state: str = QUEUED
    phase: str = QUEUED
    detail: str = ""
    attempts: int = 0
    owner: str = ""
    expires_at: float = 0.0
    started_at: float = 0.0
    finished_at: float = 0.0
    error: str = ""
    run_url: str = ""
    outcome: Outcome = Outcome()

    def to_json(self) -> bytes:
        """Canonical JSON."""
        return canonical_json(asdict(self))


@dataclass(frozen=True, slots=True)
class Seen:
    """A delivery that was taken, and the job it led to."""

    digest: str
    job_id: str


@dataclass(frozen=True, slots=True)
class Queue:
    """Everything that has to be decided at once: who runs, who waits, what was there before.

    ``active`` is running, or comes next; ``waiting`` follows it. ``finished`` is newest first.
    """

    active: Job | None = None
    waiting: Job | None = None
    finished: tuple[Job, ...] = ()
    last_success: Job | None = None
    last_failure: Job | None = None
    seen: tuple[Seen, ...] = ()

    def find(self, job_id: str) -> Job | None:
        """The job of that id, as far as the queue still knows it."""
        known = (self.active, self.waiting, *self.finished, self.last_success, self.last_failure)
        return next((job for job in known if job and job.id == job_id), None)

    def to_json(self) -> bytes:
        """Canonical JSON."""
        return canonical_json(asdict(self))


def new_id(now: float) -> str:
    """An id that sorts by time and that nobody else gives."""
    return f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(8)}"


def is_job_id(text: str) -> bool:
    """True where a job could be called so."""
    return bool(_ID.fullmatch(text))


def job_key(job_id: str) -> str:
    """Where a finished job lies."""
    return f"{PREFIX}{job_id}.json"


def parse_job(data: bytes) -> Job:
    """Read a job; raises `StoreError` where it is none."""
    try:
        return _job(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"not a job of the ledger: {error!r}") from error


def parse_queue(data: bytes) -> Queue:
    """Read a queue; raises `StoreError`, which says what to do, where it is none."""
    try:
        raw = json.loads(data)
        one = {name: _job(raw[name]) for name in _JOBS if raw.get(name)}
        finished = tuple(_job(job) for job in raw.get("finished", []))
        seen = tuple(Seen(**item) for item in raw.get("seen", []))
        return Queue(finished=finished, seen=seen, **one)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(
            f"{QUEUE_KEY} is not a sync ledger ({error!r}): move it away to begin a new one"
        ) from error


_JOBS = ("active", "waiting", "last_success", "last_failure")
_FIELDS = frozenset(each.name for each in fields(Job))


def _job(raw: dict[str, Any]) -> Job:
    """A job of its fields; those that a later release may add are passed over."""
    known = {name: value for name, value in raw.items() if name in _FIELDS}
    known["outcome"] = Outcome(**known.get("outcome", {}))
    for name in ("reasons", "requested_by"):
        known[name] = tuple(known.get(name, ()))
    return Job(**known)
