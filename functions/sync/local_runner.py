"""The runner of ``edgewiki serve``: fetches, builds and publishes in processes of its own.

The build is another package, and the functions know nothing of it: it is run as a command. One
daemon thread works off what is due, and ends when nothing is.
"""

from __future__ import annotations

import json
import logging
import shutil
import sys
import threading
import time
import uuid
from typing import TYPE_CHECKING, Any

from functions.sync.clone import Clone, git_environment
from functions.sync.jobs import FAILED, RUNNING, SUCCEEDED, Job, Outcome
from functions.sync.process import Ended, StoppedError, run
from functions.sync.transitions import Report
from index_artifacts.errors import EdgewikiError, JobError, SourceError, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from functions.settings import Settings
    from functions.sync.ledger import Ledger

logger = logging.getLogger("edgewiki")

LEASE_SECONDS = 120.0
"""A process that builds says so more often than this, even while the build is silent."""
LEFTOVER_SECONDS = 24 * 3600
PAUSE_SECONDS = 5.0
"""Between two reports of one phase."""
TELL_PAUSES = (1.0, 2.0, 4.0, 8.0)
_ERROR = "edgewiki: "
# A build reads pages that anybody may have written: it gets no secret that it has no use for.
_NOT_FOR_A_BUILD = ("EDGEWIKI_SYNC_KEY", "EDGEWIKI_WEBHOOK_SECRET_GITHUB",
    "EDGEWIKI_WEBHOOK_SECRET_GITEA", "EDGEWIKI_FORGE_TOKEN", "EDGEWIKI_API_KEYS",
    "EDGEWIKI_JWT_HS256_SECRET", "EDGEWIKI_LLM_API_KEY", "EDGEWIKI_SECRETS",
    "EDGEWIKI_SIGNING_KEY", "EDGEWIKI_OIDC_CLIENT_SECRET",
    "EDGEWIKI_SESSION_KEY")  # fmt: skip


class LocalRunner:
    """Builds in this process's children."""

    def __init__(self, settings: Settings, ledger: Ledger) -> None:
        self._settings, self._ledger = settings, ledger
        self._lease = min(LEASE_SECONDS, ledger.lease)
        self._thread: threading.Thread | None = None
        self._again = False
        self._lock = threading.Lock()

    def start_due(self) -> None:
        """Make sure that a thread works, or is just about to look for work."""
        with self._lock:
            self._again = True
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, daemon=True, name="edgewiki-sync"
                )
                self._thread.start()

    def _work(self) -> None:
        while self._is_asked():
            try:
                while job := self._ledger.claim(uuid.uuid4().hex, self._lease):
                    self.run(job)
            except EdgewikiError as error:
                logger.error("sync: %s", error)  # the lease ends, and the next request tries again
            except Exception:
                logger.exception("sync: unexpected error")

    def _is_asked(self) -> bool:
        """Whether to look once more; where not, the thread is as good as gone."""
        with self._lock:
            asked, self._again = self._again, False
            if not asked:
                self._thread = None
            return asked

    def run(self, job: Job) -> None:
        """Do one attempt and report how it went. Raises `StoreError` where that cannot be told."""
        attempt = _Attempt(self._settings, self._ledger, job, self._lease)
        try:
            said = attempt.run()
        except JobError as error:
            logger.warning("sync job %s is given up: %s", job.id, error)
            return
        except StoppedError:  # its lease ends, and whoever comes next tries again
            return
        except (EdgewikiError, OSError) as error:
            said = Report(FAILED, error=str(error))
        except Exception:
            logger.exception("sync job %s: unexpected error", job.id)
            said = Report(FAILED, error="unexpected error; see the log")
        logger.info("sync job %s %s %s", job.id, said.state, said.error)
        self._tell(job, said)

    def _tell(self, job: Job, said: Report) -> None:
        """Report how it ended; a store that is away for a moment does not make it in vain."""
        for pause in (*TELL_PAUSES, None):
            try:
                self._ledger.report(job.id, said, owner=job.owner)
            except JobError as error:
                logger.warning("sync job %s is another runner's: %s", job.id, error)
            except StoreError:
                if pause is None:
                    raise
                time.sleep(pause)
                continue
            return


