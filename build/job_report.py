"""Telling the sync function how a job goes that it has started, or a push has.

    POST <status URL>/sync/jobs/<id>        Authorization: Bearer <EDGEWIKI_SYNC_KEY>
    {"state": "running",   "phase": "building", "run_url": …, "detail": "embedding 300/4000"}
    {"state": "succeeded", "phase": "done", "run_url": …, "result": {…}}
    {"state": "failed",    "phase": "building", "run_url": …, "error": …, "exit_code": 3}

A report that cannot be delivered never fails the build: what was published is published.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from build.exit_codes import exit_code
from index_artifacts.errors import ConfigError, EdgewikiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx

_JOB = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_ATTEMPTS = 3
_SECONDS = 10.0
_FIRST_WAIT = 1.0
# A report renews the job's lease: a long phase has to be heard of, and must not wait for it.
_HEARD_EVERY = 60.0
_HEARD_SECONDS = 5.0
_MAX_ERROR = 4000


class JobReport:
    """Reports on the job ``job``, or on nothing where the id or the URL is empty.

    ``delivered`` says whether the last report has arrived. Raises `ConfigError` for an id that
    is none.
    """

    def __init__(
        self, url: str, job: str, key: str, *, run_url: str = "", say: Callable[[str], None]
    ) -> None:
        if job and not _JOB.fullmatch(job):
            raise ConfigError(f"job {job!r} is no id of a sync job: see POST /sync")
        self._url = f"{url.rstrip('/')}/sync/jobs/{job}" if url and job else ""
        self._key, self._run_url, self._say = key, run_url, say
        self.phase_now = "starting"
        self.delivered = False
        self._heard_at = time.monotonic()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Report whatever is raised in the block, also that the forge cancels the run."""
        try:
            yield
        except BaseException as error:
            code = exit_code(error) if isinstance(error, EdgewikiError) else 1
            self.failed(str(error) or type(error).__name__, code)
            raise

    def phase(self, name: str) -> None:
        """The job has come to ``name``."""
        self.phase_now = name
        self._post({"state": "running"})

    def progress(self, what: str, done: int, total: int) -> None:
        """How far the phase is, said once a minute at most and only once each time."""
        if self._url and time.monotonic() - self._heard_at >= _HEARD_EVERY:
            detail = f"{what} {done}/{total}" if total else what
            self._post({"state": "running", "detail": detail}, attempts=1, seconds=_HEARD_SECONDS)

    def succeeded(self, result: dict[str, Any]) -> None:
        """The job is done."""
        self.phase_now = "done"
        self._post({"state": "succeeded", "result": result})

    def failed(self, error: str, exit_code: int) -> None:
        """The job has failed in the phase it was in."""
        self._post({"state": "failed", "error": error[:_MAX_ERROR], "exit_code": exit_code})

    def _post(
        self, body: dict[str, Any], *, attempts: int = _ATTEMPTS, seconds: float = _SECONDS
    ) -> None:
        if not self._url:
            return
        body |= {"phase": self.phase_now}
        if self._run_url:
            body |= {"run_url": self._run_url}
        problem = self._try(body, attempts, seconds)
        self._heard_at = time.monotonic()
        self.delivered = not problem
        if problem:
            self._say(f"could not report to {self._url}: {problem}")

    def _try(self, body: dict[str, Any], attempts: int, seconds: float) -> str:
        """Return what went wrong in the end; only what may pass by itself is tried again."""
        import httpx

        problem = ""
        for attempt in range(attempts):
            if attempt:
                time.sleep(_FIRST_WAIT * 2 ** (attempt - 1))
            try:
                answer = httpx.post(self._url, json=body, headers=self._headers, timeout=seconds)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                problem = str(error) or type(error).__name__
                continue
            if answer.is_success:
                return ""
            problem = _refusal(answer)
            if answer.status_code < 500 and answer.status_code != 429:
                break
        return problem

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}


def _refusal(answer: httpx.Response) -> str:
    hint = "; is EDGEWIKI_SYNC_KEY the sync key?" if answer.status_code in {401, 403} else ""
    return f"HTTP {answer.status_code}{hint}"
