"""Versions on this machine's disk: which of them are open, and which may go.

    <cache>/objects/<sha256>              verified downloads
    <cache>/versions/<version>/…          a version's files by name, links to them
    <cache>/locks/<version>               held (shared) while anybody has the version open
    <cache>/.lock                         shared by those who fetch, held alone by who removes

The locks are flock(2)'s, so that they fall with the process that held them, killed or not, and
any number of processes may share a cache. Where a file system has no locks, nothing is removed.
"""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import time
import weakref
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from index_artifacts.manifest import FileEntry

OBJECTS = "objects"
VERSIONS = "versions"
LOCKS = "locks"
IDLE_KEPT = 2
"""Versions that nobody has open and that stay: who goes back to one need not download it."""

_LOCK = ".lock"


class Lease:
    """Keeps a version's files on the disk for as long as this object lives."""

    def __init__(self, cache: Path, version: str) -> None:
        """Take it before anything of the version is fetched. Only under `fetching`."""
        (cache / LOCKS).mkdir(exist_ok=True)
        handle = os.open(cache / LOCKS / version, os.O_RDWR | os.O_CREAT, 0o644)
        self._end = weakref.finalize(self, os.close, handle)
        now = time.time_ns()  # the kernel's own "now" is too coarse to order two openings
        os.utime(handle, ns=(now, now))
        _lock(handle, fcntl.LOCK_SH)


@contextmanager
def fetching(cache: Path) -> Iterator[None]:
    """Until the block ends, nobody removes anything: what is downloaded has no name yet."""
    with (cache / _LOCK).open("a") as lock:
        _lock(lock.fileno(), fcntl.LOCK_SH)
        yield


def make_room(cache: Path, version: str, entries: Collection[FileEntry]) -> None:
    """Remove old versions before ``version`` is fetched, and more of them where space is short.

    At that moment the version it replaces is still open. So a cache holds, beside what is open,
    at most `IDLE_KEPT` versions and the one that is being fetched.
    """
    cache.mkdir(parents=True, exist_ok=True)
    if not (cache / VERSIONS / version).exists():
        remove_idle(cache, IDLE_KEPT)
    if shutil.disk_usage(cache).free < missing_bytes(cache, entries):
        gc.collect()  # an index that nobody asks any more is a cycle, and holds its lease
        remove_idle(cache, 0)


def missing_bytes(cache: Path, entries: Collection[FileEntry]) -> int:
    """How much of ``entries`` would have to be downloaded."""
    sizes = {entry.sha256: entry.size for entry in entries}
    return sum(size for name, size in sizes.items() if not (cache / OBJECTS / name).exists())


def remove_idle(cache: Path, kept: int) -> None:
    """Remove the versions that nobody has open, but for the ``kept`` that were opened last.

    Then the downloads that no version is left for, halves of killed processes among them.
    Removes nothing while somebody fetches: the next one to fetch will.
    """
    with (cache / _LOCK).open("a") as lock:
        if not _lock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB):
            return
        names = {path.name for path in (*_entries(cache / VERSIONS), *_entries(cache / LOCKS))}
        idle = [name for name in names if _is_idle(cache, name)]
        for name in sorted(idle, key=partial(_opened_at, cache), reverse=True)[kept:]:
            shutil.rmtree(cache / VERSIONS / name, ignore_errors=True)
            (cache / LOCKS / name).unlink(missing_ok=True)
        needed = {name for one in _entries(cache / VERSIONS) for name in _linked(one)}
        for blob in _entries(cache / OBJECTS):
            if blob.name not in needed:
                blob.unlink(missing_ok=True)


def _is_idle(cache: Path, name: str) -> bool:
    # No lease begins meanwhile: whoever takes one waits for the cache's lock.
    try:
        file = (cache / LOCKS / name).open("r+")
    except FileNotFoundError:
        return True
    with file:
        return _lock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _opened_at(cache: Path, name: str) -> float:
    path = cache / LOCKS / name
    return path.stat().st_mtime if path.exists() else 0.0


def _linked(folder: Path) -> Iterator[str]:
    """Names of the blobs that a version's files are links to."""
    for path in folder.rglob("*"):
        if path.is_symlink():
            yield path.readlink().name


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _lock(handle: int, how: int) -> bool:
    """Take the lock; False where it is taken, or where the file system knows none."""
    try:
        fcntl.flock(handle, how)
    except OSError:
        return False
    return True
