"""A bare Git repository that is written to by plumbing alone, as a forge does."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

BRANCH = "main"
_LOG = "%H%x00%an%x00%ae%x00%cn%x00%ce%x00%aI%x00%B%x00%x01"


class RacedError(Exception):
    """The branch moved on between reading it and writing it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What lies at a path: ``blob``, ``tree`` or ``commit`` (a submodule)."""

    mode: str
    kind: str
    sha: str
    name: str


@dataclass(frozen=True, slots=True)
class Logged:
    """A commit as the log has it."""

    sha: str
    author: str
    email: str
    committer: str
    committer_email: str
    date: str
    message: str


class BareRepository:
    """A repository with the branch ``main``, safe for any number of threads: Git's refs are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run(["git", "init", "-q", "--bare", "-b", BRANCH, str(folder)], check=True)

    def git(self, *arguments: str, data: bytes | None = None, **environment: str) -> bytes:
        """Run Git without any setting of this machine's user."""
        names = {
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.org",
            "GIT_COMMITTER_NAME": "Forge", "GIT_COMMITTER_EMAIL": "forge@example.org",
        }  # fmt: skip
        return subprocess.run(
            ["git", "--literal-pathspecs", "-c", "core.quotePath=false", *arguments],
            cwd=self.folder,
            env={**os.environ, **names, **environment},
            input=data,
            capture_output=True,
            check=True,
        ).stdout

    def text(self, *arguments: str) -> str:
        """What Git says, as text."""
        return self.git(*arguments).decode().strip()

    @property
    def head(self) -> str:
        """The branch's commit, empty before the first one."""
        try:
            return self.text("rev-parse", "--verify", "-q", f"refs/heads/{BRANCH}")
        except subprocess.CalledProcessError:
            return ""

    def commit(
        self,
        changes: dict[str, bytes | None],
        message: str = "change",
        *,
        parent: str | None = None,
        **environment: str,
    ) -> str:
        """Commit on top of ``parent``, the head if None; raises `RacedError` if it is not it."""
        parent = self.head if parent is None else parent
        with tempfile.TemporaryDirectory() as folder:
            index = str(Path(folder) / "index")
            if parent:
                self.git("read-tree", parent, GIT_INDEX_FILE=index)
            for path, content in changes.items():
                if content is None:
                    gone = f"0 {'0' * 40}\t{path}\0".encode()  # --force-remove needs a work tree
                    self.git("update-index", "-z", "--index-info", data=gone, GIT_INDEX_FILE=index)
                    continue
                blob = self.git("hash-object", "-w", "--stdin", data=content).decode().strip()
                place = f"100644,{blob},{path}"
                self.git("update-index", "--add", "--cacheinfo", place, GIT_INDEX_FILE=index)
            tree = self.git("write-tree", GIT_INDEX_FILE=index).decode().strip()
        parents = ["-p", parent] if parent else []
        arguments = ["commit-tree", tree, *parents]
        made = self.git(*arguments, data=message.encode(), **environment).decode().strip()
        try:
            self.git("update-ref", f"refs/heads/{BRANCH}", made, parent or "0" * 40)
        except subprocess.CalledProcessError as error:
            raise RacedError from error
        return made

    def entries(self, revision: str, path: str) -> list[Entry]:
        """What ``git ls-tree`` lists for ``path``: itself, or with a slash at its end its parts."""
        found = []
        listed = self.git("ls-tree", "-z", "--full-tree", revision, *([path] if path else []))
        for line in listed.decode().split("\0"):
            if line:
                head, _, name = line.partition("\t")
                found.append(Entry(*head.split(), name))  # type: ignore[call-arg]
        return found

    def entry(self, revision: str, path: str) -> Entry | None:
        """What lies at ``path``."""
        return next((e for e in self.entries(revision, path) if e.name == path), None)

    def blob(self, sha: str) -> bytes:
        """A blob's bytes."""
        return self.git("cat-file", "blob", sha)

    def show(self, path: str, revision: str = BRANCH) -> bytes | None:
        """A file's bytes, None where there is none."""
        found = self.entry(revision, path)
        return self.blob(found.sha) if found else None

    def log(self, path: str = "", revision: str = BRANCH, most: int = 1000) -> list[Logged]:
        """The commits, of ``path`` alone if given, newest first."""
        limited = ["log", f"--max-count={most}", f"--format={_LOG}", revision]
        arguments = [*limited, *(["--", path] if path else [])]
        found = []
        for record in self.git(*arguments).decode().split("\x01"):
            fields = record.strip("\n").split("\0")[:7]
            if len(fields) == 7:
                found.append(Logged(*fields))
        return found

    def changed(self, sha: str) -> dict[str, str]:
        """Path → ``A``, ``M`` or ``D`` of the files that a commit changed."""
        arguments = ("diff-tree", "--root", "-r", "--no-commit-id", "--no-renames", "--name-status")
        fields = self.git(*arguments, "-z", sha).decode().split("\0")
        return dict(zip(fields[1::2], fields[0::2], strict=False))
