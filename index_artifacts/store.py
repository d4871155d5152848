"""The object store: what a version is published to and read from.

Keys are ``/``-separated ASCII. Two implementations: `FileStore` (a folder) and
`S3Store` (S3 or anything that speaks it); `open_store` picks one by URL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from index_artifacts.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

PROBE_KEY = "probe/conditional-write"
"""What `Store.require_conditional_writes` writes."""

_SEGMENT = re.compile(r"[A-Za-z0-9_=+@-][A-Za-z0-9._=+@-]{0,199}")


@dataclass(frozen=True, slots=True)
class StoredObject:
    """A whole object and the tag that a conditional request compares."""

    data: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a listing. ``size`` is in bytes, ``modified`` is aware UTC."""

    key: str
    size: int
    modified: datetime


class Store(Protocol):
    """What edgewiki asks of a store.

    Any method may raise `UnavailableError`; those that write may raise
    `UnsupportedError` where the store lacks conditional writes.
    """

    @property
    def url(self) -> str:
        """The URL that `open_store` opens this store by, without credentials."""

    def read(self, key: str) -> StoredObject:
        """Return the object, or raise `NotFoundError`."""

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        """Return the object, or None where its tag is still ``etag`` (a conditional GET)."""

    def size(self, key: str) -> int | None:
        """Return the object's size in bytes, or None where there is none."""

    def download(self, key: str, path: Path) -> None:
        """Write the object to ``path``, large ones in parallel ranges. Verifies nothing."""

    def write_new(self, key: str, data: bytes) -> bool:
        """Create the object; return False, changing nothing, where it already exists."""

    def upload_new(self, key: str, path: Path) -> bool:
        """Create the object from a file; return False where it already exists."""

    def replace(self, key: str, data: bytes, etag: str | None) -> str:
        """Swap the object if its tag is ``etag`` (None: if it is absent); return the new tag.

        Raises `ConflictError` where somebody else wrote first.
        """

    def list(self, prefix: str) -> Iterator[Entry]:
        """Yield the objects whose keys start with ``prefix``, in the order of the keys."""

    def delete(self, key: str) -> None:
        """Remove the object; it is no error where there is none."""

    def delete_unchanged(self, key: str, etag: str) -> None:
        """Remove the object if its tag is ``etag``; raises `ConflictError` otherwise."""

    def require_conditional_writes(self) -> None:
        """Raise `UnsupportedError`, naming the store, where a conditional write is ignored."""


def open_store(url: str) -> Store:
    """Open ``file:///folder``, a bare folder path, or ``s3://bucket/prefix``.

    Raises `ConfigError` for any other scheme.
    """
    scheme = urlsplit(url).scheme
    if scheme == "s3":
        from index_artifacts.s3_store import S3Store  # boto3 costs 0.3 s: only who needs it

        return S3Store.from_url(url)
    if scheme in {"", "file"}:
        from index_artifacts.file_store import FileStore

        return FileStore.from_url(url)
    raise ConfigError(f"store {url!r}: the scheme {scheme!r} is unknown; use file:// or s3://")


def check_key(key: str) -> str:
    """Return ``key`` if every store can hold it; raises `StoreError` otherwise.

    No segment starts with a dot, so a key never leaves the store nor meets its own files.
    """
    if all(_SEGMENT.fullmatch(segment) for segment in key.split("/")):
        return key
    raise StoreError(
        f"{key!r} is not a key: use segments of ASCII letters, digits and ._=+@- that do not "
        "start with a dot, joined by single slashes"
    )
