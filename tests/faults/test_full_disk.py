"""A cache whose disk is full: the old version goes on, and old versions make room."""

from __future__ import annotations

import resource
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from eval.served_process import served_process
from tests.faults.conftest import FaultyStore, reading, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from index_artifacts.artifact import Artifact


@pytest.mark.slow
def test_a_server_whose_disk_takes_no_more_serves_on_until_it_does(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    """A real process that may write no larger file: the same path of the code, on any machine."""
    old = faulty.publish(versions[0])
    environ = {**faulty.environ(), "EDGEWIKI_REFRESH_SECONDS": "0"}
    with served_process(tmp_path, faulty.url, environ) as process:

        def search() -> str:
            answer = httpx.get(f"{process.url}/search?q=printer", timeout=60)
            assert answer.status_code == 200, answer.text
            return str(answer.json()["index_version"])

        assert search() == old
        limit = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (64 << 10, limit[1]))
        new = faulty.publish(versions[1])
        assert [search() for _ in range(3)] == [old] * 3
        assert httpx.get(f"{process.url}/health").json()["status"] == "degraded"
        assert "File too large" in process.log.read_text()
        assert not list((tmp_path / "cache" / "objects").glob(".*"))
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limit)
        until(lambda: search() == new, "there is room again")


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of this size, in memory; skips where none may be mounted."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount program")
    if mounted.returncode != 0:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def resize(folder: Path, kilobytes: int) -> None:
    options = f"remount,size={kilobytes}k"
    subprocess.run(["mount", "-o", options, str(folder)], check=True)


def size_of(artifact: Artifact) -> int:
    """Kilobytes of what a search needs."""
    files = artifact.manifest.files
    return sum(entry.size for entry in files if entry.name != "graph.pickle") >> 10


def test_a_disk_that_fills_up_during_a_download_is_503_and_keeps_no_half(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    """Each file fits, so no check before the download can tell; all of them do not."""
    first = faulty.publish(versions[0])
    with (
        small_disk(tmp_path / "disk", size_of(versions[0]) - 12) as disk,
        reading(faulty.url, disk / "cache") as reader,
    ):
        answer = reader.search()
        assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
        assert not list((disk / "cache" / "objects").glob(".*"))
        resize(disk, 4096)
        assert reader.served() == first


def test_a_disk_that_somebody_else_filled_leaves_the_old_version(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    old = faulty.publish(versions[0])
    with (
        small_disk(tmp_path / "disk", 2048) as disk,
        reading(faulty.url, disk / "cache") as reader,
    ):
        assert reader.served() == old
        with pytest.raises(OSError, match="No space left"), (disk / "ballast").open("wb") as file:
            for _ in range(1000):
                file.write(bytes(65536))
                file.flush()
        new = faulty.publish(versions[1])
        assert reader.served() == old
        assert reader.health()["status"] == "degraded"
        (disk / "ballast").unlink()
        assert reader.served() == new


def test_old_versions_make_room_for_new_ones(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    """A disk for two versions and a half serves any number of them in turn."""
    with (
        small_disk(tmp_path / "disk", size_of(versions[3]) * 5 // 2) as disk,
        reading(faulty.url, disk / "cache") as reader,
    ):
        for artifact in [*versions, *versions[:2]]:
            published = faulty.publish(artifact)
            assert reader.served() == published
            assert reader.health()["status"] == "ok"
