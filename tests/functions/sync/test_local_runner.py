"""A local runner: real pushes, real builds in processes of their own, and real ends of them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from functions.sync import local_runner
from functions.sync.jobs import FAILED, RUNNING, SUCCEEDED, Job, Request
from functions.sync.service import SyncService
from index_artifacts.store import open_store
from index_artifacts.version_store import read_manifest, read_pointer
from tests.functions.sync.conftest import client_of, github, push, sent
from tests.functions.sync.following import finished, serves_nothing, until
from tests.wiki import write_pages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings
    from functions.sync.transitions import Report
    from tests.functions.sync.pushed_wiki import Wiki

pytestmark = pytest.mark.slow


def test_a_push_becomes_the_live_version(built_wiki: Wiki, local: Callable[..., Settings]) -> None:
    sync = SyncService(local())
    revision = built_wiki.push({"new.md": "# New\n\nA walrus arrived.\n"})
    body = sent(push(after=revision))
    answer = client_of(sync).post("/webhook/github", content=body, headers=github(body))
    job = finished(sync, answer.json()["job_id"])
    assert (job.state, job.phase, job.error, job.attempts) == (SUCCEEDED, "done", "", 1)
    assert job.outcome.version.startswith(revision[:12])
    assert job.outcome.counts["documents"] == 4
    assert job.outcome.embeddings_computed > 0
    assert read_pointer(sync.store, "latest")[0].version == job.outcome.version
    assert not list((sync.settings.cache_dir / "sync").iterdir())


def test_a_removed_page_leaves_and_what_stayed_is_not_embedded_again(
    built_wiki: Wiki, local: Callable[..., Settings]
) -> None:
    sync = SyncService(local())
    first = finished(sync, sync.request(Request("by hand"))[0])
    (built_wiki.desk / "b.md").unlink()
    built_wiki.push({})
    second = finished(sync, sync.request(Request("push"))[0])
    assert second.outcome.counts["documents"] == first.outcome.counts["documents"] - 1
    assert second.outcome.version != first.outcome.version


def test_what_was_rewritten_fails_and_says_so_and_the_live_version_stays(
    built_wiki: Wiki, local: Callable[..., Settings]
) -> None:
    sync = SyncService(local())
    first = finished(sync, sync.request(Request("by hand"))[0])
    before = built_wiki.snapshot()
    subprocess.run(
        ["git", "-C", str(built_wiki.desk), "reset", "-q", "--hard", "HEAD~1"], check=True
    )
    built_wiki.push({"other.md": "# Other\n"}, "--force")
    job = finished(sync, sync.request(Request("push"))[0])
    assert (job.state, job.phase) == (FAILED, "fetching")
    assert "was rewritten" in job.error
    assert built_wiki.snapshot() == before
    assert read_pointer(sync.store, "latest")[0].version == first.outcome.version


def test_without_pull_what_is_checked_out_is_built(
    built_wiki: Wiki, local: Callable[..., Settings]
) -> None:
    sync = SyncService(local())
    built_wiki.push({"new.md": "# New\n"})
    write_pages(built_wiki.clone, {"draft.md": "# Draft\n\nNot committed.\n"})
    job = finished(sync, sync.request(Request("by hand", pull=False))[0])
    assert (job.state, job.outcome.counts["documents"]) == (SUCCEEDED, 4)


def test_a_build_that_fails_tells_its_sentence(
    built_wiki: Wiki, local: Callable[..., Settings]
) -> None:
    built_wiki.push({"edgewiki.toml": '[wiki]\nlanguage = ["en"]\n'})
    job = finished(sync := SyncService(local()), sync.request(Request("push"))[0])
    assert (job.state, job.phase) == (FAILED, "building")
    assert "[wiki] language is unknown" in job.error
    assert not job.error.startswith("edgewiki:")


def test_a_job_that_takes_too_long_is_ended(local: Callable[..., Settings]) -> None:
    sync = SyncService(local(sync_timeout_seconds=0.5))
    job = finished(sync, sync.request(Request("push"))[0])
    assert job.state == FAILED
    assert "took longer than 0.5 s" in job.error
    assert serves_nothing(sync)


def test_a_push_while_it_builds_is_built_after_it_once(
    built_wiki: Wiki, local: Callable[..., Settings]
) -> None:
    sync = SyncService(local())
    first, _ = sync.request(Request("push 1"))
    until(sync, lambda queue: queue.active and queue.active.state == RUNNING)
    for number in range(3):
        built_wiki.push({f"more-{number}.md": f"# More {number}\n\nText.\n"})
        second, _ = sync.request(Request(f"push {number + 2}"))
    assert second != first
    assert finished(sync, second).outcome.counts["documents"] == 6
    queue = sync.queue()
    assert [job.id for job in queue.finished] == [second, first]
    assert queue.active is None


def test_two_workers_build_one_at_a_time(local: Callable[..., Settings]) -> None:
    workers = [SyncService(local()), SyncService(local(cors_origins="https://example.org"))]
    ids = {worker.request(Request(f"push {n}"))[0] for n, worker in enumerate(workers * 3)}
    for job_id in ids:
        job = finished(workers[0], job_id)
        assert (job.state, job.attempts) == (SUCCEEDED, 1)
    spans = sorted((job.started_at, job.finished_at) for job in workers[1].queue().finished)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_a_build_gets_no_secret_that_it_has_no_use_for(
    local: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "python"
    fake.write_text(f'#!/bin/sh\nenv > {tmp_path}/seen-$3\necho "{{}}"\n[ $3 = build ]\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    signing = "signing-key-of-the-tests-0123456789abcdef"  # as of EDGEWIKI_SECRETS
    sync = SyncService(local(signing_key=signing))
    for name in ("SYNC_KEY", "FORGE_TOKEN", "WEBHOOK_SECRET_GITEA", "API_KEYS", "SIGNING_KEY"):
        monkeypatch.setenv(f"EDGEWIKI_{name}", f"the-value-of-{name}")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setattr(sys, "executable", str(fake))
    job = finished(sync, sync.request(Request("by hand", pull=False))[0])
    assert (job.state, job.phase, job.error) == (FAILED, "publishing", "exit code 1")
    for command in ("build", "publish"):
        seen = (tmp_path / f"seen-{command}").read_text()
        assert "the-value-of-" not in seen
        assert "GIT_DIR=" not in seen
        assert (signing in seen) == (command == "publish")


def test_a_version_is_signed_with_the_key_of_the_settings(local: Callable[..., Settings]) -> None:
    key = "signing-key-of-the-tests-0123456789abcdef"
    sync = SyncService(local(signing_key=key))
    assert finished(sync, sync.request(Request("push"))[0]).state == SUCCEEDED
    manifest = read_manifest(sync.store, read_pointer(sync.store, "latest")[0])
    assert manifest.signature
    assert manifest.sign(key.encode()).signature == manifest.signature


def test_the_phases_and_how_far_they_are_can_be_followed(
    local: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_runner, "PAUSE_SECONDS", 0.0)
    sync = SyncService(local())
    said: list[tuple[str, str]] = []
    tell = sync.ledger.report

    def listen(job_id: str, report: Report, **options: Any) -> Job:
        said.append((report.phase, report.detail))
        return tell(job_id, report, **options)

    monkeypatch.setattr(sync.ledger, "report", listen)
    finished(sync, sync.request(Request("push"))[0])
    phases = list(dict.fromkeys(phase for phase, _ in said))
    assert phases == ["fetching", "building", "publishing", "done"]
    assert {("building", "reading"), ("building", "embedding")} <= set(said)


def test_folders_that_killed_attempts_left_a_day_ago_are_removed(
    local: Callable[..., Settings],
) -> None:
    sync = SyncService(local())
    folder = sync.settings.cache_dir / "sync"
    for name in ("old", "new"):
        (folder / name).mkdir(parents=True)
    os.utime(folder / "old", (0, 0))
    assert finished(sync, sync.request(Request("push"))[0]).state == SUCCEEDED
    assert [path.name for path in folder.iterdir()] == ["new"]


def test_a_store_that_is_away_for_a_moment_does_not_make_a_build_in_vain(
    local: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    from index_artifacts.errors import UnavailableError
    from index_artifacts.file_store import FileStore

    sync, real = SyncService(local()), FileStore.replace
    failures: list[str] = []

    def flaky(self: FileStore, key: str, data: bytes, etag: str | None) -> str:
        if b'"state":"succeeded"' in data and len(failures) < 2:
            failures.append(key)
            raise UnavailableError("away for a moment")
        return real(self, key, data, etag)

    monkeypatch.setattr(FileStore, "replace", flaky)
    monkeypatch.setattr(local_runner, "TELL_PAUSES", (0.01, 0.01, 0.01))
    job = finished(sync, sync.request(Request("push"))[0])
    assert (job.state, job.attempts, len(failures)) == (SUCCEEDED, 1, 2)
    assert open_store(sync.settings.store).size("channels/latest.json")
