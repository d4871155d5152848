"""A wiki at a forge, and a runner's clone of it: real repositories on this disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from functions.sync.clone import Clone
from functions.sync.process import Ended, run
from index_artifacts.errors import SourceError
from tests.wiki import commit_all, git, write_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from functions.settings import Settings

PAGES = {"a.md": "# A\n\nFirst.\n", "b.md": "# B\n\nSecond.\n", ".gitignore": "*.tmp\n"}


def ran(command: list[str], env: Mapping[str, str]) -> Ended:
    return run(command, env=env, deadline=time.monotonic() + 60, on_line=lambda _: None, every=1)


class Wiki:
    """A forge's repository, somebody's work tree that pushes to it, and the runner's clone."""

    def __init__(self, folder: Path, make: Callable[..., Settings], *options: str) -> None:
        self.forge, self.desk, self.clone = folder / "forge.git", folder / "desk", folder / "clone"
        write_pages(self.desk, PAGES)
        commit_all(self.desk)
        git(folder, "clone", "-q", "--bare", str(self.desk), str(self.forge))
        git(self.desk, "remote", "add", "origin", str(self.forge))
        git(folder, "clone", "-q", *options, self.url, str(self.clone))
        self.make = make

    @property
    def url(self) -> str:
        return self.forge.as_uri()

    def push(self, pages: Mapping[str, str | bytes], *options: str, branch: str = "main") -> str:
        write_pages(self.desk, pages)
        revision = commit_all(self.desk)
        git(self.desk, "push", "-q", *options, "origin", f"HEAD:refs/heads/{branch}")
        return revision

    def pull(self, **fields: object) -> str:
        settings = self.make(**{"git_origin": self.url, "wiki_dir": self.clone, **fields})
        return Clone(self.clone, settings, ran).pull()

    def snapshot(self) -> tuple[str, dict[str, bytes]]:
        """The clone's commit and every file of its work tree."""
        files = {
            path.relative_to(self.clone).as_posix(): path.read_bytes()
            for path in self.clone.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(self.clone).parts
        }
        return git(self.clone, "rev-parse", "HEAD"), files

    def refuses(self, words: str, **fields: object) -> None:
        """Pull, which has to be refused with ``words`` and change nothing."""
        before = self.snapshot()
        with pytest.raises(SourceError, match=words):
            self.pull(**fields)
        assert self.snapshot() == before
