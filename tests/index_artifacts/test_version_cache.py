"""The cache of versions: what nobody has open goes, what anybody has open stays."""

from __future__ import annotations

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from build.publish import publish
from index_artifacts.artifact import Artifact, fetch_channel
from index_artifacts.file_store import FileStore
from index_artifacts.index import Index
from index_artifacts.version_cache import IDLE_KEPT, fetching
from tests.fake_artifact import artifact
from tests.tiny_wiki import PAGES, build_and_publish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READER = """
import sys
from pathlib import Path
from index_artifacts.artifact import fetch_channel
from index_artifacts.store import open_store

artifact = fetch_channel(open_store(sys.argv[1]), "latest", Path(sys.argv[2]))
print(artifact.manifest.version, flush=True)
sys.stdin.readline()
print(len(artifact.index.read_bytes()), flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def fetch(store: FileStore, tmp_path: Path, name: str) -> Artifact:
    """Publish a version of this name and fetch it."""
    publish(artifact(tmp_path, name), store)
    return fetch_channel(store, "latest", tmp_path / "cache")


def versions(cache: Path) -> set[str]:
    return {folder.name for folder in (cache / "versions").iterdir()}


@contextmanager
def reader(store: FileStore, cache: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has opened what the channel serves."""
    with subprocess.Popen(
        [sys.executable, "-c", READER, store.url, str(cache)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_a_cache_does_not_grow_with_every_version(
    store: FileStore, cache: Path, tmp_path: Path
) -> None:
    for number in range(9):
        fetch(store, tmp_path, f"v{number}")
    assert versions(cache) == {"v8", *(f"v{7 - back}" for back in range(IDLE_KEPT))}
    kept = 2 * (IDLE_KEPT + 1) + 1  # an index and a graph each, and the model that all share
    assert len(list((cache / "objects").iterdir())) == kept
    assert len(list((cache / "locks").iterdir())) == IDLE_KEPT + 1


def test_a_version_that_is_open_stays_whole(store: FileStore, cache: Path, tmp_path: Path) -> None:
    opened = fetch(store, tmp_path, "v0")
    for number in range(1, 6):
        fetch(store, tmp_path, f"v{number}")
    assert opened.index.read_bytes().startswith(b"index of v0 ")
    assert opened.graph.exists()
    del opened
    gc.collect()
    fetch(store, tmp_path, "v6")
    assert "v0" not in versions(cache)


def test_a_version_that_another_process_has_open_stays_until_that_is_killed(
    store: FileStore, cache: Path, tmp_path: Path
) -> None:
    publish(artifact(tmp_path, "v0"), store)
    with reader(store, cache) as process:
        for number in range(1, 6):
            fetch(store, tmp_path, f"v{number}")
        assert "v0" in versions(cache)
        answer, _ = process.communicate("\n")
        assert int(answer) == len(b"index of v0 " * 200)
    with reader(store, cache):  # and one that is killed while it has v5 open
        pass
    for number in range(6, 10):
        fetch(store, tmp_path, f"v{number}")
    assert versions(cache) == {"v7", "v8", "v9"}


def test_a_new_thread_can_ask_an_index_long_after_it_was_replaced(tmp_path: Path) -> None:
    build_and_publish(tmp_path / "store", tmp_path / "w", PAGES)
    store = FileStore(tmp_path / "store")
    index = Index(fetch_channel(store, "latest", tmp_path / "cache"))
    gc.collect()
    for number in range(5):
        fetch(store, tmp_path, f"v{number}")
    with ThreadPoolExecutor(1) as pool:
        rows = pool.submit(lambda: index.connection.execute("SELECT id FROM documents").fetchall())
        assert len(rows.result()) == len(PAGES)


def test_nothing_is_removed_while_somebody_fetches(
    store: FileStore, cache: Path, tmp_path: Path
) -> None:
    fetch(store, tmp_path, "v0")
    half = cache / "objects" / ".download-of-somebody"
    half.write_bytes(b"half")
    with fetching(cache):
        for number in range(1, 5):
            fetch(store, tmp_path, f"v{number}")
        assert len(versions(cache)) == 5
        assert half.exists()
    fetch(store, tmp_path, "v5")
    assert len(versions(cache)) == IDLE_KEPT + 1


def test_halves_of_killed_downloads_are_removed(
    store: FileStore, cache: Path, tmp_path: Path
) -> None:
    fetch(store, tmp_path, "v0")
    (cache / "objects" / ".download-abc.1F2e3D4c").write_bytes(b"half")
    fetch(store, tmp_path, "v1")
    assert not list((cache / "objects").glob(".*"))


def test_going_back_to_the_version_before_downloads_nothing(
    store: FileStore, cache: Path, tmp_path: Path
) -> None:
    from build.rollback import rollback

    fetch(store, tmp_path, "v0")
    fetch(store, tmp_path, "v1")
    before = {path.name: path.stat().st_ino for path in (cache / "objects").iterdir()}
    rollback(store, "latest")
    assert fetch_channel(store, "latest", cache).manifest.version == "v0"
    assert {path.name: path.stat().st_ino for path in (cache / "objects").iterdir()} == before
