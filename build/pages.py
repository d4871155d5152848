"""Finding the files of a wiki that are read, and saying why each other one is left out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec, PathSpec

from build.sources import MARKDOWN_PAGES, is_maildir, patterns_of, source_of
from index_artifacts.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.git import Repository
    from build.report import Report
    from build.sources import Kind, SourceConfig


@dataclass(frozen=True, slots=True)
class Page:
    """A file's path below the wiki's root, with ``/``, where its bytes lie, and what it is.

    ``summaries`` says whether what is read from it gets any.
    """

    path: str
    file: Path
    kind: Kind = "markdown"
    summaries: bool = True


def find_pages(
    root: Path,
    repository: Repository | None,
    exclude: tuple[str, ...],
    report: Report,
    sources: Sequence[SourceConfig] = MARKDOWN_PAGES,
) -> list[Page]:
    """Return the files of ``sources`` below ``root`` sorted by path.

    Each one left out is in the report. Raises `SourceError` where ``root`` is no readable folder.
    """
    if not root.is_dir():
        raise SourceError(f"{root} is not a folder: give the wiki's root")
    if repository:
        names = _from_git(repository, sources, report)
    else:
        names = _from_folder(root, sources, report)
    excluded = GitIgnoreSpec.from_lines(exclude)
    pages = []
    for name in sorted(names):
        source = source_of(name, sources)
        if source is None:
            continue
        if excluded.match_file(name):
            report.add("excluded", "excluded-by-config", name, "matches [wiki] exclude")
        elif _is_readable_page(root, name, source.kind, report):
            pages.append(Page(name, root / name, source.kind, source.summaries))
    return pages


def _is_readable_page(root: Path, name: str, kind: Kind, report: Report) -> bool:
    file = root / name
    if _is_hidden(name, kind):
        report.add("excluded", "hidden", name, "its path has a part that starts with a dot")
    elif not _is_utf8(name):
        report.add("skipped", "file-name", name, "its name is not UTF-8: rename it")
    elif file.is_symlink() and _stays_inside(root, file):
        report.add("skipped", "symlink", name, "a symbolic link to a page that is read already")
    elif file.is_symlink():
        report.add("skipped", "symlink", name, "a symbolic link that leaves the wiki or is broken")
    elif not file.is_file():
        report.add("skipped", "not-a-file", name, "not a regular file, or deleted from disk")
    elif not _stays_inside(root, file):
        report.add("skipped", "symlink", name, "below a symbolic link that leaves the wiki")
    else:
        return True
    return False


def _is_hidden(name: str, kind: Kind) -> bool:
    parts = PurePosixPath(name).parts
    if kind == "mail" and is_maildir(name):  # a folder in a Maildir is called ".Sent"
        parts = (*parts[:-3], *parts[-2:])
    return any(part.startswith(".") for part in parts)


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


def _from_git(repository: Repository, sources: Sequence[SourceConfig], report: Report) -> list[str]:
    ignored = repository.ignored(*patterns_of(sources))
    if ignored:
        _note_ignored(ignored, report)
    names = repository.files()
    for name in names:
        path = repository.folder / name
        if path.is_dir() and not path.is_symlink():
            report.add("skipped", "submodule", name, "a Git repository of its own: not read")
        elif path.is_symlink() and path.is_dir():
            report.add("skipped", "symlink", name, "a symbolic link to a folder: not followed")
    return names


def _note_ignored(names: list[str], report: Report) -> None:
    first = ", ".join(names[:5])
    report.add("note", "ignored", ".gitignore", f"hides {len(names)} pages or folders: {first}")


def _from_folder(root: Path, sources: Sequence[SourceConfig], report: Report) -> list[str]:
    def unreadable(error: OSError) -> None:
        name = Path(error.filename).relative_to(root).as_posix()
        report.add("skipped", "unreadable", name, f"a folder that cannot be read: {error.strerror}")

    specs: list[tuple[str, GitIgnoreSpec]] = []
    found: list[str] = []
    ignored: list[str] = []
    for folder, subfolders, files in os.walk(root, onerror=unreadable):
        here = PurePosixPath(Path(folder).relative_to(root).as_posix())
        if ".gitignore" in files:
            specs.append((str(here), _read_gitignore(Path(folder) / ".gitignore", report)))
        for name in sorted(subfolders):
            if _is_ignored(specs, here / name, folder=True):
                subfolders.remove(name)
                ignored.append(f"{here / name}/")
            elif name == ".git":
                subfolders.remove(name)
            elif (Path(folder) / name).is_symlink():
                report.add(
                    "skipped", "symlink", str(here / name), "a link to a folder: not followed"
                )
        subfolders.sort()
        for name in sorted(files):
            hidden = _is_ignored(specs, here / name)
            (ignored if hidden else found).append(str(here / name))
    ignored = [name for name in ignored if name.endswith("/") or source_of(name, sources)]
    if ignored:
        _note_ignored(ignored, report)
    return found


def _read_gitignore(file: Path, report: Report) -> GitIgnoreSpec:
    """Parse a ``.gitignore``; a pattern that Git would not take either hides nothing."""
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        report.add("note", "ignored", str(file.name), f"cannot be read: {error.strerror}")
        return GitIgnoreSpec.from_lines([])
    return GitIgnoreSpec.from_lines(line for line in text.splitlines() if is_pattern(line))


def is_pattern(line: str) -> bool:
    """True where ``line`` is a line that a ``.gitignore`` may hold."""
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _is_ignored(
    specs: list[tuple[str, GitIgnoreSpec]], path: PurePosixPath, *, folder: bool = False
) -> bool:
    for base, spec in reversed(specs):  # the nearest .gitignore that speaks of it decides
        if path.is_relative_to(base):
            relative = str(path.relative_to(base))
            # GitIgnoreSpec lets `*` win over `!*/`; of a folder, the last pattern decides.
            found = PathSpec(spec.patterns).check_file(f"{relative}/") if folder else None
            if (decision := (found or spec.check_file(relative)).include) is not None:
                return decision
    return False
