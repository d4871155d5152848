"""The wiki's files in its repository: where a page of the version lies there."""

from __future__ import annotations

import time
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING

from functions.forge.opening import open_forge
from index_artifacts.errors import ForbiddenError, ForgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.forge import Author, Commit, Forge, ForgeFile
    from functions.settings import Settings

CONFIG_FILE = "edgewiki.toml"
_ROOT_KEPT_SECONDS = 60.0


class WikiFiles:
    """A `Forge` whose paths are those of pages: below ``[wiki] root`` of ``edgewiki.toml``."""

    def __init__(
        self, forge: Forge, folder: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``folder`` is where ``edgewiki.toml`` lies in the repository; empty for its top."""
        self._forge, self._folder, self._clock = forge, folder, clock
        self._root, self._read_at = "", float("-inf")

    def read(self, page: str, revision: str = "") -> ForgeFile | None:
        """The page's file on the branch, or in a commit; None where there is none."""
        return self._forge.read(self._path(page), revision)

    def names_beside(self, page: str) -> frozenset[str]:
        """What lies in the folder of ``page``."""
        return self._forge.names(self._path(page).rpartition("/")[0])

    def write(self, page: str, content: bytes, *, message: str, author: Author, sha: str) -> Commit:
        """Create or replace the page's file."""
        path = self._path(page)
        return self._forge.write(path, content, message=message, author=author, sha=sha)

    def delete(self, page: str, *, message: str, author: Author, sha: str) -> Commit:
        """Remove the page's file."""
        return self._forge.delete(self._path(page), message=message, author=author, sha=sha)

    def creator(self, page: str) -> Author | None:
        """Who brought the page, None where that cannot be told."""
        return self._forge.creator(self._path(page))

    def read_config(self) -> ForgeFile | None:
        """``edgewiki.toml`` on the branch, None where there is none."""
        return self._forge.read(_joined(self._folder, CONFIG_FILE))

    def write_config(self, content: bytes, *, message: str, author: Author, sha: str) -> Commit:
        """Create or replace ``edgewiki.toml``."""
        path = _joined(self._folder, CONFIG_FILE)
        return self._forge.write(path, content, message=message, author=author, sha=sha)

    def _path(self, page: str) -> str:
        if self._clock() - self._read_at >= _ROOT_KEPT_SECONDS:
            self._root = _root_of(self.read_config())
            self._read_at = self._clock()
        return _joined(_joined(self._folder, self._root), page)


@lru_cache(maxsize=8)
def wiki_files(settings: Settings) -> WikiFiles:
    """The files of the wiki; kept, since they know its root.

    Raises `ForbiddenError` where there is no forge: then the wiki is for reading.
    """
    if not settings.forge:
        raise ForbiddenError("this wiki is for reading: edits need EDGEWIKI_FORGE")
    return WikiFiles(open_forge(settings), settings.forge_folder)


def _root_of(file: ForgeFile | None) -> str:
    if file is None:
        return ""
    try:
        root = tomllib.loads(file.content.decode("utf-8-sig")).get("wiki", {}).get("root", ".")
        parts = [part for part in root.split("/") if part not in {"", "."}]
    except (ValueError, AttributeError) as error:
        raise ForgeError(f"{CONFIG_FILE} on the branch cannot be read: {error}") from None
    if ".." in parts:
        raise ForgeError(f"{CONFIG_FILE} on the branch: [wiki] root leads out of the repository")
    return "/".join(parts)


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path
