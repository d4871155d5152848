"""How the queue changes: pure functions from a queue to the next one.

    request ──► queued ──claim──► running ──report──► succeeded | failed
                  ▲                  │
                  └── lease expired ─┘   at most `MAX_ATTEMPTS` times, then failed

One job is active; requests that come while it runs share one that waits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from functions.sync.jobs import (
    FAILED,
    FINAL,
    QUEUED,
    RUNNING,
    SUCCEEDED,
    Job,
    Outcome,
    Queue,
    Request,
    Seen,
)
from index_artifacts.errors import JobConflictError, JobNotFoundError

MAX_ATTEMPTS = 3
KEPT_JOBS = 20
KEPT_DELIVERIES = 500
KEPT_WORDS = 20
"""Reasons, and names of who asked, of a job; the oldest go."""

CLOCKS_DIFFER = 5.0
"""Seconds by which clocks that are right may differ."""

STARTING = "starting"


@dataclass(frozen=True, slots=True)
class Report:
    """What a runner says of its job. An empty ``phase`` leaves it as it is."""

    state: str = RUNNING
    phase: str = ""
    detail: str = ""
    error: str = ""
    run_url: str = ""
    outcome: Outcome | None = None


def add(queue: Queue, request: Request, job_id: str, now: float) -> tuple[Queue, tuple[str, bool]]:
    """Take a request: (queue, (its job's id, whether it is new)).

    It joins a job that has not begun, or has begun for the same commit; else its job is called
    ``job_id``. A delivery that is known gives the job it led to.
    """
    if queue.find(job_id):
        return queue, (job_id, True)  # it was written, and the answer to that got lost
    for item in queue.seen:
        if item.digest in request.deliveries:
            return queue, (item.job_id, False)
    fresh = Job(job_id, now, reasons=())
    if queue.active is None:
        job = _joined(fresh, request)
        queue = replace(queue, active=job)
    elif _will_hold(queue.active, request):
        job = _joined(queue.active, request)
        queue = replace(queue, active=job)
    else:
        job = _joined(queue.waiting or fresh, request)
        queue = replace(queue, waiting=job)
    seen = [Seen(digest, job.id) for digest in request.deliveries]
    return replace(queue, seen=(*queue.seen, *seen)[-KEPT_DELIVERIES:]), (job.id, True)


def expire(queue: Queue, now: float, longest: float) -> Queue:
    """Take the lease from a runner that is silent too long: again, or failed for good.

    ``longest`` is the longest lease there is: one that ends later was written by a clock that is
    ahead, and is cut to that, so that no clock holds a job longer than a lease.
    """
    job = queue.active
    if job is None or job.state != RUNNING:
        return queue
    if job.expires_at > now + longest + CLOCKS_DIFFER:
        return replace(queue, active=replace(job, expires_at=now + longest))
    if job.expires_at > now:
        return queue
    error = f"try {job.attempts} of {MAX_ATTEMPTS} ended without a word while {job.phase}"
    if job.attempts >= MAX_ATTEMPTS:
        return _finished(queue, replace(job, state=FAILED, error=error, finished_at=now))
    again = replace(job, state=QUEUED, phase=QUEUED, detail="", owner="", expires_at=0.0)
    return replace(queue, active=replace(again, error=error))


def claim(queue: Queue, owner: str, now: float, lease: float) -> tuple[Queue, Job | None]:
    """Give the job that is due to ``owner`` for ``lease`` seconds; None where none is due."""
    job = queue.active
    if job is None:
        return queue, None
    if job.state == RUNNING:
        return queue, job if job.owner == owner else None
    job = replace(
        job, state=RUNNING, phase=STARTING, attempts=job.attempts + 1, owner=owner,
        expires_at=now + lease, started_at=now,
    )  # fmt: skip
    return replace(queue, active=job), job


def report(
    queue: Queue, job_id: str, said: Report, now: float, lease: float, owner: str = ""
) -> tuple[Queue, Job]:
    """Write down what a runner says, and renew its lease.

    ``owner`` is compared where it is given: another one has the job by now. Raises
    `JobConflictError` where the job is not one that can be reported on, `JobNotFoundError`
    where there is none.
    """
    job = queue.find(job_id)
    if job is None:
        raise JobNotFoundError(f"there is no job {job_id}")
    if job.state in FINAL:
        if job.state == said.state:
            return queue, job
        raise JobConflictError(f"job {job_id} has {job.state} already")
    if job is not queue.active or job.attempts == 0:
        raise JobConflictError(f"job {job_id} has not begun")
    if owner and owner != job.owner:
        raise JobConflictError(f"job {job_id} is another runner's by now")
    job = replace(
        job,
        state=said.state,
        phase=said.phase or job.phase,
        detail=said.detail,
        error=said.error,
        run_url=said.run_url or job.run_url,
        outcome=said.outcome or job.outcome,
        expires_at=now + lease,
    )
    if said.state in FINAL:
        job = replace(job, finished_at=now)
        return _finished(queue, job), job
    return replace(queue, active=job), job


def _finished(queue: Queue, job: Job) -> Queue:
    """Put the active job away; what waits is next."""
    job = replace(job, owner="", expires_at=0.0)
    return replace(
        queue,
        active=queue.waiting,
        waiting=None,
        finished=(job, *queue.finished)[:KEPT_JOBS],
        last_success=job if job.state == SUCCEEDED else queue.last_success,
        last_failure=job if job.state == FAILED else queue.last_failure,
    )


def _will_hold(job: Job, request: Request) -> bool:
    """Whether what ``request`` is about will be in the version that ``job`` makes.

    An edit asks for a build itself, and then the forge tells of it as well.
    """
    if job.attempts == 0:
        return True
    same = bool(request.revision) and request.revision == job.revision
    return same and job.pull and job.state == RUNNING


def _joined(job: Job, request: Request) -> Job:
    return replace(
        job,
        reasons=_with(job.reasons, request.reason),
        requested_by=_with(job.requested_by, request.requested_by),
        revision=request.revision or job.revision,
        pull=job.pull or request.pull,
    )


def _with(words: tuple[str, ...], word: str) -> tuple[str, ...]:
    return (*words, word)[-KEPT_WORDS:] if word and word not in words else words
