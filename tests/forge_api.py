"""What GitHub and Gitea answer to the requests that edgewiki makes of them."""

from __future__ import annotations

import base64
import json
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.bare_repository import BRANCH, BareRepository, Entry, Logged, RacedError

if TYPE_CHECKING:
    from collections.abc import Callable

_LISTED_WITH_CONTENT = {"github": 1_000_000, "gitea": 10_000_000}
_WORDS = {"A": "added", "M": "modified", "D": "removed"}


@dataclass(frozen=True, slots=True)
class Call:
    """A request; ``path`` is decoded."""

    method: str
    path: str
    query: dict[str, str]
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; bytes go as they are, everything else as JSON, None as nothing."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)

    def bytes(self) -> bytes:
        """What is sent."""
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


NOT_FOUND = Answer(404, {"message": "Not Found"})


class ForgeApi(ABC):
    """What both have in common. ``web`` is where their pages for people begin."""

    kind = ""

    def __init__(self, repository: BareRepository, web: str) -> None:
        self.repository, self.web = repository, web
        self.most_at_once, self.most_files = 100, 300
        self.before_commit: Callable[[], object] | None = None
        """Called once, between reading the branch and writing it: another writer's moment."""

    def answer(self, rest: str, call: Call) -> Answer:
        """Answer a request for ``rest`` below the repository."""
        what, _, argument = rest.partition("/")
        if what == "contents":
            return self.contents(argument, call)
        if what == "branches" and argument == BRANCH and self.repository.head:
            return Answer(200, {"name": BRANCH, "commit": {"sha": self.repository.head}})
        if what == "commits" and not argument:
            return self.commits(call)
        return self.more(what, argument, call)

    @abstractmethod
    def more(self, what: str, argument: str, call: Call) -> Answer:
        """What only one of them has."""

    def contents(self, path: str, call: Call) -> Answer:
        """Read, create, replace or remove a file."""
        if call.method == "GET":
            return self.read(path, call.query.get("ref", BRANCH))
        if call.body.get("branch", BRANCH) != BRANCH:
            return NOT_FOUND
        head = self.repository.head
        there = self.repository.entry(head, path) if head else None
        if refusal := self.refusal(path, there, call):
            return refusal
        content = None if call.method == "DELETE" else base64.b64decode(call.body["content"])
        if hook := self.before_commit:
            self.before_commit = None
            hook()
        author = call.body.get("author") or {}
        who = {"GIT_AUTHOR_NAME": author["name"], "GIT_AUTHOR_EMAIL": author["email"]}
        try:
            made = self.repository.commit({path: content}, call.body["message"], parent=head, **who)
        except RacedError:
            return self.raced(head)
        except subprocess.CalledProcessError:  # such as .git/config
            return Answer(422, {"message": "path contains a malformed path component"})
        file = None if content is None else self.file(made, path)
        status = 201 if there is None else 200
        return Answer(status, {"content": file, "commit": self.made(made, path)})

    @abstractmethod
    def refusal(self, path: str, there: Entry | None, call: Call) -> Answer | None:
        """What is answered to a change that does not fit what is there."""

    @abstractmethod
    def raced(self, head: str) -> Answer:
        """What is answered where the branch moved on meanwhile."""

    def read(self, path: str, revision: str) -> Answer:
        """A file, or the list of a folder."""
        try:
            there = self.repository.entry(revision, path) if path else None
            if path and there is None:
                return NOT_FOUND
            if there is None or there.kind == "tree":
                listed = self.repository.entries(revision, f"{path}/" if path else "")
        except subprocess.CalledProcessError:  # no such revision
            return NOT_FOUND
        if there is not None and there.kind != "tree":
            return Answer(200, self.file(revision, path))
        kinds = {"tree": "dir", "blob": "file", "commit": "submodule"}
        names = [(e.name.rpartition("/")[2], kinds[e.kind], e) for e in listed]
        return Answer(
            200, [{"name": n, "path": e.name, "type": kind, "sha": e.sha} for n, kind, e in names]
        )

    def file(self, revision: str, path: str) -> dict[str, Any]:
        """A file with its content, where it is not too large for that."""
        entry = self.repository.entry(revision, path)
        assert entry is not None
        data = self.repository.blob(entry.sha)
        found = {"type": "symlink" if entry.mode == "120000" else "file", "path": path,
                 "name": path.rpartition("/")[2], "sha": entry.sha, "size": len(data)}  # fmt: skip
        if len(data) > _LISTED_WITH_CONTENT[self.kind]:
            return {**found, "encoding": "none", "content": ""}
        encoded = base64.encodebytes(data) if self.kind == "github" else base64.b64encode(data)
        return {**found, "encoding": "base64", "content": encoded.decode()}

    def made(self, sha: str, path: str) -> dict[str, Any]:
        """A commit that was just made."""
        logged = self.repository.log(path, sha, 1)[0]
        return {"sha": sha, "html_url": f"{self.web}/commit/{sha}", "message": logged.message}

    def commits(self, call: Call) -> Answer:
        """The commits of a path, a page of them."""
        asked = int(call.query.get("per_page") or call.query.get("limit") or 30)
        size = min(asked, self.most_at_once)
        page = int(call.query.get("page", 1))
        if call.query.get("sha", BRANCH) != BRANCH:
            return NOT_FOUND
        logged = self.repository.log(call.query.get("path", ""))
        link = (
            {"Link": f'<{self.web}?page={page + 1}>; rel="next"'}
            if page * size < len(logged)
            else {}
        )
        chosen = logged[(page - 1) * size : page * size]
        return Answer(200, [self.commit(c) for c in chosen], link)

    def commit(self, logged: Logged) -> dict[str, Any]:
        """A commit as a list of commits has it."""
        author = {"name": logged.author, "email": logged.email, "date": logged.date}
        return {
            "sha": logged.sha,
            "html_url": f"{self.web}/commit/{logged.sha}",
            "commit": {"message": logged.message, "author": author},
        }

    def changes(self, sha: str) -> list[dict[str, str]]:
        """The files that a commit changed."""
        changed = self.repository.changed(sha)
        files = [{"filename": path, "status": _WORDS[word]} for path, word in changed.items()]
        return files[: self.most_files]