class _Attempt:
    """One attempt at a job: its phases, in order."""

    def __init__(self, settings: Settings, ledger: Ledger, job: Job, lease: float) -> None:
        self._settings, self._ledger, self._job, self._lease = settings, ledger, job, lease
        self._deadline = time.monotonic() + settings.sync_timeout_seconds
        self._phase, self._said_at = "", 0.0

    def run(self) -> Report:
        """Fetch if asked to, build, publish."""
        wiki = self._settings.wiki_dir
        assert wiki is not None  # the settings require it of a local runner
        if self._job.pull:
            self._enter("fetching")
            Clone(wiki, self._settings, self._run).pull()
        artifact = self._artifact()
        try:
            self._enter("building")
            built = self._edgewiki("build", wiki, "--output", artifact, "--progress")
            self._enter("publishing")
            self._edgewiki(
                "publish", wiki, "--artifact", artifact, "--channel", self._settings.channel
            )
        finally:
            shutil.rmtree(artifact, ignore_errors=True)
        return Report(SUCCEEDED, "done", outcome=_outcome(built))

    def _artifact(self) -> Path:
        """A folder of this attempt alone, beside those of others, which are removed when old."""
        folder = self._settings.cache_dir.absolute() / "sync"
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.iterdir():
            if time.time() - left.stat().st_mtime > LEFTOVER_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
        return folder / f"{self._job.id}-{self._job.attempts}"

    def _edgewiki(self, command: str, wiki: Path, *options: object) -> dict[str, Any]:
        words = [command, str(wiki), *map(str, options), "--store", self._settings.store, "--json"]
        kept = git_environment(self._settings)
        for name in _NOT_FOR_A_BUILD:
            kept.pop(name, None)
        environment = {**kept, **self._secrets(command)}
        ended = self._run([sys.executable, "-m", "edgewiki", *words], environment)
        if ended.code:
            raise SourceError(ended.last_words.removeprefix(_ERROR))
        found: dict[str, Any] = json.loads(ended.out)
        return found

    def _secrets(self, command: str) -> dict[str, str]:
        """What a command needs to know, wherever the settings have it from. Publishing signs."""
        known = {"EDGEWIKI_EMBEDDINGS_API_KEY": self._settings.embeddings_api_key}
        if command == "publish":
            known["EDGEWIKI_SIGNING_KEY"] = self._settings.signing_key
        return {name: value.get_secret_value() for name, value in known.items()}

    def _run(self, command: list[str], env: Mapping[str, str]) -> Ended:
        try:
            return run(
                command,
                env=env,
                deadline=self._deadline,
                on_line=self._said,
                every=self._lease / 4,
            )
        except TimeoutError:
            raise SourceError(
                f"{self._phase} was ended: the job took longer than "
                f"{self._settings.sync_timeout_seconds:g} s, EDGEWIKI_SYNC_TIMEOUT_SECONDS"
            ) from None
        except OSError as error:
            raise SourceError(f"{command[0]} cannot be run: {error.strerror}") from error

    def _enter(self, phase: str) -> None:
        self._phase = phase
        self._report("")

    def _said(self, line: str) -> None:
        """Renew the lease now and then; a line is how far the phase is."""
        if time.monotonic() - self._said_at >= min(PAUSE_SECONDS, self._lease / 4):
            self._report(line.removesuffix("…").strip()[:200])

    def _report(self, detail: str) -> None:
        self._said_at = time.monotonic()
        try:
            self._ledger.report(
                self._job.id,
                Report(RUNNING, self._phase, detail),
                owner=self._job.owner,
                lease=self._lease,
            )
        except StoreError as error:  # the lease lasts for a few more tries
            logger.warning("sync job %s: %s", self._job.id, error)


def _outcome(built: dict[str, Any]) -> Outcome:
    embeddings = built["embeddings"]
    return Outcome(
        version=built["version"],
        counts=built["counts"],
        seconds=built["seconds"],
        embeddings_computed=embeddings["computed"],
        embeddings_reused=embeddings["reused"],
    )
