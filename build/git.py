"""What Git knows of a wiki: its commit, its files and the commits that changed each."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from build.report import printable
from index_artifacts.errors import SourceError
from index_artifacts.manifest import Source
from index_artifacts.records import Revision
from index_artifacts.schema import MAX_REVISIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Enough for a channel to tell older from newer between two publishes that are not years apart.
ANCESTORS = 200

_MAX_SUBJECT = 200
# Fields end with NUL, which none of them can hold; the slash is where a commit begins.
_FORMAT = "%x00/%H%x00%cI%x00%an%x00%s"


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

    def history(self) -> dict[str, list[Revision]]:
        """The commits that changed each file, newest first and `MAX_REVISIONS` at most.

        Empty for a shallow clone, whose dates would be false. A file that was renamed begins
        anew: its history is that of its name.
        """
        if self.is_shallow():
            return {}
        prefix = self._run("rev-parse", "--show-prefix").rstrip("\n")
        # -c: a merge counts for a file only where it differs from every parent.
        log = self._run(
            "log", "-c", "--no-renames", "--no-relative", "--no-show-signature", "--name-only",
            "-z", "--encoding=UTF-8", f"--format={_FORMAT}",
        )  # fmt: skip
        history: dict[str, list[Revision]] = defaultdict(list)
        for revision, name in _changes(log):
            if name.startswith(prefix):
                known = history[name.removeprefix(prefix)]
                if len(known) < MAX_REVISIONS:
                    known.append(revision)
        return dict(history)

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


def _changes(log: str) -> Iterator[tuple[Revision, str]]:
    """Read what ``git log -z`` printed in `_FORMAT`: a commit and a file it changed, by turns.

    A subject or a file's name can hold anything but NUL, and no file's name begins with ``/``.
    """
    fields = iter(log.split("\0"))
    revision = None
    for field in fields:
        name = field
        if field.startswith("/"):
            date, author, subject = islice(fields, 3)
            revision = Revision(field[1:], _utc(date), _one_line(author), _title(subject))
            name = next(fields, "").removeprefix("\n")  # a merge has no line break here
        if name:
            assert revision is not None  # names follow their commit
            yield revision, name


def _title(subject: str) -> str:
    line = _one_line(subject)
    return line if len(line) <= _MAX_SUBJECT else line[: _MAX_SUBJECT - 1].rstrip() + "…"


def _one_line(text: str) -> str:
    """``text`` without control characters, which a terminal or a model would obey."""
    shown = (c if c.isprintable() else " " for c in printable(text))
    return " ".join("".join(shown).split())


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
