"""A repository behind the API that GitHub has and that Gitea and Forgejo modelled theirs on.

A change carries the hash of the blob that it replaces. So it can be sent again where no answer
came: had the first one been made, the second is refused, and a look at the history tells whose
commit it was that came first.
"""

from __future__ import annotations

import base64
import binascii
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from functions.forge import Author, Commit, ForgeFile
from functions.forge.exchange import Exchange, Failure
from index_artifacts.errors import ForgeConflictError, ForgeError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from functions.forge.exchange import Reply

_LOOKED_AT = 10
"""Commits of a file that are searched for one whose answer was lost."""
_CREATION_WITHIN = 50
"""Commits of a file that are searched for the one that brought it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file. No content removes it; an empty ``sha`` is for a new file."""

    path: str
    content: bytes | None
    sha: str
    message: str
    author: Author

    def body(self, branch: str) -> dict[str, Any]:
        """As both APIs want it. The committer is whoever the token belongs to."""
        author = {"name": self.author.name, "email": self.author.email}
        body: dict[str, Any] = {"message": self.message, "branch": branch, "author": author}
        if self.content is not None:
            body["content"] = base64.b64encode(self.content).decode()
        if self.sha:
            body["sha"] = self.sha
        return body


@dataclass(frozen=True, slots=True)
class PathCommit:
    """A commit that changed a file. ``raw`` is what the API told of it."""

    sha: str
    message: str
    author: Author
    url: str
    raw: Mapping[str, Any]


class ForgeRepository(ABC):
    """A `Forge`. Where the two APIs differ, a subclass decides."""

    def __init__(self, exchange: Exchange, repository: str, branch: str, workflow: str) -> None:
        self._api, self._branch, self._workflow = exchange, branch, workflow
        self._name, self._root = repository, f"/repos/{repository}"

    @abstractmethod
    def _method(self, change: Change) -> str:
        """The HTTP method that makes ``change``."""

    @abstractmethod
    def _large(self, file: Mapping[str, Any], revision: str) -> bytes:
        """The content of a file that was listed without it, for its size."""

    @abstractmethod
    def _page(self) -> tuple[int, Mapping[str, str]]:
        """How many commits are listed at once, and the query parameters for it."""

    @abstractmethod
    def _came(self, commit: PathCommit, path: str) -> bool | None:
        """Whether ``commit`` brought ``path``, not there before; None where it cannot be told."""

    def read(self, path: str, revision: str = "") -> ForgeFile | None:
        """The file at ``path`` on the branch, or in a commit; None where there is none."""
        found = self._contents(path, revision)
        if found is None:
            return None
        if not isinstance(found, dict) or found.get("type") != "file":
            raise ForgeConflictError(f"{path} is no file in the repository: a folder or a link")
        sha, content = text_of(found, "sha"), self._content(found, revision)
        return ForgeFile(path, sha, content)

    def names(self, folder: str) -> frozenset[str]:
        """What lies in ``folder`` on the branch, files and folders; empty for no such folder."""
        found = self._contents(folder, "")
        return (
            frozenset(text_of(e, "name") for e in found) if isinstance(found, list) else frozenset()
        )

    def write(
        self, path: str, content: bytes, *, message: str, author: Author, sha: str = ""
    ) -> Commit:
        """Create the file, or replace the one whose blob is ``sha``."""
        return self._make(Change(path, content, sha, message, author))

    def delete(self, path: str, *, message: str, author: Author, sha: str) -> Commit:
        """Remove the file whose blob is ``sha``."""
        return self._make(Change(path, None, sha, message, author))

    def creator(self, path: str) -> Author | None:
        """The author of the commit that brought ``path``, None where that cannot be told."""
        commits, whole = self._commits(path)
        if whole and len({commit.author.email for commit in commits}) == 1:
            return commits[0].author
        for commit in commits[:_CREATION_WITHIN]:
            came = (whole and commit is commits[-1]) or self._came(commit, path)
            if came is not False:
                return commit.author if came else None
        return None

    def start_workflow(self, inputs: Mapping[str, str]) -> None:
        """Start the workflow on the branch with ``inputs``."""
        reply = self._api.repeat(
            "POST",
            f"{self._root}/actions/workflows/{quote(self._workflow, safe='')}/dispatches",
            body={"ref": self._branch, "inputs": dict(inputs)},
        )
        if reply.ok:
            return
        if reply.status == 404:
            self._require_branch()
        raise ForgeError(
            f"the forge cannot start the workflow {self._workflow} ({reply.status}: {reply.words}):"
            " see EDGEWIKI_FORGE_WORKFLOW; its file needs `on: workflow_dispatch` with these "
            f"inputs: {', '.join(inputs) or 'none'}"
        )

    def _make(self, change: Change) -> Commit:
        retries, unsure = self._api.retries(), False
        address = self._address(change.path)
        while True:
            try:
                reply = self._api.once(
                    self._method(change), address, retries.deadline, body=change.body(self._branch)
                )
            except Failure as failure:
                unsure |= failure.sent
                if unsure and (made := self._made(change)):
                    return made
                retries.wait(_with_doubt(failure) if unsure else failure)
                continue
            if reply.ok:
                return _made_commit(reply)
            if unsure and (made := self._made(change)):
                return made
            self._refuse_unless_race(change, reply)
            retries.wait(Failure("is busy with other commits", sent=False))

    def _made(self, change: Change) -> Commit | None:
        """The commit of ``change``, where it was made after all.

        Commits are looked at from the newest back to where the file was as the change expects
        it: the same change may have been made long before, and undone.
        """
        for commit in self._commits(change.path)[0][:_LOOKED_AT]:
            file = self.read(change.path, commit.sha)
            if (file.sha if file else "") == change.sha:
                return None
            same = (file.content if file else None) == change.content
            ours = (commit.message.strip(), commit.author.email) == (
                change.message.strip(),
                change.author.email,
            )
            if same and ours:
                return Commit(commit.sha, file.sha if file else "", commit.url)
        return None

    def _refuse_unless_race(self, change: Change, reply: Reply) -> None:
        """Raise, but where only the branch moved on and the file is what the change expects."""
        file = self.read(change.path)
        there = file.sha if file else ""
        if there != change.sha:
            is_now = f"its blob is {there} now" if there else "it is not there now"
            raise ForgeConflictError(
                f"{change.path} was changed by somebody else: {is_now}; read it again"
            )
        if reply.status == 404:
            raise ForgeError(
                f"{self._name} is there, but EDGEWIKI_FORGE_TOKEN may not write to it (404)"
            )
        if reply.status != 409:
            raise ForgeError(
                f"the forge refuses the change of {change.path} ({reply.status}: {reply.words})"
            )

    def _commits(self, path: str) -> tuple[list[PathCommit], bool]:
        """Commits that changed ``path``, newest first, and whether these are all."""
        size, paging = self._page()
        parameters = {"sha": self._branch, "path": path, **paging}
        reply = self._api.get(f"{self._root}/commits", parameters)
        if reply.status == 404:
            self._require_branch()
            return [], True
        listed = checked(reply)
        if not isinstance(listed, list):
            raise ForgeError("the forge answered something else than a list of commits")
        # An administrator may allow fewer at once than were asked for.
        more = len(listed) >= size or 'rel="next"' in reply.headers.get("link", "")
        return [_path_commit(entry) for entry in listed], not more

    def _contents(self, path: str, revision: str) -> Any:
        reply = self._api.get(self._address(path), {"ref": revision or self._branch})
        if reply.status == 404:
            self._require_branch()
            return None
        return checked(reply)

    def _content(self, file: Mapping[str, Any], revision: str) -> bytes:
        if file.get("encoding") != "base64" or (file.get("size") and not file.get("content")):
            return self._large(file, revision)
        try:
            return base64.b64decode(text_of(file, "content"))
        except binascii.Error:
            raise ForgeError("the forge sent a file that is no base64") from None

    def _require_branch(self) -> None:
        """Raise `ForgeError` where not only a file is missing."""
        if self._api.get(f"{self._root}/branches/{quote(self._branch, safe='/')}").ok:
            return
        raise ForgeError(
            f"the forge has no branch {self._branch} of {self._name}, or does not show it: see "
            "EDGEWIKI_FORGE_REPOSITORY, EDGEWIKI_FORGE_BRANCH and EDGEWIKI_FORGE_TOKEN"
        )

    def _address(self, path: str) -> str:
        """Where the API has the file, whose path may lead nowhere else."""
        if any(part in {".", ".."} for part in path.split("/")):
            raise ForgeError(f"{path!r} is no path in a repository")
        return f"{self._root}/contents/{quote(path, safe='/')}".rstrip("/")


