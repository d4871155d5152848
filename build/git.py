"""What Git knows of a wiki: its commit, its files and when each was last changed."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from build.report import printable
from index_artifacts.errors import SourceError
from index_artifacts.manifest import Source

if TYPE_CHECKING:
    from pathlib import Path

# Enough for a channel to tell older from newer between two publishes that are not years apart.
ANCESTORS = 200


@dataclass(frozen=True, slots=True)
class LastChange:
    """The commit that last touched a file: ISO 8601 date in UTC, author's name."""

    date: str
    author: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A Git work tree, seen from ``folder``, which may lie below its top."""

    folder: Path

    def source(self) -> Source:
        """The commit checked out, as the manifest records it."""
        revisions = self._lines("rev-list", f"--max-count={ANCESTORS + 1}", "HEAD")
        date = self._run("show", "--no-patch", "--format=%cI", "HEAD").strip()
        # What earlier builds left in the wiki's own .edgewiki is no change of the wiki.
        changed = self._run("status", "--porcelain", "--", ".", ":(exclude).edgewiki")
        return Source(revisions[0], _utc(date), bool(changed), tuple(revisions[1:]))

    def files(self) -> list[str]:
        """Tracked files, and untracked ones that are not ignored, relative to ``folder``."""
        listed = self._run("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return sorted({name for name in listed.split("\0") if name})

    def ignored(self, *patterns: str) -> list[str]:
        """Files that ``.gitignore`` hides and that match a pattern; whole folders as one."""
        listed = self._run(
            "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory",
            "--", *patterns,
        )  # fmt: skip
        return sorted(name for name in listed.split("\0") if name)

    def is_shallow(self) -> bool:
        """True where the history is cut, so that no file's last change can be known."""
        return self._run("rev-parse", "--is-shallow-repository").strip() == "true"

    def last_changes(self) -> dict[str, LastChange]:
        """Each file's last commit; empty for a shallow clone, whose dates would be false."""
        if self.is_shallow():
            return {}
        prefix = self._run("rev-parse", "--show-prefix").rstrip("\n")
        # -c: a merge counts for a file only where it differs from every parent.
        log = self._run(
            "log", "-c", "--no-renames", "--no-relative", "--name-only", "-z",
            "--format=%x01%cI%x02%an",
        )  # fmt: skip
        changes: dict[str, LastChange] = {}
        for commit in log.split("\x01")[1:]:
            head, _, names = commit.partition("\0")
            date, _, author = head.strip("\n").partition("\x02")
            for name in names.split("\0"):
                path = name.strip("\n")
                if path and path.startswith(prefix):
                    change = LastChange(_utc(date), printable(author))
                    changes.setdefault(path.removeprefix(prefix), change)
        return changes

    def _lines(self, *arguments: str) -> list[str]:
        return self._run(*arguments).split()

    def _run(self, *arguments: str) -> str:
        return _git(self.folder, *arguments)


def open_repository(folder: Path) -> Repository | None:
    """Return the repository that ``folder`` is checked out from, or None for a plain folder.

    Raises `SourceError` where Git refuses to read it, as for a tree owned by another user.
    """
    try:
        _git(folder, "rev-parse", "--verify", "HEAD")
        tracked = _git(folder, "ls-files", "-z", "--", ".")
    except FileNotFoundError:
        return None
    except SourceError as error:
        if "dubious ownership" in str(error):
            raise SourceError(
                f"{folder}: Git refuses a tree that another user owns; "
                f"run: git config --global --add safe.directory {folder}"
            ) from error
        return None
    return Repository(folder) if tracked else None


def _git(folder: Path, *arguments: str) -> str:
    result = subprocess.run(
        ["git", "-c", "core.quotePath=false", "-C", str(folder), *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},  # its messages are read below
    )
    if result.returncode != 0:
        message = result.stderr.decode(errors="replace").strip()
        raise SourceError(f"{folder}: git {arguments[0]} failed: {message}")
    return result.stdout.decode(errors="surrogateescape")


def _utc(date: str) -> str:
    return datetime.fromisoformat(date).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
