"""Edits: what a caller may change, and the commit that does it.

In this order: the path is one, it lies in a collection of the caller's, and only then is anything
looked up. An edit names the blob that it replaces; the forge refuses it where that is another by
now, so two editors never undo each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from functions.access import Role
from functions.documents.authorship import author_of, commit_message
from functions.documents.content import checked_content, warnings_of
from functions.documents.paths import checked_new_path, checked_path, collision_key
from functions.documents.wiki_files import wiki_files
from index_artifacts.errors import ForbiddenError, ForgeConflictError, QueryError

if TYPE_CHECKING:
    from functions.documents.reading import Reader
    from functions.documents.wiki_files import WikiFiles
    from functions.forge import Author, Commit, ForgeFile
    from functions.settings import Settings


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit that was made. ``commit`` is None where the page was so already."""

    kind: str
    path: str
    collection: str
    commit: Commit | None
    sha: str
    warnings: tuple[str, ...] = ()


class Editor:
    """Makes a caller's edits."""

    def __init__(self, reader: Reader, settings: Settings) -> None:
        self._reader, self._settings, self._caller = reader, settings, reader.caller
        self._author: Author = author_of(reader.caller, settings.forge_author_domain)

    def put(self, path: str, content: bytes, text: str, sha: str, message: str) -> Edit:
        """Create the page, or replace the one whose blob is ``sha``; ``text`` is its content.

        Raises `QueryError`, `ForbiddenError`, `ForgeError`; `ForgeConflictError` where the page
        is not what the caller saw.
        """
        path = self._path(path)
        place = self._reader.place(path)
        checked_content(content, self._settings.document_max_bytes)
        files = wiki_files(self._settings)
        there = self._current(files, path, sha)
        if there is None:
            self._require_alone(files, path)
        elif there.content == content:
            return Edit("unchanged", path, place.name, None, there.sha)
        kind, verb = ("changed", "Change") if there else ("created", "Add")
        warnings = tuple(warnings_of(text))
        commit = files.write(
            path,
            content,
            message=commit_message(message, f"{verb} {path}", self._caller),
            author=self._author,
            sha=sha,
        )
        return Edit(kind, path, place.name, commit, commit.blob, warnings)

    def delete(self, path: str, sha: str, message: str) -> Edit:
        """Remove the page whose blob is ``sha``. Raises as `put` does."""
        path = checked_path(path)
        place = self._reader.place(path)
        if not sha:
            raise QueryError("sha: send the blob of the page that shall be removed, as it was read")
        files = wiki_files(self._settings)
        self._current(files, path, sha)
        commit = files.delete(
            path,
            message=commit_message(message, f"Delete {path}", self._caller),
            author=self._author,
            sha=sha,
        )
        return Edit("deleted", path, place.name, commit, "")

    def _path(self, path: str) -> str:
        """A page that is there keeps its path as it is; a new one has to be fit for everybody."""
        checked_path(path)
        self._reader.place(path)  # before anything is looked up
        return path if self._reader.known(path) else checked_new_path(path)

    def _current(self, files: WikiFiles, path: str, sha: str) -> ForgeFile | None:
        """The file, which has to be the caller's to change and the one that it saw."""
        there = files.read(path)
        if there is not None and self._caller.role < Role.ADMIN:
            creator = files.creator(path)
            if creator is None or creator.email != self._author.email:
                raise ForbiddenError("this page is somebody else's: an admin may change it")
        if (there.sha if there else "") == sha:
            return there
        if there is None:
            raise ForgeConflictError(f"{path} is not there any more")
        if not sha:
            raise ForgeConflictError(f"{path} is there already: read it, and send its sha to edit")
        raise ForgeConflictError(
            f"{path} was changed by somebody else: its blob is {there.sha} now; read it again"
        )

    def _require_alone(self, files: WikiFiles, path: str) -> None:
        """Refuse a new page of whose name and another's some checkouts keep one only."""
        folder, _, name = path.rpartition("/")
        beside = {
            f"{folder}/{other}" if folder else other
            for other in files.names_beside(path)
            if collision_key(other) == collision_key(name)
        }
        if alike := sorted(self._reader.look_alikes(path) | (beside - {path})):
            raise ForgeConflictError(
                f"{path} differs from {alike[0]!r} only by case or by how accents are composed: "
                "some systems would lose one of them"
            )
