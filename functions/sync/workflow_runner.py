"""The runner that lets the forge build: it starts the wiki's workflow, which reports back."""

from __future__ import annotations

import logging
import uuid
from typing import TYPE_CHECKING, Protocol

from functions.sync.jobs import FAILED, RUNNING, Job
from functions.sync.transitions import Report
from index_artifacts.errors import ConfigError, EdgewikiError, JobError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from functions.settings import Settings
    from functions.sync.ledger import Ledger

logger = logging.getLogger("edgewiki")

START_SECONDS = 60.0
"""The lease while the forge is asked: longer than a function of 29 s can take for it."""
MOST_WORDS = 500
MOST_STARTS = 3
"""Jobs that one request starts at most: the next is due when one cannot be started."""


class Workflows(Protocol):
    """What of a `functions.forge.Forge` is needed here."""

    def start_workflow(self, inputs: Mapping[str, str]) -> None:
        """Start the workflow on the branch with ``inputs``; raises `ForgeError`."""


class WorkflowRunner:
    """Starts a workflow for each job. It runs nothing itself, so it may end at any time.

    The forge's client tries again what can pass; what it raises is the job's end.
    """

    def __init__(
        self, settings: Settings, ledger: Ledger, open_forge: Callable[[Settings], Workflows]
    ) -> None:
        self._settings, self._ledger, self._open_forge = settings, ledger, open_forge

    def start_due(self) -> None:
        """Start the workflow of the job that is due, if one is."""
        for _ in range(MOST_STARTS):
            owner = uuid.uuid4().hex
            job = self._ledger.claim(owner, START_SECONDS)
            if job is None or self._start(job):
                return

    def _start(self, job: Job) -> bool:
        try:
            if not self._settings.forge:
                raise ConfigError(
                    "EDGEWIKI_FORGE is empty: name the forge whose workflow builds, or set "
                    "EDGEWIKI_SYNC_RUNNER=local"
                )
            self._open_forge(self._settings).start_workflow(_inputs(job))
            said = Report(RUNNING, "workflow", "started; its first report is awaited")
        except EdgewikiError as error:
            logger.error("sync job %s: the workflow cannot be started: %s", job.id, error)
            said = Report(FAILED, error=f"the workflow cannot be started: {error}")
        try:
            self._ledger.report(job.id, said, owner=job.owner)
        except JobError as error:  # the workflow was faster, or the forge slower than the lease
            logger.info("sync job %s: %s", job.id, error)
        return said.state == RUNNING


def _inputs(job: Job) -> dict[str, str]:
    """The inputs that ``infra/ci``'s workflows have; a forge refuses any that one lacks."""
    return {"job": job.id, "reason": "; ".join(job.reasons)[:MOST_WORDS]}
