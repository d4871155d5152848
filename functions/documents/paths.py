"""Where a page may lie: paths that are safe in every checkout, on whatever system.

A path comes from a caller and goes into a repository that others check out. So nothing may lead
out of the wiki, into Git's own folders or a forge's, or hide from the reader; and a new page may
not have a name that Windows or macOS would lose.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from index_artifacts.errors import QueryError

# What the build reads as pages.
MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})
MOST_BYTES = 1_000
MOST_NAME_BYTES = 255

# Control and format characters, surrogates, unassigned ones, line and paragraph separators. HFS
# passes over some of them, and no reader sees any.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})
_SHORT_NAME_OF_GIT = re.compile(r"gi[^.~]{0,6}~\d+", re.IGNORECASE)  # NTFS knows .git as git~1
_NO_WINDOWS_NAME = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_NO_WINDOWS_CHARACTER = re.compile(r'[<>:"|?*]')


def checked_path(path: str) -> str:
    """``path``, where a page may be read and changed at it; raises `QueryError`, which says why."""
    if not path:
        raise QueryError("the path is empty: give one such as guides/servers.md")
    if reason := _fault(path):
        raise QueryError(f"{path[:200]!r} cannot be a page's path: {reason}")
    return path


def checked_new_path(path: str) -> str:
    """``path`` in NFC, where a new page may be made at it; raises `QueryError`."""
    composed = unicodedata.normalize("NFC", checked_path(path))
    for name in composed.split("/"):
        if _NO_WINDOWS_CHARACTER.search(name) or _NO_WINDOWS_NAME.fullmatch(name):
            raise QueryError(f"{name!r} cannot be checked out on Windows: choose another name")
        if name != name.strip() or name.endswith("."):
            raise QueryError(f"{name!r} begins or ends with a space, or ends with a dot")
    return composed


def collision_key(path: str) -> str:
    """Equal for two paths of which some file systems keep one only."""
    decomposed = unicodedata.normalize("NFD", path)
    return unicodedata.normalize("NFC", decomposed.casefold())


def _fault(path: str) -> str:
    if any(unicodedata.category(c) in _UNSEEN for c in path):
        return "it holds a character that cannot be seen"
    if len(path.encode()) > MOST_BYTES:
        return f"it is longer than {MOST_BYTES} bytes"
    if "\\" in path:
        return "folders are separated by /, not by \\"
    if path.startswith("/"):
        return "it begins with /, and paths begin at the wiki's root"
    for name in path.split("/"):
        if reason := _fault_of_name(name):
            return reason
    if PurePosixPath(path).suffix.lower() not in MARKDOWN:
        there = ", ".join(sorted(MARKDOWN))
        return f"a page ends in one of {there} (a .txt becomes one by POST /documents/upload)"
    return ""


def _fault_of_name(name: str) -> str:
    if not name:
        return "it has an empty part: // or a / at its end"
    if name in {".", ".."}:
        return f"{name!r} is no name"
    if len(name.encode()) > MOST_NAME_BYTES:
        return f"a part of it is longer than {MOST_NAME_BYTES} bytes"
    if name.lstrip(" ").startswith("."):
        return (
            f"{name!r} is hidden: names that begin with a dot are Git's, the forge's, and no pages"
        )
    if _SHORT_NAME_OF_GIT.match(name.rstrip(" .")):
        return f"{name!r} is what some systems call .git"
    return ""
