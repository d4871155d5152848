"""The ledger of sync jobs in the object store: it outlives every process.

jobs/index.json     the queue: swapped whole by a conditional write, so it is always one
                    somebody decided on, and at most one runner holds the lease
jobs/<id>.json      a finished job that the queue has dropped; the bucket's lifecycle may
                    delete it
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, TypeVar

from functions.sync import transitions
from functions.sync.jobs import (
    QUEUE_KEY,
    Job,
    Queue,
    Request,
    is_job_id,
    job_key,
    new_id,
    parse_job,
    parse_queue,
)
from functions.sync.transitions import Report
from index_artifacts.errors import ConflictError, JobNotFoundError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.store import Store

RACE_ATTEMPTS = 60
RETRY_SECONDS = (0.005, 0.1)

Said = TypeVar("Said")


class Ledger:
    """Jobs of one store. Safe for any number of threads and processes.

    ``lease`` is the longest a runner may be silent, in seconds. ``clock`` is the wall clock:
    leases are compared between machines. Any method raises `StoreError`.
    """

    def __init__(self, store: Store, lease: float, clock: Callable[[], float] = time.time) -> None:
        self._store, self.lease, self._clock = store, lease, clock

    def request(self, request: Request) -> tuple[str, bool]:
        """Take a request: the id of its job, and whether the request is new."""
        now = self._clock()
        job_id = new_id(now)
        return self._change(lambda queue: transitions.add(queue, request, job_id, now))

    def claim(self, owner: str, lease: float) -> Job | None:
        """The job that is due, with its lease given to ``owner``; None where none is."""
        return self._change(lambda queue: transitions.claim(queue, owner, self._clock(), lease))

    def report(self, job_id: str, said: Report, *, owner: str = "", lease: float = 0.0) -> Job:
        """Write down what a runner says and renew its lease; see `transitions.report`."""
        known = self._read()[0].find(job_id)
        if known is None and (job := self._archived(job_id)):
            return transitions.report(Queue(finished=(job,)), job_id, said, 0.0, 0.0)[1]
        return self._change(
            lambda queue: transitions.report(
                queue, job_id, said, self._clock(), lease or self.lease, owner
            )
        )

    def queue(self) -> Queue:
        """How things stand, expired leases taken away."""
        return self._change(lambda queue: (queue, queue))

    def job(self, job_id: str) -> Job:
        """The job of that id. Raises `JobNotFoundError`."""
        found = self.queue().find(job_id) or self._archived(job_id)
        if found is None:
            raise JobNotFoundError(f"there is no job {job_id[:64]}")
        return found

    def _archived(self, job_id: str) -> Job | None:
        if not is_job_id(job_id):
            return None
        try:
            return parse_job(self._store.read(job_key(job_id)).data)
        except NotFoundError:
            return None

    def _change(self, decide: Callable[[Queue], tuple[Queue, Said]]) -> Said:
        """Apply ``decide`` to the queue of this moment, again where somebody else was faster."""
        for _ in range(RACE_ATTEMPTS):
            before, etag = self._read()
            after, said = decide(transitions.expire(before, self._clock(), self.lease))
            if after == before:
                return said
            self._keep_dropped(before, after)
            try:
                self._store.replace(QUEUE_KEY, after.to_json(), etag)
            except ConflictError:
                time.sleep(random.uniform(*RETRY_SECONDS))  # jitter: losers must not meet again
                continue
            return said
        raise ConflictError(f"{self._store.url}: {QUEUE_KEY} is changed by too many at once")

    def _keep_dropped(self, before: Queue, after: Queue) -> None:
        """Give the finished jobs that the queue forgets an object each. They never change again."""
        for job in before.finished:
            if job not in after.finished:
                self._store.write_new(job_key(job.id), job.to_json())

    def _read(self) -> tuple[Queue, str | None]:
        try:
            found = self._store.read(QUEUE_KEY)
        except NotFoundError:
            return Queue(), None
        return parse_queue(found.data), found.etag
