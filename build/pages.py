"""Finding the Markdown pages of a wiki, and saying why each other one is left out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from index_artifacts.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from build.git import Repository
    from build.report import Report

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})


@dataclass(frozen=True, slots=True)
class Page:
    """A page's path below the wiki's root, with ``/``, and where its bytes lie."""

    path: str
    file: Path


def find_pages(
    root: Path, repository: Repository | None, exclude: tuple[str, ...], report: Report
) -> list[Page]:
    """Return the pages below ``root`` sorted by path; each one left out is in the report.

    Raises `SourceError` where ``root`` is not a readable folder.
    """
    if not root.is_dir():
        raise SourceError(f"{root} is not a folder: give the wiki's root")
    names = _from_git(repository, report) if repository else _from_folder(root, report)
    excluded = GitIgnoreSpec.from_lines(exclude)
    pages = []
    for name in sorted(names):
        if PurePosixPath(name).suffix.lower() not in MARKDOWN:
            continue
        if excluded.match_file(name):
            report.add("excluded", "excluded-by-config", name, "matches [wiki] exclude")
        elif _is_readable_page(root, name, report):
            pages.append(Page(name, root / name))
    return pages


def _is_readable_page(root: Path, name: str, report: Report) -> bool:
    file = root / name
    if any(part.startswith(".") for part in PurePosixPath(name).parts):
        report.add("skipped", "hidden", name, "its path has a part that starts with a dot")
    elif not _is_utf8(name):
        report.add("skipped", "file-name", _printable(name), "its name is not UTF-8: rename it")
    elif file.is_symlink() and not _stays_inside(root, file):
        report.add("skipped", "symlink", name, "a symbolic link that leaves the wiki or is broken")
    elif file.is_symlink():
        report.add("skipped", "symlink", name, "a symbolic link to a page that is read already")
    elif not file.is_file():
        report.add("skipped", "not-a-file", name, "not a regular file, or deleted from disk")
    else:
        return True
    return False


def _stays_inside(root: Path, link: Path) -> bool:
    try:
        return link.resolve(strict=True).is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return False


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(name: str) -> str:
    return name.encode(errors="surrogateescape").decode(errors="replace")


def _from_git(repository: Repository, report: Report) -> list[str]:
    ignored = repository.ignored("*.md", "*.markdown")
    if ignored:
        first = ", ".join(_printable(name) for name in ignored[:5])
        report.add(
            "note", "ignored", ".gitignore", f"hides {len(ignored)} pages or folders: {first}"
        )
    names = repository.files()
    for name in names:
        path = repository.folder / name
        if path.is_dir() and not path.is_symlink():
            report.add("skipped", "submodule", name, "a Git repository of its own: not read")
        elif path.is_symlink() and path.is_dir():
            report.add("skipped", "symlink", name, "a symbolic link to a folder: not followed")
    return names


def _from_folder(root: Path, report: Report) -> Iterator[str]:
    specs: list[tuple[str, GitIgnoreSpec]] = []
    for folder, subfolders, files in os.walk(root):
        here = PurePosixPath(Path(folder).relative_to(root).as_posix())
        if ".gitignore" in files:
            lines = (Path(folder) / ".gitignore").read_text(errors="replace").splitlines()
            specs.append((str(here), GitIgnoreSpec.from_lines(lines)))
        for name in list(subfolders):
            if _is_ignored(specs, here / name, folder=True) or name == ".git":
                subfolders.remove(name)
            elif (Path(folder) / name).is_symlink():
                report.add(
                    "skipped", "symlink", str(here / name), "a link to a folder: not followed"
                )
        subfolders.sort()
        yield from (str(here / name) for name in files if not _is_ignored(specs, here / name))


def _is_ignored(
    specs: list[tuple[str, GitIgnoreSpec]], path: PurePosixPath, *, folder: bool = False
) -> bool:
    for base, spec in specs:
        if path.is_relative_to(base):
            relative = str(path.relative_to(base)) + ("/" if folder else "")
            if spec.match_file(relative):
                return True
    return False
