"""Reports on a job, over HTTP, to a server that is not always well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import build.job_report
from build.job_report import JobReport
from index_artifacts.errors import ConfigError, StrictBuildError
from tests.infra.job_server import running_job_server
from tests.s3_server import unused_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.infra.job_server import JobServer


@pytest.fixture(autouse=True)
def _no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.job_report, "_FIRST_WAIT", 0.01)


@pytest.fixture
def jobs() -> Iterator[JobServer]:
    with running_job_server() as server:
        yield server


def test_a_failing_server_is_asked_again_and_a_refusing_one_is_not(jobs: JobServer) -> None:
    said: list[str] = []
    report = JobReport(f"{jobs.url}/", "job-1", "key", say=said.append)
    jobs.statuses = [503, 429]
    report.phase("building")
    assert (len(jobs.reports), report.delivered, said) == (3, True, [])
    jobs.statuses = [409]
    report.succeeded({"version": "v1"})
    assert (len(jobs.reports), report.delivered) == (4, False)
    assert said == [f"could not report to {jobs.url}/sync/jobs/job-1: HTTP 409"]


def test_nobody_who_listens_is_said_and_no_error() -> None:
    said: list[str] = []
    JobReport(f"http://127.0.0.1:{unused_port()}", "job-1", "", say=said.append).phase("building")
    assert said[0].startswith("could not report to http://127.0.0.1:")


@pytest.mark.parametrize(("url", "job"), [("", "job-1"), ("http://127.0.0.1:9", "")])
def test_without_a_job_or_a_place_nothing_is_reported(url: str, job: str) -> None:
    report = JobReport(url, job, "key", say=lambda text: pytest.fail(text))
    report.phase("building")
    report.succeeded({})
    assert not report.delivered


def test_whatever_is_raised_is_reported_with_its_phase_and_exit_code(jobs: JobServer) -> None:
    report = JobReport(jobs.url, "job-1", "key", run_url="https://forge/1", say=lambda _: None)
    with pytest.raises(StrictBuildError), report.watching():
        report.phase("building")
        raise StrictBuildError("--strict: 1 pages were skipped")
    with pytest.raises(KeyboardInterrupt), report.watching():
        raise KeyboardInterrupt  # the forge cancels the run
    assert jobs.states == ["running building", "failed building", "failed building"]
    assert [body.get("exit_code") for body in jobs.bodies] == [None, 3, 1]
    assert [body.get("error") for body in jobs.bodies[1:]] == [
        "--strict: 1 pages were skipped", "KeyboardInterrupt",
    ]  # fmt: skip
    assert {body["run_url"] for body in jobs.bodies} == {"https://forge/1"}


@pytest.mark.parametrize("job", ["../channels/latest", "a b", "x" * 200])
def test_an_id_that_leads_elsewhere_is_refused(job: str) -> None:
    with pytest.raises(ConfigError, match="is no id of a sync job"):
        JobReport("http://127.0.0.1:9", job, "key", say=lambda _: None)


def test_a_long_phase_is_heard_of_now_and_then(
    jobs: JobServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each report renews the lease of the job; a server that is away is not waited for."""
    said: list[str] = []
    report = JobReport(jobs.url, "job-1", "key", say=said.append)
    report.phase("building")
    report.progress("embedding", 100, 400)
    assert len(jobs.reports) == 1  # it has only just been heard of
    monkeypatch.setattr(build.job_report, "_HEARD_EVERY", 0.0)
    report.progress("embedding", 300, 400)
    report.progress("writing", 0, 0)
    jobs.statuses = [503]
    report.progress("writing", 0, 0)
    assert [body.get("detail") for body in jobs.bodies] == [
        None, "embedding 300/400", "writing", "writing",
    ]  # fmt: skip
    assert len(said) == 1
