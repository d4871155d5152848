"""A sync function over a store of its own, a forge that is played, and a clock that is set."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.app import create_app
from functions.settings import Settings
from functions.sync.routes import BODY_LIMITS, router
from functions.sync.service import SyncService
from tests.functions.sync.pushed_wiki import Wiki
from tests.keys import entry, ring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SYNC_KEY = "sync-key-of-the-tests-0123456789abcdef"
ADMIN_KEY = "admin-key-of-the-tests-0123456789abcde"
GUEST_KEY = "guest-key-of-the-tests-0123456789abcde"
GITHUB_SECRET = "github-secret-of-the-tests-0123456789abc"
GITEA_SECRET = "gitea-secret-of-the-tests-0123456789abcd"
SECRETS = {"github": GITHUB_SECRET, "gitea": GITEA_SECRET}
KEYS = ring(entry(ADMIN_KEY, "root", "admin"), entry(GUEST_KEY, "reader", "guest"))
START = 1_770_000_000.0
REVISION = "8f14e45fceea167a5a36dedd4bea2543aa3d1c5e"
TOML = '[wiki]\nlanguages = ["en"]\n[model]\nkind = "cooccurrence"\n'
NO_COMMIT = "0" * 40


class Clock:
    """The wall clock, standing still until it is moved."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class PlayedForge:
    """A forge that only starts workflows, and that may refuse to."""

    def __init__(self) -> None:
        self.started: list[dict[str, str]] = []
        self.trouble: Exception | None = None

    def start_workflow(self, inputs: Mapping[str, str]) -> None:
        if self.trouble:
            raise self.trouble
        self.started.append(dict(inputs))

    @property
    def job_ids(self) -> list[str]:
        return [inputs["job"] for inputs in self.started]


@pytest.fixture
def sync_settings(tmp_path: Path) -> Callable[..., Settings]:
    """Make settings of a sync function; keyword arguments replace any of them."""

    def make(**fields: Any) -> Settings:
        defaults = {
            "store": f"file://{tmp_path / 'store'}",
            "cache_dir": tmp_path / "cache",
            "api_keys": KEYS,
            "sync_key": SYNC_KEY,
            "webhook_secret_github": GITHUB_SECRET,
            "webhook_secret_gitea": GITEA_SECRET,
            "forge": "github",
            "forge_repository": "Noll/Wiki",
        }
        return Settings(**{**defaults, **fields})

    return make


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def forge() -> PlayedForge:
    return PlayedForge()


@pytest.fixture
def sync(sync_settings: Callable[..., Settings], clock: Clock, forge: PlayedForge) -> SyncService:
    return SyncService(sync_settings(), clock=clock, forge=lambda _: forge)


@pytest.fixture
def client(sync: SyncService) -> TestClient:
    """A client of the sync function, with no key; a bug is answered with 500."""
    return client_of(sync)


@pytest.fixture
def built_wiki(tmp_path: Path, sync_settings: Callable[..., Settings]) -> Wiki:
    """A wiki that builds in a moment."""
    wiki = Wiki(tmp_path, sync_settings)
    wiki.push({"edgewiki.toml": TOML, "server.md": "# Server\n\nThe server hums all night.\n"})
    wiki.pull()
    return wiki


@pytest.fixture
def local(built_wiki: Wiki, sync_settings: Callable[..., Settings]) -> Callable[..., Settings]:
    """Make settings of a local runner of that wiki."""

    def make(**fields: Any) -> Settings:
        defaults = {
            "sync_runner": "local",
            "wiki_dir": built_wiki.clone,
            "git_origin": built_wiki.url,
        }
        return sync_settings(**{**defaults, **fields})

    return make


def client_of(sync: SyncService) -> TestClient:
    app = create_app(router, settings=sync.settings, body_limits=BODY_LIMITS)
    app.state.sync = sync
    return TestClient(app, raise_server_exceptions=False)


def push(**fields: Any) -> dict[str, Any]:
    """The payload of a push to the branch that is built, as far as anybody reads it."""
    return {
        "ref": "refs/heads/main",
        "before": "1" * 40,
        "after": REVISION,
        "repository": {"full_name": "noll/wiki"},
        "pusher": {"name": "ada", "email": "ada@example.org"},
        **fields,
    }


def signature(body: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def github(body: bytes, delivery: str = "d-1", **more: str) -> dict[str, str]:
    """The headers of GitHub for ``body``; those named in ``more`` replace them."""
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": delivery,
        "X-Hub-Signature-256": f"sha256={signature(body, GITHUB_SECRET)}",
        **{name.replace("_", "-"): value for name, value in more.items()},
    }


def sent(payload: Any) -> bytes:
    return json.dumps(payload).encode()


def with_sync_key() -> dict[str, str]:
    return {"X-API-Key": SYNC_KEY}
