"""Following jobs until they are over."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from functions.sync.jobs import FINAL, Job, Queue

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.sync.service import SyncService


def until(sync: SyncService, wanted: Callable[[Queue], object]) -> Queue:
    """Look at the queue until it is as ``wanted``; every look lets begin what is due."""
    for _ in range(600):
        queue = sync.queue()
        if wanted(queue):
            return queue
        time.sleep(0.1)
    raise AssertionError(queue)


def finished(sync: SyncService, job_id: str) -> Job:
    def is_over(queue: Queue) -> bool:
        job = queue.find(job_id)
        return job is not None and job.state in FINAL

    job = until(sync, is_over).find(job_id)
    assert job is not None
    return job


def serves_nothing(sync: SyncService) -> bool:
    return not list(sync.store.list("channels/"))
