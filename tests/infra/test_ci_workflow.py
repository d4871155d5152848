"""The workflows that a wiki copies, run step by step: Git, bash, the real model and a real S3."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.version_store import list_channels, read_manifest
from tests.conftest import SMALL_WIKI
from tests.eval.golden_files import write_lines
from tests.infra.forge import Forge
from tests.infra.job_server import running_job_server
from tests.tiny_wiki import PAGES
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from index_artifacts.version_store import Pointer
    from tests.infra.job_server import JobServer
    from tests.s3_server import S3Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("curl") is None, reason="curl is what reports a failure"),
]

KEY = "sync-key-of-the-tests-0123456789abcdef"
PORT = {"id": "port", "question": "Which port does the server listen on?", "gold_doc": "server.md"}
BASIL = {"id": "basil", "question": "where does basil grow", "gold_doc": "garden.md"}
SETTINGS = {"edgewiki.toml": '[wiki]\nlanguages = ["en"]\n[model]\nkind = "cooccurrence"\n'}
NEW_PAGE = {"pond.md": "# Pond\n\nA heron stands in the pond and waits for carp.\n"}
BAD_PAGE = {"empty.md": "---\ntitle: Nothing below\n---\n"}
SLOVAK = {"id": "port", "question": "na akom porte počúva server", "gold_doc": "temy/servery.md"}


@pytest.fixture
def jobs() -> Iterator[JobServer]:
    with running_job_server() as server:
        yield server


@pytest.fixture
def forge(tmp_path: Path, s3_server: S3Server, s3_bucket: str, jobs: JobServer) -> Forge:
    """A tiny wiki with a golden set, in a repository whose workflow may write to a bucket."""
    return Forge(
        started(write_pages(tmp_path / "origin", {**PAGES, **SETTINGS}), [PORT, BASIL]),
        tmp_path,
        with_={"store": f"s3://{s3_bucket}/wiki", "edgewiki": "installed", "role": ""},
        secrets={"EDGEWIKI_SYNC_KEY": KEY},
        vars={"EDGEWIKI_STATUS_URL": jobs.url},
        environ=s3_server.environ(),
    )


def started(origin: Path, golden: list[dict[str, Any]]) -> Path:
    """Make a repository of the wiki in ``origin``, with a golden set."""
    write_lines(origin / "golden.jsonl", golden)
    commit_all(origin)
    git(origin, "branch", "-M", "main")
    return origin


@pytest.fixture
def channels(s3_server: S3Server, s3_bucket: str) -> Any:
    """A function that reads what each channel of the store serves."""

    def read() -> dict[str, Pointer]:
        with s3_server.store(s3_bucket, "wiki", "reader") as store:
            return list_channels(store)

    return read


def dispatch(forge: Forge, **inputs: Any) -> Any:
    """Run the workflow as the sync function starts it."""
    return forge.run(event="workflow_dispatch", inputs={"job": "job-1", **inputs})


def pull_request(action: str, source: str = "dept/wiki") -> dict[str, Any]:
    head = {"repo": {"full_name": source}}
    return {"action": action, "number": 7, "pull_request": {"number": 7, "head": head}}


def change(forge: Forge, pages: dict[str, str | bytes], branch: str = "main") -> str:
    git(forge.origin, "checkout", "-q", "-B", branch)
    revision = commit_all(write_pages(forge.origin, pages), date="2026-02-01T12:00:00Z")
    git(forge.origin, "checkout", "-q", "main")
    return revision


def test_a_push_is_published_and_reported_and_the_next_one_computes_only_news(
    forge: Forge,
    jobs: JobServer,
    channels: Any,
    s3_server: S3Server,
    s3_bucket: str,
    model_folder: Path,
) -> None:
    """With the real model, on pages in five languages."""
    forge.environ["EDGEWIKI_MODEL_DIR"] = str(model_folder)
    forge.origin = started(shutil.copytree(SMALL_WIKI, forge.folder / "small"), [SLOVAK])
    first = dispatch(forge, reason="the first one")
    assert first.status == "success", first.log
    assert jobs.states == [
        "running model", "running building", "running publishing", "succeeded done",
    ]  # fmt: skip
    assert {path for path, _, _ in jobs.reports} == {"/sync/jobs/job-1"}
    assert {key for _, key, _ in jobs.reports} == {f"Bearer {KEY}"}
    done = jobs.bodies[-1]
    assert done["run_url"] == "https://forge.example/dept/wiki/actions/runs/4711"
    result = done["result"]
    served = channels()["latest"]
    assert (result["version"], result["channel"], result["moved"]) == (
        served.version,
        "latest",
        True,
    )
    assert served.reason == "the first one"
    assert result["counts"]["documents"] == 9
    assert result["embeddings"]["computed"] > 0
    assert result["seconds"] > 0
    assert first.outputs == {"channel": "latest", "version": served.version}
    assert first.steps["Report a failure"] == "skipped"
    with s3_server.store(s3_bucket, "wiki", "reader") as store:
        source = read_manifest(store, served).source
    assert source.revision == git(forge.origin, "rev-parse", "HEAD")
    assert not source.dirty

    change(forge, {"poznamka.txt": "no page at all"})
    second = forge.run()  # a plain push: nobody waits for a report
    assert second.status == "success", second.log
    assert "0 vectors computed" in second.log
    assert len(jobs.reports) == 4
    assert channels()["latest"].previous == (served.version,)


def test_a_pull_request_has_a_channel_of_its_own_until_it_is_closed(
    forge: Forge, channels: Any
) -> None:
    assert forge.run().status == "success"
    live = channels()["latest"]
    change(forge, dict(NEW_PAGE), branch="printer")
    opened = forge.run(event="pull_request", payload=pull_request("opened"), ref="printer")
    assert opened.status == "success", opened.log
    assert opened.outputs["channel"] == "preview-7"
    found = channels()
    assert found["latest"] == live
    assert found["preview-7"].version != live.version
    assert found["preview-7"].reason == "pull request 7"
    closed = forge.run(event="pull_request", payload=pull_request("closed"), ref="printer")
    assert closed.status == "success", closed.log
    assert "actions/checkout@v5" not in closed.used
    assert channels() == {"latest": live}
    again = forge.run(event="pull_request", payload=pull_request("closed"), ref="printer")
    assert again.status == "success", again.log


def test_the_gate_fails_the_run_until_it_is_forced_with_a_reason(
    forge: Forge, jobs: JobServer, channels: Any
) -> None:
    assert dispatch(forge).status == "success"
    live = channels()["latest"]
    (forge.origin / "garden.md").unlink()
    change(forge, {})
    refused = dispatch(forge)
    assert refused.status == "failure"
    assert jobs.states[-1] == "failed publishing"
    assert jobs.bodies[-1]["exit_code"] == 9
    assert "basil, 'where does basil grow': rank 1 → not found" in jobs.bodies[-1]["error"]
    assert refused.steps["Report a failure"] == "skipped"  # it has been reported
    assert channels()["latest"] == live
    reviewed = forge.run(event="pull_request", payload=pull_request("opened"))
    assert reviewed.status == "failure"  # a pull request is compared with what it would change
    assert set(channels()) == {"latest"}

    assert dispatch(forge, force=True).status == "failure"
    forced = dispatch(forge, force=True, reason="the garden is gone")
    assert forced.status == "success", forced.log
    assert channels()["latest"].reason.startswith("the garden is gone [gate overruled: ")


def test_a_page_that_is_lost_fails_a_strict_run_and_is_named(
    forge: Forge, jobs: JobServer, channels: Any
) -> None:
    forge.with_["strict"] = "true"
    change(forge, dict(BAD_PAGE))
    failed = dispatch(forge)
    assert failed.status == "failure"
    assert jobs.states == ["running building", "failed building"]
    assert jobs.bodies[-1]["exit_code"] == 3
    assert "empty.md" in jobs.bodies[-1]["error"]
    assert not channels()


def test_wrong_settings_are_reported_by_their_file(forge: Forge, jobs: JobServer) -> None:
    change(forge, {"edgewiki.toml": "[wiki]\nlangs = []\n"})
    assert dispatch(forge).status == "failure"
    assert "edgewiki.toml: [wiki] langs is unknown" in jobs.bodies[-1]["error"]


@contextmanager
def without_edgewiki(forge: Forge, tmp_path: Path) -> Iterator[None]:
    """A runner whose PATH has bash and curl, and no edgewiki."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "curl"):
        (programs / name).symlink_to(str(shutil.which(name)))
    forge.environ["PATH"] = str(programs)
    yield
    del forge.environ["PATH"]


