"""Collecting what no channel needs any more.

What a publish uploads is young, and nothing young is touched; what it reuses may be old.
Both passes therefore look again before they delete, and publishing checks that the version
is whole before it moves the pointer. Still: run the two in one CI concurrency group.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from index_artifacts.errors import ConfigError
from index_artifacts.version_store import (
    OBJECTS,
    blob_key,
    list_channels,
    list_manifests,
    manifest_key,
    read_manifest,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.store import Entry, Store


@dataclass(frozen=True, slots=True)
class Collected:
    """What was deleted, or would be: versions, number of blobs and their bytes."""

    versions: tuple[str, ...]
    blobs: int
    freed_bytes: int
    dry_run: bool


def gc(
    store: Store,
    keep: int = 5,
    grace_hours: float = 24,
    *,
    dry_run: bool = False,
    now: datetime | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Collected:
    """Delete the versions that nobody needs, then the blobs that no kept version lists.

    Kept are: every version that a channel names, the last ``keep`` that each channel served
    before, the ``keep`` last stored, and whatever was stored within ``grace_hours``. Touches
    nothing but ``versions/`` and ``objects/``. Raises `ConfigError` for a negative limit;
    `IntegrityError` or `NotFoundError`, deleting nothing more, where a pointer or a manifest
    cannot be understood.
    """
    if keep < 0 or grace_hours < 0:
        raise ConfigError(f"gc: keep={keep} and grace_hours={grace_hours} must not be negative")
    say = on_progress or (lambda _: None)
    limit = (now or datetime.now(UTC)) - timedelta(hours=grace_hours)
    kept, dropped = _sort_out(store, keep, limit)
    _needed_blobs(store, kept | set(dropped))  # nothing goes while one manifest is broken
    for version in dropped:
        say(f"version {version}")
        if not dry_run:
            store.delete(manifest_key(version))
    unneeded = _unneeded_blobs(store, dropped, limit)
    for entry in unneeded:
        say(f"{entry.key} ({entry.size} bytes)")
        if not dry_run:
            store.delete(entry.key)
    return Collected(
        versions=tuple(dropped),
        blobs=len(unneeded),
        freed_bytes=sum(entry.size for entry in unneeded),
        dry_run=dry_run,
    )


def _sort_out(store: Store, keep: int, limit: datetime) -> tuple[set[str], list[str]]:
    """Return the versions to keep, and those to drop in the order of their names."""
    stored = list_manifests(store)
    newest = sorted(stored, key=lambda version: (stored[version], version), reverse=True)
    kept = set(newest[:keep]) | {name for name, modified in stored.items() if modified >= limit}
    for pointer in list_channels(store).values():
        kept.add(pointer.version)
        kept.update(stored.keys() & set(pointer.previous[:keep]))
    return kept, sorted(stored.keys() - kept)


def _unneeded_blobs(store: Store, dropped: list[str], limit: datetime) -> list[Entry]:
    """Look again at what is there: a version may have been published since the first look."""
    old = [entry for entry in store.list(OBJECTS) if entry.modified < limit]
    needed = _needed_blobs(store, list_manifests(store).keys() - set(dropped))
    return [entry for entry in old if entry.key not in needed]


def _needed_blobs(store: Store, versions: set[str]) -> set[str]:
    """Return the keys that the versions and the channels need; reads every manifest."""
    manifests = [read_manifest(store, version) for version in sorted(versions)]
    needed = set()
    for pointer in list_channels(store).values():
        needed.add(blob_key(pointer.manifest_sha256))  # where it was signed again since
        manifests.append(read_manifest(store, pointer))
    return needed | {blob_key(entry.sha256) for one in manifests for entry in one.files}
