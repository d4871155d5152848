"""The clone that a local runner builds: brought up to the forge's branch, or left as it is.

Nothing is forced and nothing is thrown away: where the clone is not what it should be, a
`SourceError` says so and the work tree stays as it was.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from index_artifacts.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from functions.settings import Settings
    from functions.sync.process import Ended

# What a clone may have set up for its users is not for a server: hooks, watchers, other
# transports, maintenance that outlives the command.
_SAFE = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.quotePath": "false",
    "protocol.ext.allow": "never",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "merge.autoStash": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_SHOWN = 3
# git@host:owner/name and its kin, which urlsplit does not know
_SCP = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>[^/].*)")


def git_environment(settings: Settings) -> dict[str, str]:
    """This process's environment without its ``GIT_*``, and with what makes Git safe here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    numbered = list(enumerate(_SAFE.items()))
    return {
        **kept,
        **{f"GIT_CONFIG_KEY_{number}": name for number, (name, _) in numbered},
        **{f"GIT_CONFIG_VALUE_{number}": value for number, (_, value) in numbered},
        "GIT_CONFIG_COUNT": str(len(numbered)),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_SSH_COMMAND": _ssh(settings),
    }


@dataclass(frozen=True, slots=True)
class Clone:
    """A work tree. ``run`` runs a command in `git_environment` and tells how it ended."""

    folder: Path
    settings: Settings
    run: Callable[[list[str], Mapping[str, str]], Ended]

    def pull(self) -> str:
        """Fast-forward to the forge's branch and return its commit. Raises `SourceError`."""
        self._require_origin()
        self._require_branch()
        self._require_clean()
        self._fetch()
        theirs = self._git("rev-parse", "--verify", "FETCH_HEAD^{commit}").strip()
        ours = self._git("rev-parse", "--verify", "HEAD^{commit}").strip()
        if ours != theirs:
            self._forward(ours, theirs)
        return theirs

    def _require_origin(self) -> None:
        origin = self._git("remote", "get-url", "origin").strip()
        if not _is_expected(origin, self.settings):
            expected = self.settings.git_origin or self.settings.forge_repository
            raise SourceError(
                f"{self.folder}: origin is {_shown(origin)}, not {expected or 'known'}: see "
                "EDGEWIKI_GIT_ORIGIN and EDGEWIKI_FORGE_REPOSITORY"
            )

    def _require_branch(self) -> None:
        wanted = f"refs/heads/{self.settings.forge_branch}"
        ended = self._ended("symbolic-ref", "--quiet", "HEAD")
        if ended.out.strip() != wanted:
            there = ended.out.strip().removeprefix("refs/heads/") or "no branch (a detached HEAD)"
            raise SourceError(
                f"{self.folder} is on {there}, not on {self.settings.forge_branch}: check that out"
            )

    def _require_clean(self) -> None:
        changed = [
            entry
            for entry in self._git(
                "status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=all"
            ).split("\0")
            if entry
        ]
        if changed:
            more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
            raise SourceError(
                f"{self.folder} is not clean ({', '.join(changed[:_SHOWN])}{more}): commit, "
                "ignore or remove what is there; nothing was touched"
            )

    def _fetch(self) -> None:
        """Fetch that one branch. A shallow clone becomes whole: it has no dates of pages."""
        shallow = self._git("rev-parse", "--is-shallow-repository").strip() == "true"
        self._git(
            "fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
            *(["--unshallow"] if shallow else []),
            "origin", f"refs/heads/{self.settings.forge_branch}",
        )  # fmt: skip

    def _forward(self, ours: str, theirs: str) -> None:
        if self._ended("merge-base", "--is-ancestor", ours, theirs).code:
            raise SourceError(
                f"{self.folder}: {ours[:12]} is no ancestor of origin's {theirs[:12]}: the branch "
                "was rewritten, or has commits of its own; nothing was touched: reset it by hand"
            )
        self._git("merge", "--quiet", "--ff-only", "--no-stat", theirs)

    def _git(self, *arguments: str) -> str:
        ended = self._ended(*arguments)
        if ended.code:
            said = " ".join(line for line in ended.said if line.strip())[-500:]
            raise SourceError(f"{self.folder}: git {arguments[0]} failed: {_shown(said)}")
        return ended.out

    def _ended(self, *arguments: str) -> Ended:
        command = ["git", "-C", str(self.folder), *arguments]
        # Its messages end up in a job's error.
        return self.run(command, {**git_environment(self.settings), "LC_ALL": "C"})


def _ssh(settings: Settings) -> str:
    options = ["BatchMode=yes", "StrictHostKeyChecking=yes"]
    if settings.git_ssh_key:
        # Unlike -i, this takes no other key where the file is missing.
        options += [f"IdentityFile={_file(settings.git_ssh_key)}", "IdentitiesOnly=yes"]
    if settings.git_known_hosts:
        options += [f"UserKnownHostsFile={_file(settings.git_known_hosts)}"]
        options += ["GlobalKnownHostsFile=/dev/null"]
    return shlex.join(["ssh", *(word for option in options for word in ("-o", option))])


def _file(path: Path) -> str:
    """A file's name as ssh reads it: split at spaces, with %h and the like filled in."""
    return '"' + str(path.absolute()).replace("%", "%%") + '"'


def _is_expected(origin: str, settings: Settings) -> bool:
    """Whether this is the address that the settings give, or the forge's repository."""
    if settings.git_origin:
        return origin == settings.git_origin
    found, host = _host_and_path(origin), urlsplit(settings.forge_api).hostname
    host = "github.com" if host == "api.github.com" else host
    return bool(settings.forge) and found == (host, settings.forge_repository.casefold())


def _host_and_path(origin: str) -> tuple[str | None, str]:
    scp = _SCP.fullmatch(origin) if "://" not in origin else None
    if scp:
        host, path = scp["host"].lower(), scp["path"]
    else:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return None, ""
        host, path = parts.hostname or "", parts.path
    return host, path.strip("/").removesuffix(".git").casefold()


def _shown(text: str) -> str:
    """Without the user and password that an address may hold."""
    return re.sub(r"(\w+://)[^@/\s]+@", r"\1", text)