def checked(reply: Reply) -> Any:
    """What the forge answered; raises `ForgeError` where it refused."""
    if not reply.ok:
        raise ForgeError(f"the forge answered {reply.status}: {reply.words}")
    return reply.data()


def _with_doubt(failure: Failure) -> Failure:
    cause = f"{failure.cause}, so whether the change was made is not known"
    return Failure(cause, sent=failure.sent, asked=failure.asked)


def _made_commit(reply: Reply) -> Commit:
    data = reply.data()
    if not isinstance(data, dict) or not isinstance(data.get("commit"), dict):
        raise ForgeError("the forge answered a change without its commit")
    commit, content = data["commit"], data.get("content")
    blob = text_of(content, "sha") if isinstance(content, dict) else ""
    return Commit(text_of(commit, "sha"), blob, str(commit.get("html_url") or ""))


def _path_commit(entry: Any) -> PathCommit:
    try:
        commit, author = entry["commit"], entry["commit"]["author"] or {}
        return PathCommit(
            str(entry["sha"]),
            str(commit["message"]),
            Author(str(author.get("name", "")), str(author.get("email", ""))),
            str(entry.get("html_url") or ""),
            entry,
        )
    except (LookupError, TypeError, AttributeError):
        raise ForgeError("the forge answered a commit that nobody understands") from None


def brought(files: Any, path: str, words: Collection[str]) -> bool | None:
    """Whether a commit with these ``files`` brought ``path``, as one of ``words`` says."""
    for file in files if isinstance(files, list) else ():
        if isinstance(file, dict) and file.get("filename") == path and file.get("status"):
            return file["status"] in words
    return None


def text_of(entry: Any, name: str) -> str:
    """A text in what the forge answered; raises `ForgeError`."""
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, str):
        raise ForgeError(f"the forge answered without {name!r}")
    return value
