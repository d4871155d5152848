"""Waiting for a wiki to change: its files are looked at twice a second.

Looking works where notifications of the system do not (network drives, containers), needs no
library, and tells what changed since the last build, also while that ran. It is cheap enough:
a look at 10,000 pages takes 37 ms of processor time, one at 140 takes 2.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from build.sources import MARKDOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Seconds between two looks, and how long nothing may have changed before a build begins; an
# editor that never rests is not waited for longer than the last.
_EVERY = 0.5
_QUIET = 0.3
_AT_MOST = 5.0
# Of the time, looking may take this share.
_SHARE = 0.05

Snapshot = dict[str, tuple[int, int]]
"""Path → time of the last change in ns, and size."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Files that were added, changed and removed, by path, each sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """True where there is any."""
        return bool(self.added or self.changed or self.removed)


class Watcher:
    """Looks at the pages below ``root`` and at the ``settings``, files that need not exist."""

    def __init__(self, root: Path, settings: Iterable[Path] = ()) -> None:
        self._root, self._settings = root, tuple(settings)
        self._seen = self.look()
        self._every = _EVERY

    def wait(self) -> Changes:
        """Wait until something has changed since the last call, and then until all is quiet."""
        while not between(self._seen, now := self.look()):
            time.sleep(self._every)
        for _ in range(round(_AT_MOST / _QUIET)):
            time.sleep(_QUIET)
            before, now = now, self.look()
            if not between(before, now):
                break
        changes = between(self._seen, now)
        self._seen = now
        return changes

    def look(self) -> Snapshot:
        """The files as they are now."""
        started = time.monotonic()
        found = dict(_pages(self._root))
        for file in self._settings:
            found |= {str(file): (facts.st_mtime_ns, facts.st_size) for facts in _stat(file)}
        self._every = max(_EVERY, (time.monotonic() - started) / _SHARE)
        return found


def between(before: Snapshot, after: Snapshot) -> Changes:
    """What has happened from one look to the next."""
    return Changes(
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(sorted(p for p in after.keys() & before.keys() if after[p] != before[p])),
        removed=tuple(sorted(before.keys() - after.keys())),
    )


def _pages(root: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every Markdown file below ``root`` but for hidden ones, by its path there."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if PurePosixPath(name).suffix.lower() in MARKDOWN and not name.startswith("."):
                file = Path(folder, name)
                for facts in _stat(file):
                    yield file.relative_to(root).as_posix(), (facts.st_mtime_ns, facts.st_size)


def _stat(file: Path) -> Iterator[os.stat_result]:
    try:
        yield file.stat()
    except OSError:  # it is gone, or not there yet
        return