def test_a_failure_before_edgewiki_is_reported_too(
    forge: Forge, jobs: JobServer, tmp_path: Path
) -> None:
    with without_edgewiki(forge, tmp_path):
        failed = dispatch(forge)
    assert failed.status == "failure"
    assert failed.steps["Install"] == "failure"
    assert failed.steps["Build, gate and publish"] == "skipped"
    assert failed.steps["Report a failure"] == "success"
    ((path, key, body),) = jobs.reports
    assert (path, key) == ("/sync/jobs/job-1", f"Bearer {KEY}")
    assert (body["state"], body["phase"]) == ("failed", "setup")
    assert body["run_url"] == "https://forge.example/dept/wiki/actions/runs/4711"


def test_a_run_that_is_killed_is_reported_by_the_step_after_it(
    forge: Forge, jobs: JobServer, tmp_path: Path
) -> None:
    """As by a runner that is out of memory; whatever the process would have said, it cannot."""
    killed = write_pages(tmp_path / "killed", {"edgewiki": "#!/bin/bash\nkill -9 $$\n"})
    (killed / "edgewiki").chmod(0o755)
    forge.environ["PATH"] = f"{killed}{os.pathsep}{os.environ['PATH']}"
    assert dispatch(forge).steps["Report a failure"] == "success"
    assert [(body["state"], body["phase"]) for body in jobs.bodies] == [("failed", "workflow")]


