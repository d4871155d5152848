"""Small wikis written by hand, as folders and as Git repositories."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from build.reading import PageReader
from build.report import Report
from index_artifacts.manifest import Source
from index_artifacts.spans import cut_spans

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from build.config import BuildConfig
    from index_artifacts.records import Document

_IDENTITY = ("-c", "user.email=test@example.org", "-c", "init.defaultBranch=main")


def write_pages(root: Path, pages: Mapping[str, str | bytes]) -> Path:
    """Write files below ``root``, their folders too."""
    for name, content in pages.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(folder: Path, *arguments: str, author: str = "Ana", date: str = "") -> str:
    """Run Git in ``folder`` with no setting of this machine's user; return what it says."""
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if date else {}
    result = subprocess.run(
        ["git", *_IDENTITY, "-c", f"user.name={author}", "-C", str(folder), *arguments],
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **dates},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


def commit_all(folder: Path, *, author: str = "Ana", date: str = "2026-01-01T12:00:00Z") -> str:
    """Commit everything in ``folder`` and return the revision."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "--allow-empty", "-m", "change", author=author, date=date)
    return git(folder, "rev-parse", "HEAD")


def read_documents(
    root: Path, pages: Mapping[str, str | bytes], config: BuildConfig
) -> tuple[list[Document], Report]:
    """Write pages below ``root`` and read them as a build does, from a plain folder."""
    from build.pages import find_pages

    report = Report()
    write_pages(root, pages)
    found = find_pages(root, None, config.exclude, report)
    return PageReader(config, Source(), None, report).read(found, lambda *_: None), report


class WordTokenizer:
    """A tokenizer to reason about: each word and each other visible character is a token.

    A word of more than ten characters is several, as in a real one.
    """

    _TOKEN = re.compile(r"\w{1,10}|[^\w\s]")

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text``."""
        return len(self._TOKEN.findall(text))

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Spans of at most ``max_tokens`` that cover ``text``."""
        starts = [match.start() for match in self._TOKEN.finditer(text)]
        return cut_spans(text, starts, max_tokens, self.count_tokens)
