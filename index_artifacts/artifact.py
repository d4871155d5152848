"""From a store to files on this machine: fetched, verified, laid out under their own names."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

from index_artifacts.errors import NotFoundError, UnavailableError
from index_artifacts.manifest import (
    GRAPH_FILE,
    INDEX_FILE,
    MANIFEST_FILE,
    MODEL_FOLDER,
    Manifest,
)
from index_artifacts.version_cache import OBJECTS, VERSIONS, Lease, fetching, make_room
from index_artifacts.version_store import Pointer, fetch_blob, read_manifest, read_pointer

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from index_artifacts.manifest import FileEntry
    from index_artifacts.store import Store

ALL_FILES = (INDEX_FILE, GRAPH_FILE, MODEL_FOLDER)
_PARALLEL = 4
# The reference tokenizer: readers open the table that was compiled from it.
_FOR_BUILDS = {f"{MODEL_FOLDER}tokenizer.json"}


@dataclass(frozen=True, slots=True)
class Artifact:
    """A version's manifest and the folder that holds the files asked for.

    In a cache they stay there while ``lease`` lives: whoever opens one of them by its path
    holds the artifact or the lease.
    """

    manifest: Manifest
    folder: Path
    lease: Lease | None = field(default=None, compare=False, repr=False)

    @property
    def index(self) -> Path:
        """The database."""
        return self.folder / INDEX_FILE

    @property
    def graph(self) -> Path:
        """The pickled graph."""
        return self.folder / GRAPH_FILE

    @property
    def model(self) -> Path:
        """The folder of the encoder."""
        return self.folder / MODEL_FOLDER


def open_artifact(folder: Path) -> Artifact:
    """Open an artifact that a build has just written, without a store.

    Raises `NotFoundError` where the folder holds none.
    """
    try:
        manifest = Manifest.from_json((folder / MANIFEST_FILE).read_bytes())
    except OSError as error:
        raise NotFoundError(f"{folder} holds no artifact: run `edgewiki build`") from error
    return Artifact(manifest, folder)


def fetch_version(
    store: Store,
    pointer: Pointer | str,
    cache: Path,
    wanted: Collection[str] = ALL_FILES,
    signing_key: bytes | None = None,
) -> Artifact:
    """Download what is ``wanted`` of a version into ``cache``, verify it, and open it.

    ``pointer`` is a channel's pointer or a version's name. Files that the cache holds already
    are verified and reused. Raises `IntegrityError`, `SignatureError` and `StoreError`.
    """
    manifest = read_manifest(store, pointer, signing_key)
    entries = [entry for entry in manifest.files if _is_wanted(entry, wanted)]
    try:
        make_room(cache, manifest.version, entries)
        with fetching(cache):
            return _fetch(store, manifest, entries, cache)
    except OSError as error:
        raise UnavailableError(
            f"{cache} cannot hold version {manifest.version}: {error.strerror or error}: check "
            "the folder, its permissions and the free space"
        ) from error


def _fetch(store: Store, manifest: Manifest, entries: list[FileEntry], cache: Path) -> Artifact:
    lease = Lease(cache, manifest.version)
    objects = cache / OBJECTS
    objects.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(_PARALLEL) as pool:
        blobs = list(pool.map(lambda entry: fetch_blob(store, entry, objects), entries))
    folder = cache / VERSIONS / manifest.version
    for entry, blob in zip(entries, blobs, strict=True):
        _place(blob, folder, entry.name)
    return Artifact(manifest, folder, lease)


def fetch_channel(
    store: Store,
    channel: str,
    cache: Path,
    wanted: Collection[str] = ALL_FILES,
    signing_key: bytes | None = None,
) -> Artifact:
    """Fetch the version that a channel points to."""
    pointer, _ = read_pointer(store, channel)
    return fetch_version(store, pointer, cache, wanted, signing_key)


def _is_wanted(entry: FileEntry, wanted: Collection[str]) -> bool:
    if entry.name in _FOR_BUILDS:
        return False
    return any(entry.name == name or (entry.name.startswith(MODEL_FOLDER) and name == MODEL_FOLDER)
               for name in wanted)  # fmt: skip


def _place(blob: Path, folder: Path, name: str) -> None:
    """Give a verified blob its own name, as a relative link; replaced without a gap."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() and path.resolve() == blob.resolve():
        return
    # A name of its own: other processes may share the cache.
    temporary = path.with_name(f".{path.name}.{uuid4().hex}")
    temporary.symlink_to(blob.resolve())
    temporary.replace(path)
