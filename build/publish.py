"""Publishing: upload what is missing, then move one pointer. `build.rollback` moves it back.

A channel never names a version that is not whole: blobs first, then the manifest, then a
check that all of it is there, then the pointer by a conditional write. A process killed at
any point leaves the channel as it was.
"""

from __future__ import annotations

import hashlib
import random
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from build.artifact_folder import read_artifact
from build.commit_order import why_older
from index_artifacts.errors import (
    ConflictError,
    IntegrityError,
    NotFoundError,
    PublishRefusedError,
)
from index_artifacts.version_store import (
    PREVIOUS_LIMIT,
    Pointer,
    blob_key,
    channel_key,
    manifest_key,
    parse_pointer,
    read_manifest,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from index_artifacts.manifest import FileEntry, Manifest
    from index_artifacts.store import Store

RACE_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing did. ``uploaded`` and ``reused`` count blobs, ``uploaded_bytes`` bytes.

    ``moved`` is False where the channel served this very version already; ``previous`` is the
    version that it served before this call, None where it served none.
    """

    version: str
    channel: str
    uploaded: int
    uploaded_bytes: int
    reused: int
    moved: bool
    previous: str | None


@dataclass(frozen=True, slots=True)
class Judged:
    """What a version was found good enough to follow; None: a channel that served nothing."""

    version: str | None


def publish(
    artifact: Path,
    store: Store,
    channel: str = "latest",
    *,
    force: bool = False,
    reason: str = "",
    signing_key: bytes | None = None,
    judged: Judged | None = None,
    now: datetime | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Published:
    """Upload an artifact folder and let ``channel`` serve it.

    With ``judged``, only what it names may be replaced: a verdict says nothing of another
    version. Raises `IntegrityError` where a file is not what the manifest says,
    `PublishRefusedError` where the channel serves a newer commit (``force`` overrides),
    `ConflictError` where other publishers won twenty times in a row or the channel serves
    something else than was judged, and the store's own errors.
    """
    say = on_progress or _silent
    key = channel_key(channel)
    manifest = read_artifact(artifact)
    if signing_key is not None:
        manifest = manifest.sign(signing_key)
    data = manifest.to_json()
    wanted = Pointer(
        version=manifest.version,
        manifest_sha256=hashlib.sha256(data).hexdigest(),
        published_at=stamp(now),
        reason=reason,
    )
    store.require_conditional_writes()
    refuse_older(store, channel, manifest, force=force)  # before a long upload
    uploads = [_upload(store, artifact, entry, say) for entry in _blobs(manifest)]
    _write_manifest(store, manifest.version, data)
    check_whole(store, manifest)
    moved, previous = _move(store, channel, wanted, manifest, judged, force=force)
    say(f"{key} names {manifest.version}" + ("" if moved else " already"))
    return Published(
        version=manifest.version,
        channel=channel,
        uploaded=sum(size is not None for size in uploads),
        uploaded_bytes=sum(size or 0 for size in uploads),
        reused=sum(size is None for size in uploads),
        moved=moved,
        previous=previous,
    )


def refuse_older(store: Store, channel: str, manifest: Manifest, *, force: bool = False) -> None:
    """Raise `PublishRefusedError` where the channel would go back to an older commit."""
    live, _ = _read_live(store, channel, force=force)
    _check_order(store, channel, live, manifest, force=force)


def check_whole(store: Store, manifest: Manifest) -> None:
    """Raise `IntegrityError` where a blob of the version is missing or has another size."""
    for entry in _blobs(manifest):
        size = store.size(blob_key(entry.sha256))
        if size != entry.size:
            found = "is missing" if size is None else f"has {size} bytes instead of {entry.size}"
            raise IntegrityError(
                f"version {manifest.version} is not whole: {store.url}/{blob_key(entry.sha256)} "
                f"({entry.name}) {found}; the channel was not moved: delete that object if it is "
                "there, and publish the version again"
            )


def _blobs(manifest: Manifest) -> list[FileEntry]:
    """One entry for each content, since two files of the same bytes are one blob."""
    return list({entry.sha256: entry for entry in manifest.files}.values())


def _upload(
    store: Store, artifact: Path, entry: FileEntry, say: Callable[[str], None]
) -> int | None:
    """Return the bytes uploaded, None where the store holds the blob."""
    key = blob_key(entry.sha256)
    if store.size(key) is not None:
        return None
    say(f"uploading {entry.name} ({entry.size / 1e6:.1f} MB)")
    return entry.size if store.upload_new(key, artifact / entry.name) else None


def _write_manifest(store: Store, version: str, data: bytes) -> None:
    """Store the manifest; one that has other bytes (another signature) is superseded.

    What it was is kept by its hash first: channels that pin it must go on working, also if
    this process is killed before it moves the pointer.
    """
    key = manifest_key(version)
    for _ in range(RACE_ATTEMPTS):
        if store.write_new(key, data):
            return
        stored = store.read(key)
        if stored.data == data:
            return
        store.write_new(blob_key(hashlib.sha256(stored.data).hexdigest()), stored.data)
        try:
            store.replace(key, data, stored.etag)
            return
        except ConflictError:
            _back_off()
    raise ConflictError(f"{store.url}/{key} is being rewritten by others: publish again")


def _move(
    store: Store,
    channel: str,
    wanted: Pointer,
    manifest: Manifest,
    judged: Judged | None,
    *,
    force: bool,
) -> tuple[bool, str | None]:
    """Swap the pointer. Return whether that was needed, and the version served before."""
    tried: Pointer | None = None
    for _ in range(RACE_ATTEMPTS):
        live, etag = _read_live(store, channel, force=force)
        if live is not None and live == tried:  # written, but the answer was lost
            return True, live.previous[0] if live.previous else None
        if live is not None and _same(live, wanted):
            return False, live.version
        _check_judged(channel, live, judged)
        _check_order(store, channel, live, manifest, force=force)
        tried = replace(wanted, previous=history_after(live, wanted.version))
        try:
            store.replace(channel_key(channel), tried.to_json(), etag)
            return True, live.version if live else None
        except ConflictError:
            _back_off()
    raise ConflictError(
        f"channel {channel!r} was moved by others {RACE_ATTEMPTS} times in a row: publish again"
    )


def _read_live(store: Store, channel: str, *, force: bool) -> tuple[Pointer | None, str | None]:
    """Return the pointer and its tag, None where there is none or a broken one is forced."""
    key = channel_key(channel)
    try:
        found = store.read(key)
    except NotFoundError:
        return None, None
    try:
        return parse_pointer(found.data, f"{store.url}/{key}"), found.etag
    except IntegrityError:
        if force:
            return None, found.etag
        raise


def _check_order(
    store: Store, channel: str, live: Pointer | None, manifest: Manifest, *, force: bool
) -> None:
    """Raise `PublishRefusedError` where the channel would go back to an older commit."""
    if live is None or force or live.version == manifest.version:
        return
    try:
        served = read_manifest(store, live)
    except (NotFoundError, IntegrityError) as error:
        raise PublishRefusedError(
            f"channel {channel!r} serves {live.version}, whose manifest cannot be read, so nobody "
            f"can tell which is newer: publish with --force to replace it ({error})"
        ) from error
    problem = why_older(served.source, manifest.source)
    if problem:
        raise PublishRefusedError(
            f"channel {channel!r} serves commit {served.source.revision}, and "
            f"{manifest.source.revision} {problem}: publish with --force to go back to it"
        )


def _check_judged(channel: str, live: Pointer | None, judged: Judged | None) -> None:
    serves = live.version if live else None
    if judged is not None and judged.version != serves:
        raise ConflictError(
            f"channel {channel!r} serves {serves} by now, and the gate has compared with "
            f"{judged.version}: publish again"
        )


def _same(live: Pointer, wanted: Pointer) -> bool:
    return (live.version, live.manifest_sha256) == (wanted.version, wanted.manifest_sha256)


def history_after(live: Pointer | None, version: str) -> tuple[str, ...]:
    """Return the history of a channel that leaves ``live`` for ``version``."""
    if live is None:
        return ()
    history = dict.fromkeys((live.version, *live.previous))
    return tuple(name for name in history if name != version)[:PREVIOUS_LIMIT]


def stamp(now: datetime | None) -> str:
    """``now``, or the present, as ISO 8601 in UTC."""
    return (now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")


def _back_off() -> None:
    time.sleep(random.uniform(0.005, 0.1))  # jitter: losers must not meet again


def _silent(_: str) -> None:
    pass
