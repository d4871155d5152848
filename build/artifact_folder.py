"""An artifact in a folder, as the build leaves it: the manifest and the files it lists."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from index_artifacts.artifact import Artifact
from index_artifacts.errors import IntegrityError, NotFoundError
from index_artifacts.manifest import MANIFEST_FILE
from index_artifacts.version_store import parse_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from index_artifacts.manifest import FileEntry, Manifest


def read_artifact(folder: Path) -> Manifest:
    """Return an artifact folder's manifest once every file that it lists is verified."""
    manifest = _read_manifest(folder)
    for entry in manifest.files:
        _check_file(folder, entry)
    return manifest


def open_verified(folder: Path, wanted: Iterable[str]) -> Artifact:
    """Open an artifact folder once the files called ``wanted`` are verified, and only those."""
    manifest = _read_manifest(folder)
    for name in wanted:
        _check_file(folder, manifest.file(name))
    return Artifact(manifest, folder)


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST_FILE
    try:
        return parse_manifest(path.read_bytes(), str(path))
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror}: run edgewiki build first") from error


def _check_file(folder: Path, entry: FileEntry) -> None:
    path = folder / entry.name
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
    except OSError as error:
        raise IntegrityError(
            f"{path}: {error.strerror}, but the manifest lists it: build the artifact again"
        ) from error
    if (found, size) != (entry.sha256, entry.size):
        raise IntegrityError(
            f"{path} has {size} bytes and the sha256 {found}, the manifest promises "
            f"{entry.size} bytes and {entry.sha256}: build the artifact again"
        )
