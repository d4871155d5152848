"""The forge that keeps the wiki: its files, its commits, and its workflows.

What is written is a commit, made through the forge's API on the branch that is built. The blob's
hash that a caller saw goes along, so that nobody's edit is lost: `ForgeConflictError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Author:
    """Whom a commit is by."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class ForgeFile:
    """A file on the branch; ``sha`` is its blob's."""

    path: str
    sha: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that was made. ``blob`` is the new blob's hash, empty where a file was removed."""

    sha: str
    blob: str
    url: str


class Forge(Protocol):
    """What edgewiki asks of a forge. Every method raises a `ForgeError`."""

    def read(self, path: str, revision: str = "") -> ForgeFile | None:
        """The file at ``path`` on the branch, or in a commit; None where there is none."""

    def names(self, folder: str) -> frozenset[str]:
        """What lies in ``folder`` on the branch, files and folders; empty for no such folder."""

    def write(
        self, path: str, content: bytes, *, message: str, author: Author, sha: str = ""
    ) -> Commit:
        """Create the file, or replace the one whose blob is ``sha``."""

    def delete(self, path: str, *, message: str, author: Author, sha: str) -> Commit:
        """Remove the file whose blob is ``sha``."""

    def creator(self, path: str) -> Author | None:
        """The author of the commit that brought ``path``, None where that cannot be told.

        A file that was removed and came again is its second author's.
        """

    def start_workflow(self, inputs: Mapping[str, str]) -> None:
        """Start the workflow on the branch with ``inputs``. It may start twice, rarely: where the
        forge's answer was lost.
        """