def test_nobody_to_report_to_is_no_failure(forge: Forge, jobs: JobServer, tmp_path: Path) -> None:
    forge.vars.clear()
    assert dispatch(forge).status == "success"
    with without_edgewiki(forge, tmp_path):
        assert dispatch(forge).steps["Report a failure"] == "skipped"
    assert not jobs.reports


def test_a_report_that_cannot_be_delivered_does_not_undo_the_publish(
    forge: Forge, jobs: JobServer, channels: Any
) -> None:
    jobs.statuses = [403] * 4
    done = dispatch(forge)
    assert done.status == "success"
    assert "HTTP 403; is EDGEWIKI_SYNC_KEY the sync key?" in done.log
    assert KEY not in done.log
    assert set(channels()) == {"latest"}


def test_gitea_runs_the_same_with_static_keys(
    forge: Forge, jobs: JobServer, s3_server: S3Server, channels: Any
) -> None:
    environ = s3_server.environ()
    for name in ("EDGEWIKI_S3_ENDPOINT", "EDGEWIKI_S3_REGION"):
        forge.vars[name] = environ[name]
    forge.secrets |= {
        "EDGEWIKI_S3_KEY_ID": environ["AWS_ACCESS_KEY_ID"],
        "EDGEWIKI_S3_SECRET": environ["AWS_SECRET_ACCESS_KEY"],
    }
    forge.environ = {"GITEA_ACTIONS": "true"}
    done = forge.run("gitea.yml", event="workflow_dispatch", inputs={"job": "job-2"})
    assert done.status == "success", done.log
    assert jobs.bodies[-1]["run_url"].endswith("/dept/wiki/actions/runs/1")
    assert set(channels()) == {"latest"}


@pytest.mark.parametrize("workflow", ["github.yml", "gitea.yml"])
def test_a_fork_gets_no_run(forge: Forge, workflow: str, channels: Any) -> None:
    fork = pull_request("opened", source="stranger/wiki")
    assert forge.run(workflow, event="pull_request", payload=fork).status == "skipped"
    assert not channels()
