"""Versions and channels in a store: where they lie, and how they are read and verified.

    objects/sha256/<hex>                 every file of every version, once
    versions/<version>/manifest.json     what a version is made of
    channels/<name>.json                 the pointer: which version the channel serves

A manifest may be written again with another signature. What it was before then lies under
``objects/``, so a channel that still names the old bytes by their hash goes on working.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from index_artifacts.errors import (
    ConfigError,
    IntegrityError,
    NotFoundError,
    UnavailableError,
)
from index_artifacts.manifest import MANIFEST_FILE, Manifest, canonical_json

if TYPE_CHECKING:
    from datetime import datetime

    from index_artifacts.manifest import FileEntry
    from index_artifacts.store import Store

OBJECTS = "objects/sha256/"
VERSIONS = "versions/"
CHANNELS = "channels/"
PREVIOUS_LIMIT = 20

_SHA256 = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_CHANNEL = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


def blob_key(sha256: str) -> str:
    """Return the key of a file's content; raises `IntegrityError` where it is no sha256 (hex)."""
    if not _SHA256.fullmatch(sha256):
        raise IntegrityError(f"{sha256!r} is not a sha256 in 64 lower-case hexadecimal digits")
    return OBJECTS + sha256


def manifest_key(version: str) -> str:
    """Return the key of a version's manifest; raises `ConfigError` where no version is so named."""
    if not _VERSION.fullmatch(version):
        raise ConfigError(f"{version!r} is not the name of a version: see edgewiki versions")
    return f"{VERSIONS}{version}/{MANIFEST_FILE}"


def channel_key(name: str) -> str:
    """Return the key of a channel's pointer; raises `ConfigError` for a wrong name."""
    return f"{CHANNELS}{validate_channel_name(name)}.json"


def validate_channel_name(name: str) -> str:
    """Return ``name``; raises `ConfigError` where it cannot name a channel."""
    if not _CHANNEL.fullmatch(name):
        raise ConfigError(
            f"channel {name!r}: use 1 to 64 lower-case ASCII letters, digits, dots, dashes and "
            "underscores, a letter or digit first"
        )
    return name


@dataclass(frozen=True, slots=True)
class Pointer:
    """What a channel serves. ``previous`` names what it served before, most recent first.

    ``published_at`` is ISO 8601 in UTC; ``reason`` says why the channel was moved by hand.
    """

    version: str
    manifest_sha256: str
    published_at: str
    previous: tuple[str, ...] = ()
    reason: str = ""

    def to_json(self) -> bytes:
        """Canonical JSON."""
        return canonical_json(asdict(self))

    @classmethod
    def from_json(cls, data: bytes) -> Pointer:
        """Parse a pointer; raises `IntegrityError` where it is none."""
        try:
            raw = json.loads(data)
            raw["previous"] = tuple(raw["previous"])
            pointer = cls(**raw)
            if not isinstance(pointer.published_at, str) or not isinstance(pointer.reason, str):
                raise TypeError("published_at and reason are texts")
            blob_key(pointer.manifest_sha256)
            for version in (pointer.version, *pointer.previous):
                manifest_key(version)
        except (ValueError, KeyError, TypeError, ConfigError) as error:
            raise IntegrityError(f"not a channel's pointer: {error!r}") from error
        return pointer


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a listing. ``size`` is in bytes, ``modified`` is aware UTC."""

    version: str
    committed_at: str | None
    revision: str | None
    size: int
    modified: datetime
    channels: tuple[str, ...]


def read_pointer(store: Store, channel: str) -> tuple[Pointer, str]:
    """Return a channel's pointer and its tag.

    Raises `NotFoundError` for a channel without a version, `IntegrityError` for a broken one.
    """
    key = channel_key(channel)
    try:
        found = store.read(key)
    except NotFoundError as error:
        raise NotFoundError(
            f"channel {channel!r} has no version yet: run edgewiki publish ({error})"
        ) from error
    return parse_pointer(found.data, f"{store.url}/{key}"), found.etag


def parse_pointer(data: bytes, place: str) -> Pointer:
    """Parse a pointer; an `IntegrityError` names ``place``."""
    try:
        return Pointer.from_json(data)
    except IntegrityError as error:
        raise IntegrityError(f"{place}: {error}: publish to the channel with --force") from error


def read_manifest(
    store: Store, wanted: Pointer | str, signing_key: bytes | None = None
) -> Manifest:
    """Return the manifest that a pointer pins by hash, or that of a version by name.

    Raises `NotFoundError`; `IntegrityError` where its bytes have another hash or its content
    another version; `SignatureError` where a key is given and did not sign it.
    """
    version = wanted if isinstance(wanted, str) else wanted.version
    data = read_manifest_bytes(store, version)
    if isinstance(wanted, Pointer) and _sha256(data) != wanted.manifest_sha256:
        data = _read_superseded(store, wanted)
    manifest = parse_manifest(data, f"{store.url}/{manifest_key(version)}")
    if manifest.version != version:
        raise IntegrityError(
            f"{store.url}/{manifest_key(version)} is the manifest of version {manifest.version}"
        )
    if signing_key is not None:
        manifest.verify_signature(signing_key)
    return manifest


def read_manifest_bytes(store: Store, version: str) -> bytes:
    """Return the bytes of a version's manifest; raises `NotFoundError` naming the version."""
    try:
        return store.read(manifest_key(version)).data
    except NotFoundError as error:
        raise NotFoundError(
            f"there is no version {version!r} in the store: see edgewiki versions ({error})"
        ) from error


