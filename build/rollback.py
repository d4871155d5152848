"""Rolling back: the pointer of a channel moves to a version that it served before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from build.publish import check_whole, history_after, stamp
from index_artifacts.errors import ConflictError, NotFoundError
from index_artifacts.version_store import (
    Pointer,
    channel_key,
    manifest_key,
    read_manifest,
    read_manifest_bytes,
    read_pointer,
)

if TYPE_CHECKING:
    from datetime import datetime

    from index_artifacts.store import Store


def rollback(
    store: Store,
    channel: str,
    to: str | None = None,
    reason: str = "",
    *,
    now: datetime | None = None,
) -> Pointer:
    """Let ``channel`` serve an earlier version again, and return its new pointer.

    Without ``to``, that is the last one it served before and that the store still holds; a
    second rollback goes one further back. Raises `NotFoundError` where there is none,
    `IntegrityError` where the version is not whole, `ConflictError` where somebody moved the
    channel meanwhile.
    """
    live, etag = read_pointer(store, channel)
    version = to or _last_kept(store, channel, live)
    data = read_manifest_bytes(store, version)
    check_whole(store, read_manifest(store, version))
    pointer = Pointer(
        version=version,
        manifest_sha256=hashlib.sha256(data).hexdigest(),
        published_at=stamp(now),
        previous=_behind(live, version),
        reason=reason,
    )
    try:
        store.replace(channel_key(channel), pointer.to_json(), etag)
    except ConflictError as error:
        raise ConflictError(
            f"channel {channel!r} was moved while it was rolled back, and was left so: look at "
            f"edgewiki versions, then decide again ({error})"
        ) from error
    return pointer


def _behind(live: Pointer, version: str) -> tuple[str, ...]:
    """Return what lies behind ``version``, so that the next rollback does not go forward."""
    if version in live.previous:
        return live.previous[live.previous.index(version) + 1 :]
    return history_after(live, version)


def _last_kept(store: Store, channel: str, live: Pointer) -> str:
    for version in live.previous:
        if store.size(manifest_key(version)) is not None:
            return version
    raise NotFoundError(
        f"channel {channel!r} serves {live.version}, and the store holds nothing that it served "
        "before: name a version of edgewiki versions by --to"
    )
