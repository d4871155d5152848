"""Publishers that race, and publishers that are killed: the channel is always whole."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from build.publish import check_whole
from index_artifacts.errors import NotFoundError
from index_artifacts.store import open_store
from index_artifacts.version_store import read_manifest, read_pointer
from tests.fake_artifact import make_artifact

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.store import Store
    from tests.s3_server import S3Server

PROCESSES = 8
PUBLISHES = 200

# Publishes its share of the commits, every eighth; says what became of each.
PUBLISHER = """
import sys
from pathlib import Path
from build.publish import publish
from index_artifacts.errors import PublishRefusedError
from index_artifacts.store import open_store

store = open_store(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for folder in sys.argv[2:]:
    try:
        print("moved" if publish(Path(folder), store).moved else "same", flush=True)
    except PublishRefusedError:
        print("older", flush=True)
"""

# Forks a publisher for each request that publishing sends, and kills it before that one.
KILLED = """
import os, signal, sys
from pathlib import Path
from build.publish import publish
from index_artifacts.s3_store import S3Store

S3Store.from_url(sys.argv[1]).close()  # what all publishers share is loaded once
for step in range(200):
    if os.fork() == 0:
        store = S3Store.from_url(f"{sys.argv[1]}/step-{step}")
        publish(Path(sys.argv[2]), store)
        left = step
        def count(**_):
            global left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        store._client.meta.events.register("before-send.s3", count)
        publish(Path(sys.argv[3]), store)
        os._exit(0)
    _, status = os.wait()
    ended = os.waitstatus_to_exitcode(status)
    print(step, "done" if ended == 0 else "killed" if ended == -9 else ended, flush=True)
    if ended != -signal.SIGKILL:
        break
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observer saw: the commits that the channel named, in that order, and how often."""

    commits: list[int]
    looks: int


def commit_name(number: int) -> str:
    return f"c{number:03}"


def make_commits(folder: Path) -> list[Path]:
    """An artifact for each commit of one line of history."""
    for number in range(PUBLISHES):
        ancestors = tuple(commit_name(before) for before in range(number))
        name = commit_name(number)
        make_artifact(folder / name, f"v{number}", revision=name, ancestors=ancestors)
    return [folder / commit_name(number) for number in range(PUBLISHES)]


def start_publisher(
    url: str, environ: dict[str, str], folders: list[Path]
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PUBLISHER, url, *map(str, folders)],
        env={**os.environ, **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def race(url: str, environ: dict[str, str], commits: list[Path], store: Store) -> Seen:
    """Let eight processes publish everything, and look at the channel all the while."""
    shares = [commits[first::PROCESSES] for first in range(PROCESSES)]
    publishers = [start_publisher(url, environ, share) for share in shares]
    try:
        for one in publishers:
            assert one.stdout
            assert one.stdin
            assert one.stdout.readline() == "ready\n"
        for one in publishers:
            assert one.stdin
            one.stdin.write("\n")
            one.stdin.flush()
        seen = observe(store, publishers)
        results = [line for one in publishers for line in one.communicate()[0].split()]
        assert [one.returncode for one in publishers] == [0] * PROCESSES
    finally:
        for one in publishers:
            one.kill()
            one.communicate()
    assert len(results) == PUBLISHES
    assert set(results) <= {"moved", "older"}
    assert results.count("moved") >= len(set(seen.commits))
    return seen


def observe(store: Store, publishers: list[subprocess.Popen[str]]) -> Seen:
    """Look until all have ended. Every version that is named must be whole at that moment."""
    commits: list[int] = []
    looks = 0
    while any(one.poll() is None for one in publishers):
        looks += 1
        try:
            pointer, _ = read_pointer(store, "latest")
        except NotFoundError:
            assert not commits, "the pointer was gone"
            continue
        number = int(pointer.version.removeprefix("v"))
        if not commits or commits[-1] != number:
            commits.append(number)
            check_whole(store, read_manifest(store, pointer))
    return Seen(commits, looks)


def check_race(url: str, environ: dict[str, str], store: Store, tmp_path: Path) -> None:
    seen = race(url, environ, make_commits(tmp_path / "commits"), store)
    assert len(seen.commits) > 5, seen
    assert seen.looks > len(seen.commits)
    assert seen.commits == sorted(seen.commits), "the channel went back"
    pointer, _ = read_pointer(store, "latest")
    assert pointer.version == f"v{PUBLISHES - 1}"  # the newest commit wins whoever was last
    check_whole(store, read_manifest(store, pointer))


@pytest.mark.slow
def test_racing_publishers_never_take_a_channel_in_a_folder_back(tmp_path: Path) -> None:
    url = f"file://{tmp_path / 'store'}"
    check_race(url, {}, open_store(url), tmp_path)


@pytest.mark.slow
def test_racing_publishers_never_take_a_channel_in_a_bucket_back(
    s3_server: S3Server, s3_bucket: str, tmp_path: Path
) -> None:
    with s3_server.store(s3_bucket, identity="reader") as store:
        check_race(f"s3://{s3_bucket}/wiki", s3_server.environ(), store, tmp_path)


@pytest.mark.slow
def test_a_publisher_killed_before_any_of_its_requests_leaves_the_channel(
    s3_server: S3Server, s3_bucket: str, tmp_path: Path
) -> None:
    """The same in a folder, at every sync and rename, is in tests/build/test_killed_publish.py."""
    old, new = tmp_path / "old", tmp_path / "new"
    make_artifact(old, "v1")
    make_artifact(new, "v2")
    url = f"s3://{s3_bucket}/{uuid.uuid4().hex}"
    result = subprocess.run(
        [sys.executable, "-c", KILLED, url, str(old), str(new)],
        env={**os.environ, **s3_server.environ()},
        capture_output=True,
        text=True,
        check=True,
    )
    steps = [line.split()[1] for line in result.stdout.splitlines()]
    assert len(steps) > 15
    assert steps == ["killed"] * (len(steps) - 1) + ["done"]
    prefix = url.removeprefix(f"s3://{s3_bucket}/")
    for step, ended in enumerate(steps):
        with s3_server.store(s3_bucket, f"{prefix}/step-{step}", "reader") as store:
            pointer, _ = read_pointer(store, "latest")
            check_whole(store, read_manifest(store, pointer))
            assert pointer.version == ("v2" if ended == "done" else "v1")