def parse_manifest(data: bytes, place: str) -> Manifest:
    """Parse a manifest; an `IntegrityError` names ``place``."""
    try:
        return Manifest.from_json(data)
    except IntegrityError as error:
        raise IntegrityError(f"{place}: {error}") from error


def list_versions(store: Store) -> list[VersionRow]:
    """Return every version in the store, the last stored first; reads every manifest."""
    serving: dict[str, list[str]] = {}
    for channel, pointer in list_channels(store).items():
        serving.setdefault(pointer.version, []).append(channel)
    rows = []
    for version, modified in list_manifests(store).items():
        manifest = read_manifest(store, version)
        rows.append(
            VersionRow(
                version=version,
                committed_at=manifest.source.committed_at,
                revision=manifest.source.revision,
                size=sum(entry.size for entry in manifest.files),
                modified=modified,
                channels=tuple(serving.get(version, ())),
            )
        )
    return sorted(rows, key=lambda row: (row.modified, row.version), reverse=True)


def list_channels(store: Store) -> dict[str, Pointer]:
    """Return the pointer of every channel, by name; raises `IntegrityError` for a broken one."""
    names = [
        entry.key.removeprefix(CHANNELS).removesuffix(".json")
        for entry in store.list(CHANNELS)
        if entry.key.endswith(".json")
    ]
    return {name: read_pointer(store, name)[0] for name in names}


def list_manifests(store: Store) -> dict[str, datetime]:
    """Return when each version's manifest was stored (aware UTC), by version."""
    return {
        entry.key.split("/")[1]: entry.modified
        for entry in store.list(VERSIONS)
        if entry.key.endswith(f"/{MANIFEST_FILE}")
    }


def fetch_blob(store: Store, entry: FileEntry, folder: Path) -> Path:
    """Return ``folder/<sha256>`` with verified content, downloading it unless it is there.

    A failed download leaves nothing behind. Raises `IntegrityError` where size or hash differ
    from the manifest's, `UnavailableError` where the folder cannot take the file.
    """
    key, path = blob_key(entry.sha256), folder / entry.sha256
    try:
        if _is_whole(path, entry):
            return path
        folder.mkdir(parents=True, exist_ok=True)
        _require_space(entry, folder)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".download-")
        os.close(handle)
        half = Path(name)
        try:
            store.download(key, half)
            _require_whole(half, entry, f"{store.url}/{key}")
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
    except OSError as error:
        raise UnavailableError(
            f"{folder}: {entry.name} ({entry.size} bytes) cannot be stored: {error.strerror}"
        ) from error
    return path


def _read_superseded(store: Store, pointer: Pointer) -> bytes:
    """Return the manifest as the pointer knows it, from before it was signed again."""
    place = f"{store.url}/{manifest_key(pointer.version)}"
    try:
        data = store.read(blob_key(pointer.manifest_sha256)).data
    except NotFoundError as error:
        raise IntegrityError(
            f"{place} has not the hash that its channel promises, {pointer.manifest_sha256}: "
            "publish the version again"
        ) from error
    if _sha256(data) != pointer.manifest_sha256:
        raise IntegrityError(f"{store.url}/{blob_key(pointer.manifest_sha256)} is damaged")
    return data


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _require_space(entry: FileEntry, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < entry.size:
        raise UnavailableError(
            f"{folder} has {free} bytes free, and {entry.name} needs {entry.size}: free some "
            "space, or give the function more ephemeral storage"
        )


def _is_whole(path: Path, entry: FileEntry) -> bool:
    if not path.is_file() or path.stat().st_size != entry.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256


def _require_whole(path: Path, entry: FileEntry, place: str) -> None:
    if _is_whole(path, entry):
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    raise IntegrityError(
        f"{place} ({entry.name}) has {path.stat().st_size} bytes and the sha256 {found}, the "
        f"manifest promises {entry.size} bytes and {entry.sha256}: publish the version again"
    )
