"""The sync service of a process: takes requests, and lets what is due begin."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Protocol

from functions.sync.ledger import Ledger
from index_artifacts.errors import StoreError
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings
    from functions.sync.jobs import Job, Queue, Request
    from functions.sync.transitions import Report
    from functions.sync.workflow_runner import Workflows
    from index_artifacts.store import Store

logger = logging.getLogger("edgewiki")


class Runner(Protocol):
    """Begins jobs."""

    def start_due(self) -> None:
        """Begin the job that is due, if one is, and return soon."""


def open_forge(settings: Settings) -> Workflows:
    """The forge of the settings; raises `ConfigError`."""
    from functions.forge.opening import open_forge as opened  # an HTTP client: when it is needed

    return opened(settings)


class SyncService:
    """Jobs of one installation. Safe for any number of threads.

    Nothing of it runs between requests but a local runner: every call lets begin what is due,
    a job whose runner fell silent included.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], float] = time.time,
        forge: Callable[[Settings], Workflows] = open_forge,
    ) -> None:
        self.settings, self.clock = settings, clock
        self.store: Store = open_store(settings.store)
        self.ledger = Ledger(self.store, settings.sync_lease_seconds, clock)
        self._runner = _runner(settings, self.ledger, forge)

    def request(self, request: Request) -> tuple[str, bool]:
        """Take a request: its job's id, and whether the request is new. Raises `StoreError`."""
        taken = self.ledger.request(request)
        self.begin()
        return taken

    def report(self, job_id: str, said: Report) -> Job:
        """Take a workflow's report. Raises `JobError`, `StoreError`."""
        job = self.ledger.report(job_id, said)
        self.begin()
        return job

    def job(self, job_id: str) -> Job:
        """A job as it is now. Raises `JobNotFoundError`, `StoreError`."""
        self.begin()
        return self.ledger.job(job_id)

    def queue(self) -> Queue:
        """All jobs that are known. Raises `StoreError`."""
        self.begin()
        return self.ledger.queue()

    def status_url(self, job_id: str) -> str:
        """Where a job is described: absolute where the public address is known."""
        root = self.settings.public_url or self.settings.base_path
        return f"{root}/sync/jobs/{job_id}"

    def begin(self) -> None:
        """Let begin what is due. What is in the ledger stays there if that fails."""
        try:
            self._runner.start_due()
        except StoreError as error:
            logger.error("sync: what is due cannot be begun: %s", error)


def _runner(settings: Settings, ledger: Ledger, forge: Callable[[Settings], Workflows]) -> Runner:
    if settings.sync_runner == "local":
        from functions.sync.local_runner import LocalRunner

        return LocalRunner(settings, ledger)
    from functions.sync.workflow_runner import WorkflowRunner

    return WorkflowRunner(settings, ledger, forge)


_services: dict[Settings, SyncService] = {}
_opening = threading.Lock()


def service_of(settings: Settings) -> SyncService:
    """The one service of these settings in this process: its local runner is one thread."""
    with _opening:
        if settings not in _services:
            _services[settings] = SyncService(settings)
        return _services[settings]
