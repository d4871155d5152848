"""What a webhook says: a push to the branch that is built, or something that needs no build."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from functions.sync.jobs import Request
from index_artifacts.errors import QueryError

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from functions.settings import Settings

MAX_BYTES = 6 << 20
"""A webhook's body. Lambda takes no larger event; GitHub itself sends up to 25 MB, but a push
names 2,048 commits at most, and who sends is not known before all of it was read."""

OLDEST_SECONDS = 3 * 24 * 3600
"""A push that GitHub dates before this is no news: by then it has no way to send it again."""

_NAMES = {"github": ("github",), "gitea": ("gitea", "forgejo", "gogs")}
_BRANCH = "refs/heads/"
_NO_COMMIT = frozenset("0")
_REVISION = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Ignored:
    """A webhook that starts no job, and why."""

    reason: str


def read_webhook(
    forge: str, headers: Headers, payload: bytes, settings: Settings, now: float
) -> Request | Ignored:
    """Understand a webhook whose signature is right. Raises `QueryError` where it is none."""
    event = _header(forge, headers, "event")
    if not event:
        raise QueryError(f"X-{forge.title()}-Event is missing")
    if event == "ping":
        return Ignored("the webhook is set up: a ping needs no build")
    if event != "push":
        return Ignored(f"the event {event[:64]!r} needs no build; only push does")
    push = _object(payload)
    if why_not := _why_no_build(push, settings, now):
        return Ignored(why_not)
    revision = _text(push, "after")
    if not _REVISION.fullmatch(revision):
        raise QueryError("the push's after is no commit")
    return Request(
        reason=f"push of {revision[:12]} to {settings.forge_branch}",
        revision=revision,
        requested_by=_pusher(push),
        deliveries=_digests(forge, headers, payload),
    )


def _why_no_build(push: dict[str, Any], settings: Settings, now: float) -> str:
    """Why this push needs no build; empty where it does."""
    repository = _object_in(push, "repository")
    name, ref, after = _text(repository, "full_name"), _text(push, "ref"), _text(push, "after")
    expected, branch = settings.forge_repository, settings.forge_branch
    if not expected:
        return "EDGEWIKI_FORGE_REPOSITORY is empty: no repository is built here"
    if name.casefold() != expected.casefold():  # a forge's names differ by more than case
        return "the push is to another repository"
    if not ref.startswith(_BRANCH):
        return "a tag, or another ref that is no branch, was pushed"
    if ref != _BRANCH + branch:
        return f"the push is to another branch than {branch}"
    if push.get("deleted") is True or set(after) <= _NO_COMMIT:
        return f"the branch {branch} was deleted; what is served stays"
    pushed_at = repository.get("pushed_at")  # GitHub's; Gitea sends no time of the push
    if isinstance(pushed_at, int | float) and pushed_at < now - OLDEST_SECONDS:
        return "the push is older than three days: a replay"
    return ""


def _digests(forge: str, headers: Headers, payload: bytes) -> tuple[str, ...]:
    """By what a delivery is known again: its id, and its content, since no id is signed."""
    given = _header(forge, headers, "delivery")
    named = [f"{forge} {given}".encode("latin-1", "replace")] if given else []
    return tuple(hashlib.sha256(each).hexdigest()[:32] for each in (*named, payload))


def _header(forge: str, headers: Headers, what: str) -> str:
    values = (headers.get(f"x-{name}-{what}", "").strip() for name in _NAMES[forge])
    return next((value for value in values if value), "")


def _pusher(push: dict[str, Any]) -> str:
    pusher = push.get("pusher")
    for name in ("login", "username", "name"):
        value = pusher.get(name) if isinstance(pusher, dict) else None
        if value and isinstance(value, str):
            return value.encode("utf-8", "replace").decode()[:100]
    return ""


def _object(payload: bytes) -> dict[str, Any]:
    try:
        push = json.loads(payload)
    except (ValueError, RecursionError):
        push = None
    if not isinstance(push, dict):
        raise QueryError("the webhook's payload is no JSON object")
    return push


def _object_in(push: dict[str, Any], name: str) -> dict[str, Any]:
    value = push.get(name)
    if not isinstance(value, dict):
        raise QueryError(f"the push has no {name}")
    return value


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise QueryError(f"the push has no {name}")
    return value
