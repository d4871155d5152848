"""What a forge's CI tells a job of itself: GitHub Actions, and Gitea's and Forgejo's, alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

PULL_REQUEST = "pull_request"


@dataclass(frozen=True, slots=True)
class ForgeRun:
    """One run of a workflow; everything is empty outside of a forge's CI.

    ``pull_request`` is its number, ``closed`` whether this run is about its end, ``url`` the page
    of the run. ``outputs`` and ``summary`` are the files that the forge reads afterwards.
    """

    pull_request: int | None = None
    closed: bool = False
    url: str = ""
    outputs: Path | None = None
    summary: Path | None = None

    @property
    def preview(self) -> str | None:
        """The channel that shows the pull request, None where the run is of none."""
        return None if self.pull_request is None else f"preview-{self.pull_request}"

    def write_outputs(self, **values: str | int) -> None:
        """Let later steps read ``values`` as outputs of this one."""
        _append(self.outputs, "".join(f"{name}={value}\n" for name, value in values.items()))

    def write_summary(self, lines: list[str]) -> None:
        """Show Markdown on the page of the run."""
        _append(self.summary, "\n".join([*lines, ""]))


def read_run(environ: Mapping[str, str]) -> ForgeRun:
    """Read what the environment says of the run.

    Raises `ConfigError` for a pull request from a fork, whose pages and settings are a
    stranger's and must not meet the store's credentials, and where the event cannot be read.
    """
    event = _read_event(environ)
    number = None
    if environ.get("GITHUB_EVENT_NAME") == PULL_REQUEST:
        number = _number(event)
        _refuse_fork(event, environ.get("GITHUB_REPOSITORY", ""))
    return ForgeRun(
        pull_request=number,
        closed=number is not None and event.get("action") == "closed",
        url=_url(environ),
        outputs=_path(environ, "GITHUB_OUTPUT"),
        summary=_path(environ, "GITHUB_STEP_SUMMARY"),
    )


def _read_event(environ: Mapping[str, str]) -> dict[str, Any]:
    path = _path(environ, "GITHUB_EVENT_PATH")
    if path is None or not path.is_file():
        return {}
    try:
        event = json.loads(path.read_bytes())
    except ValueError as error:
        raise ConfigError(f"{path}, named by GITHUB_EVENT_PATH, is not JSON: {error}") from None
    return event if isinstance(event, dict) else {}


def _number(event: dict[str, Any]) -> int:
    number = event.get("number") or event.get(PULL_REQUEST, {}).get("number")
    if not isinstance(number, int):
        raise ConfigError("the event of this pull request names no number: is it one of a forge?")
    return number


def _refuse_fork(event: dict[str, Any], repository: str) -> None:
    head = event.get(PULL_REQUEST, {}).get("head", {}).get("repo") or {}
    if head.get("full_name") != repository:
        raise ConfigError(
            f"this pull request comes from {head.get('full_name') or 'a deleted fork'}, not from "
            f"{repository}: a fork's pages are never published; copy the job's `if` from infra/ci"
        )


def _url(environ: Mapping[str, str]) -> str:
    # Gitea counts the runs of a repository in its addresses, GitHub all runs there are.
    number = "GITHUB_RUN_NUMBER" if environ.get("GITEA_ACTIONS") else "GITHUB_RUN_ID"
    parts = [environ.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", number)]
    return "{}/{}/actions/runs/{}".format(*parts) if all(parts) else ""


def _path(environ: Mapping[str, str], name: str) -> Path | None:
    return Path(environ[name]) if environ.get(name) else None


def _append(path: Path | None, text: str) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
