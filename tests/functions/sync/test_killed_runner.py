"""Runners that are killed or frozen while they build."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from functions.sync import local_runner
from functions.sync.jobs import RUNNING, SUCCEEDED, Request
from functions.sync.service import SyncService
from index_artifacts.version_store import read_pointer
from tests.functions.sync.following import finished, serves_nothing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings
    from tests.functions.sync.pushed_wiki import Wiki

pytestmark = pytest.mark.slow


def test_a_worker_that_lost_its_lease_stops_building(
    local: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_runner, "LEASE_SECONDS", 1.0)
    sync = SyncService(local())
    job_id, _ = sync.ledger.request(Request("push"))
    job = sync.ledger.claim("frozen", 0.0)
    assert job is not None
    assert sync.ledger.queue().active is not None  # and with that look, the lease is gone
    other = sync.ledger.claim("other", 900.0)
    assert other is not None
    local_runner.LocalRunner(sync.settings, sync.ledger).run(job)
    after = sync.ledger.job(job_id)
    assert (after.owner, after.state, after.attempts) == ("other", RUNNING, 2)
    assert serves_nothing(sync)


SERVER = """
import sys, time
from functions.settings import load_settings
from functions.sync.jobs import Request
from functions.sync.service import SyncService

sync = SyncService(load_settings())
print(sync.request(Request("push"))[0], flush=True)
time.sleep(600)
"""


def test_a_process_that_is_killed_while_it_builds_is_made_up_for(
    built_wiki: Wiki, local: Callable[..., Settings], tmp_path: Path
) -> None:
    """SIGKILL to the process that runs the job: its lease ends, and another one tries again."""
    settings = local(sync_lease_seconds=2.0)
    environ = {
        **os.environ,
        "EDGEWIKI_STORE": settings.store,
        "EDGEWIKI_CACHE_DIR": str(tmp_path / "cache"),
        "EDGEWIKI_ALLOW_ANONYMOUS": "true",
        "EDGEWIKI_SYNC_RUNNER": "local",
        "EDGEWIKI_SYNC_LEASE_SECONDS": "2",
        "EDGEWIKI_WIKI_DIR": str(built_wiki.clone),
        "EDGEWIKI_GIT_ORIGIN": built_wiki.url,
    }
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER], env=environ, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    job_id = process.stdout.readline().strip()
    sync = SyncService(settings)
    try:
        for _ in range(600):  # the ledger alone: this process must not begin anything yet
            job = sync.ledger.job(job_id)
            if job.phase == "building":
                break
            time.sleep(0.05)
        assert (job.state, job.phase) == (RUNNING, "building")
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    job = finished(sync, job_id)
    assert (job.state, job.attempts) == (SUCCEEDED, 2)
    assert read_pointer(sync.store, "latest")[0].version == job.outcome.version
