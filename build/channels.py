"""Taking a channel away: what it served stays in the store until a gc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.errors import ConfigError, ConflictError
from index_artifacts.version_store import channel_key, read_pointer

if TYPE_CHECKING:
    from collections.abc import Collection

    from index_artifacts.store import Store
    from index_artifacts.version_store import Pointer


def delete_channel(
    store: Store, name: str, *, protected: Collection[str] = (), force: bool = False
) -> Pointer:
    """Take the channel ``name`` away and return what it served; its version stays until a gc.

    Raises `ConfigError` for a ``protected`` one unless ``force``, `NotFoundError` where there is
    no such channel, `ConflictError` where somebody moved it meanwhile.
    """
    if name in protected and not force:
        raise ConfigError(
            f"channel {name!r} is what readers are served from: delete it with --force, and they "
            "have no version any more"
        )
    pointer, etag = read_pointer(store, name)
    try:
        store.delete_unchanged(channel_key(name), etag)
    except ConflictError as error:
        raise ConflictError(
            f"channel {name!r} was moved while it was deleted, and was left so: look at edgewiki "
            f"channel list, then decide again ({error})"
        ) from error
    return pointer