class GitHubApi(ForgeApi):
    """GitHub's."""

    kind = "github"

    def more(self, what: str, argument: str, _: Call) -> Answer:
        """Blobs, and commits with their files."""
        if what == "git" and argument.startswith("blobs/"):
            data = self.repository.blob(argument.removeprefix("blobs/"))
            return Answer(200, {"encoding": "base64", "content": base64.b64encode(data).decode()})
        if what == "commits":
            logged = self.repository.log("", argument, 1)[0]
            return Answer(200, {**self.commit(logged), "files": self.changes(argument)})
        return NOT_FOUND

    def refusal(self, path: str, there: Entry | None, call: Call) -> Answer | None:
        """409 for another blob, 422 for none given."""
        given = call.body.get("sha", "")
        if call.method == "DELETE" and there is None:
            return NOT_FOUND
        if there is not None and not given:
            return Answer(422, {"message": 'Invalid request.\n\n"sha" wasn\'t supplied.'})
        if given != (there.sha if there else ""):
            return Answer(409, {"message": f"{path} does not match {given}"})
        return None

    def raced(self, head: str) -> Answer:
        """409, as for a file."""
        return Answer(409, {"message": f"is at {self.repository.head} but expected {head}"})


class GiteaApi(ForgeApi):
    """Gitea's and Forgejo's."""

    kind = "gitea"

    def more(self, what: str, argument: str, call: Call) -> Answer:
        """Files as they are."""
        if what == "raw":
            data = self.repository.show(argument, call.query.get("ref", BRANCH))
            return NOT_FOUND if data is None else Answer(200, data)
        return NOT_FOUND

    def refusal(self, path: str, there: Entry | None, call: Call) -> Answer | None:
        """422 for another blob and for a file that is there, 404 for one that is not."""
        if call.method == "POST":
            words = f"repository file already exists [path: {path}]"
            return Answer(422, {"message": words}) if there else None
        if there is None:
            return Answer(404, {"message": f"repository file does not exist [path: {path}]"})
        given = call.body.get("sha", "")
        if given != there.sha:
            words = f"sha does not match [given: {given}, expected: {there.sha}]"
            return Answer(422, {"message": words})
        return None

    def raced(self, head: str) -> Answer:
        """500: its push was refused."""
        return Answer(500, {"message": f"PushOutOfDate: {head}"})

    def commit(self, logged: Logged) -> dict[str, Any]:
        """With the files, as ``files=true`` asks."""
        return {**super().commit(logged), "files": self.changes(logged.sha)}
