"""Waiting for a wiki to change: its files are looked at twice a second.

Looking works where notifications of the system do not (network drives, containers), needs no
library, and tells what changed since the last build, also while that ran. It is cheap enough:
a look at 10,000 pages takes 37 ms of processor time, one at 140 takes 2.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from build.sources import MARKDOWN_PAGES, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from build.sources import SourceConfig

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
    """Looks at the files of ``sources`` below ``root``, and at ``settings``, if they are there."""

    def __init__(
        self,
        root: Path,
        settings: Iterable[Path] = (),
        sources: Sequence[SourceConfig] = MARKDOWN_PAGES,
    ) -> None:
        self._root, self._settings, self._sources = root, tuple(settings), sources
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
        found = dict(_pages(self._root, self._sources))
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


def _pages(root: Path, sources: Sequence[SourceConfig]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every file of ``sources`` below ``root`` but for hidden ones, by its path there."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not _is_hidden(Path(folder, name))]
        for name in names:
            file = Path(folder, name)
            path = file.relative_to(root).as_posix()
            if not name.startswith(".") and source_of(path, sources):
                for facts in _stat(file):
                    yield path, (facts.st_mtime_ns, facts.st_size)


def _is_hidden(folder: Path) -> bool:
    """True where a folder begins with a dot, but for one of a Maildir, such as ``.Sent``."""
    return folder.name.startswith(".") and not (folder / "cur").is_dir()


def _stat(file: Path) -> Iterator[os.stat_result]:
    try:
        yield file.stat()
    except OSError:  # it is gone, or not there yet
        return
