"""A store in a folder: for a laptop, for tests, and for a shared disk.

    <folder>/objects/… versions/… channels/…    one file for one object
    <folder>/.tmp/                              halves: what was not renamed yet
    <folder>/.lock                              held while an object is swapped

An object appears whole or not at all: it is written and synced under ``.tmp``, then linked
or renamed to its place. The tag of an object is the sha256 (hex) of its content.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from index_artifacts.errors import (
    ConfigError,
    ConflictError,
    NotFoundError,
    UnavailableError,
    UnsupportedError,
)
from index_artifacts.store import PROBE_KEY, Entry, StoredObject, check_key

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPORARY_FOLDER = ".tmp"
LOCK_FILE = ".lock"
LEFTOVER_SECONDS = 24 * 3600

_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


class FileStore:
    """Objects as files. Safe for several writers on one machine, threads or processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    @classmethod
    def from_url(cls, url: str) -> FileStore:
        """Open ``file:///folder``, ``file://./relative``, ``file://.hidden`` or a bare path.

        None need exist yet.

        Raises `ConfigError` where the URL names another host.
        """
        if not url.startswith("file:"):
            return cls(Path(url).expanduser())
        parts = urlsplit(url)
        if parts.netloc not in {"", "localhost"} and not parts.netloc.startswith("."):
            raise ConfigError(
                f"store {url!r} names the host {parts.netloc!r}: write file:///folder for an "
                "absolute path, file://./folder for a relative one"
            )
        start = parts.netloc if parts.netloc.startswith(".") else ""
        return cls(Path(start + unquote(parts.path)))

    @property
    def url(self) -> str:
        """``file:///absolute/folder``."""
        return self.folder.as_uri()

    def read(self, key: str) -> StoredObject:
        """Return the object, or raise `NotFoundError`."""
        path = self._path(key)
        with self._explained(key, path):
            data = path.read_bytes()
        return StoredObject(data, _tag(data))

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        """Return the object, or None where its tag is still ``etag``."""
        found = self.read(key)
        return None if found.etag == etag else found

    def size(self, key: str) -> int | None:
        """Return the size in bytes, or None where there is no such object."""
        path = self._path(key)
        try:
            with self._explained(key, path):
                return path.stat().st_size if not path.is_dir() else None
        except NotFoundError:
            return None

    def download(self, key: str, path: Path) -> None:
        """Copy the object to ``path``."""
        source = self._path(key)
        with self._explained(key, path):
            shutil.copyfile(source, path)

    def write_new(self, key: str, data: bytes) -> bool:
        """Create the object; return False where it already exists."""
        path = self._path(key)
        with self._explained(key, path), self._temporary() as half:
            half.write_bytes(data)
            return self._link(half, path)

    def upload_new(self, key: str, path: Path) -> bool:
        """Create the object from a file; return False where it already exists."""
        target = self._path(key)
        with self._explained(key, target), self._temporary() as half:
            if target.exists():
                return False
            shutil.copyfile(path, half)
            return self._link(half, target)

    def replace(self, key: str, data: bytes, etag: str | None) -> str:
        """Swap the object if its tag is ``etag`` (None: if it is absent); return the new tag."""
        if etag is None:
            if not self.write_new(key, data):
                raise ConflictError(f"{self.url}: {key} was created by somebody else")
            return _tag(data)
        path = self._path(key)
        with self._explained(key, path), self._locked(), self._temporary() as half:
            if not path.exists() or _tag(path.read_bytes()) != etag:
                raise ConflictError(f"{self.url}: {key} was changed by somebody else")
            half.write_bytes(data)
            _sync(half)
            half.replace(path)
            _sync(path.parent)
        return _tag(data)

    def list(self, prefix: str) -> Iterator[Entry]:
        """Yield what lies under ``prefix``, in the order of the keys."""
        with self._explained(prefix, self.folder):
            found = [entry for entry in self._entries(prefix) if entry.key.startswith(prefix)]
        yield from sorted(found, key=lambda entry: entry.key)

    def delete(self, key: str) -> None:
        """Remove the object; it is no error where there is none."""
        path = self._path(key)
        if self.size(key) is None:
            return
        with self._explained(key, path), self._locked():
            path.unlink(missing_ok=True)

    def delete_unchanged(self, key: str, etag: str) -> None:
        """Remove the object if its tag is ``etag``; raises `ConflictError` otherwise."""
        path = self._path(key)
        with self._explained(key, path), self._locked():
            if not path.exists() or _tag(path.read_bytes()) != etag:
                raise ConflictError(f"{self.url}: {key} was changed by somebody else")
            path.unlink()

    def require_conditional_writes(self) -> None:
        """Raise `UnsupportedError` where the file system has no hard links."""
        self.write_new(PROBE_KEY, b"edgewiki\n")

    def _path(self, key: str) -> Path:
        return self.folder / check_key(key)

    def _entries(self, prefix: str) -> Iterator[Entry]:
        # Only whole segments narrow the walk: "a/b" also lists a/b1 and a/b/c.
        start = self.folder / prefix.rpartition("/")[0]
        for folder, folders, names in os.walk(start, onerror=_unless_absent):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = Path(folder, name)
                if name.startswith("."):
                    continue
                try:
                    facts = path.stat()
                except FileNotFoundError:  # deleted since the folder was read
                    continue
                key = path.relative_to(self.folder).as_posix()
                yield Entry(key, facts.st_size, datetime.fromtimestamp(facts.st_mtime, UTC))

    def _link(self, half: Path, path: Path) -> bool:
        """Give ``half`` its name unless that is taken: link(2) lets one of two writers win."""
        _sync(half)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(half, path)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno in _NO_HARD_LINKS:
                raise UnsupportedError(
                    f"{self.url}: the file system has no hard links ({error.strerror}), and "
                    "without them two writers could both win: choose a folder on another disk"
                ) from error
            raise
        for folder in [path.parent, *path.parent.parents]:
            _sync(folder)  # a folder made just now is itself an entry in its parent
            if folder == self.folder:
                break
        return True

    @contextmanager
    def _temporary(self) -> Iterator[Path]:
        folder = self.folder / TEMPORARY_FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(folder)
        handle, name = tempfile.mkstemp(dir=folder)
        os.close(handle)
        half = Path(name)
        half.chmod(0o644)  # mkstemp gives 0600; another user's reader must see the object
        try:
            yield half
        finally:
            half.unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One swap at a time in this store; the lock falls with the process that held it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / LOCK_FILE).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _explained(self, key: str, path: Path) -> Iterator[None]:
        """Turn an `OSError` into an error of the tree."""
        try:
            yield
        except (FileNotFoundError, IsADirectoryError) as error:
            if not self.folder.exists():
                raise NotFoundError(
                    f"{self.url}: there is no such folder: check the store's URL"
                ) from error
            if error.filename is not None and Path(error.filename) != self.folder / key:
                raise UnavailableError(f"{error.filename}: {error.strerror}") from error
            raise NotFoundError(f"{self.url}: there is no {key}") from error
        except OSError as error:
            place = error.filename or path
            raise UnavailableError(
                f"{place}: {error.strerror} (while {key or 'the listing'} was asked for): "
                "check the folder, its permissions and the free space"
            ) from error


def _tag(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sync(path: Path) -> None:
    """Ask the disk to keep it: a rename that outlives its content would be a half object."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left a day ago."""
    limit = time.time() - LEFTOVER_SECONDS
    for half in folder.iterdir():
        try:
            if half.stat().st_mtime < limit:
                half.unlink()
        except FileNotFoundError:  # its owner was quicker
            continue


def _unless_absent(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
