"""Asking for a new version after an edit.

Functions do not know each other. Whoever puts an app together sets ``app.state.request_sync``;
without it, the forge's webhook or the workflow that runs on a push rebuilds the wiki.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from fastapi import FastAPI

    from functions.settings import Settings

logger = logging.getLogger("edgewiki")


class Ticket(Protocol):
    """A job that was asked for."""

    @property
    def job_id(self) -> str: ...
    @property
    def status_url(self) -> str: ...


class RequestSync(Protocol):
    """Asks for a version that holds ``revision``."""

    def __call__(
        self, settings: Settings, *, reason: str, revision: str, requested_by: str
    ) -> Ticket: ...


@dataclass(frozen=True, slots=True)
class Rebuild:
    """What became of asking; ``reason`` says why there is no job."""

    job_id: str = ""
    status_url: str = ""
    reason: str = ""


def ask_for_rebuild(app: FastAPI, *, reason: str, revision: str, requested_by: str) -> Rebuild:
    """Ask for a version with a commit that was just made. Never raises: the commit stands."""
    request_sync: RequestSync | None = getattr(app.state, "request_sync", None)
    if request_sync is None:
        return Rebuild(reason="no sync function: the forge's own workflow or webhook rebuilds")
    try:
        ticket = request_sync(
            app.state.settings, reason=reason, revision=revision, requested_by=requested_by
        )
    except Exception as error:  # whatever it is, the edit is made and has to be answered so
        logger.warning("no rebuild could be asked for: %s", error)
        return Rebuild(reason="committed, but no rebuild could be asked for; see the log")
    return Rebuild(ticket.job_id, ticket.status_url)
