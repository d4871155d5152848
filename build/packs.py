"""What builds keep in the store for later builds: packs, immutable and called by their own hash."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from index_artifacts.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from index_artifacts.store import Store

# Above this many packs, a build writes them together into one.
_MAX_PACKS = 8


class Pack(NamedTuple):
    """A pack's bytes, and whether they are what its name says."""

    data: bytes
    is_whole: bool


class Packs:
    """The packs below ``prefix``; builds at the same time lose nothing of each other's."""

    def __init__(self, store: Store, prefix: str, ending: str) -> None:
        self._store, self._prefix, self._ending = store, prefix, ending
        self._names: list[str] = []

    def read(self) -> Iterator[Pack]:
        """Every pack there is."""
        for entry in self._store.list(self._prefix):
            self._names.append(entry.key)
            try:
                data = self._store.read(entry.key).data
            except NotFoundError:  # another build has just written the packs together
                continue
            yield Pack(data, entry.key == self._name(data))

    def add(self, news: Callable[[], bytes], everything: Callable[[], bytes]) -> None:
        """Write what is new as one more pack, or where there are many, everything as one."""
        if len(self._names) < _MAX_PACKS:
            self._names.append(self._write(news()))
            return
        merged = self._write(everything())
        for name in self._names:
            if name != merged:
                self._store.delete(name)
        self._names = [merged]

    def _write(self, data: bytes) -> str:
        name = self._name(data)
        self._store.write_new(name, data)
        return name

    def _name(self, data: bytes) -> str:
        return f"{self._prefix}{hashlib.sha256(data).hexdigest()}{self._ending}"
