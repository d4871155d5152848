"""Refreshes and first openings that fail: the old version goes on, and health says so."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from index_artifacts.errors import (
    EdgewikiError,
    IntegrityError,
    NotFoundError,
    UnavailableError,
)
from index_artifacts.version_store import blob_key, channel_key, manifest_key
from tests.functions.conftest import KEY, TTL, Clock, Watched, publish_next
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings
    from functions.state import State
    from index_artifacts.artifact import Artifact


def take_down(store: Watched, artifact: Artifact) -> None:  # noqa: ARG001
    store.down = True


def alter_blob(store: Watched, artifact: Artifact) -> None:
    (store.folder / blob_key(artifact.manifest.file("index.sqlite").sha256)).write_bytes(b"no")


def remove_manifest(store: Watched, artifact: Artifact) -> None:
    (store.folder / manifest_key(artifact.manifest.version)).unlink()


def scribble_pointer(store: Watched, artifact: Artifact) -> None:  # noqa: ARG001
    (store.folder / channel_key("latest")).write_bytes(b"{}")


def remove_channel(store: Watched, artifact: Artifact) -> None:  # noqa: ARG001
    (store.folder / channel_key("latest")).unlink()


DAMAGES = [take_down, alter_blob, remove_manifest, scribble_pointer, remove_channel]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_failed_refresh_keeps_the_old_version_and_recovers(
    state: State,
    store: Watched,
    clock: Clock,
    tmp_path: Path,
    damage: Callable[[Watched, Artifact], None],
) -> None:
    old = state.version()
    damage(store, publish_next(store, tmp_path))
    clock.now += TTL
    assert state.version() is old
    assert state.refresh_error
    store.asked.clear()
    assert state.version() is old  # and the broken store is left alone for a while
    assert store.asked == []

    store.down = False
    shutil.rmtree(store.folder / "objects")
    (store.folder / channel_key("latest")).unlink(missing_ok=True)
    for manifest in (store.folder / "versions").glob("*/manifest.json"):
        manifest.unlink()
    mended = publish_next(store, tmp_path, "mended")
    clock.now += TTL
    assert state.version().name == mended.manifest.version
    assert state.refresh_error == ""


def test_even_an_unforeseen_failure_keeps_the_old_version(
    state: State, store: Watched, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = state.version()
    publish_next(store, tmp_path)

    def fail(artifact: Artifact) -> None:
        raise sqlite3.DatabaseError(f"no such table in {artifact.index}")

    with monkeypatch.context() as patched:
        patched.setattr("functions.state.Index", fail)
        clock.now += TTL
        assert state.version() is old
        assert "no such table" in state.refresh_error
    clock.now += TTL
    assert state.version() is not old


def test_health_says_that_a_refresh_failed_and_searches_go_on(
    state: State, store: Watched, clock: Clock, settings: Callable[..., Settings]
) -> None:
    app = create_local_app(settings(store=store.url))
    app.state.version_state = state
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        assert client.get("/health").json()["status"] == "ok"
        store.down = True
        clock.now += TTL
        answer = client.get("/search?q=printer")
        assert (answer.status_code, answer.json()["status"]) == (200, "ok")
        health = client.get("/health")
        assert (health.status_code, health.json()["status"]) == (200, "degraded")
        assert health.json()["reason"] == "the last refresh failed; the version before it is served"
        assert "down" not in health.text  # the log knows why
        store.down = False
        clock.now += TTL
        assert client.get("/health").json()["status"] == "ok"


def test_a_first_failure_is_503_until_there_is_something_to_serve(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    app = create_local_app(settings(store=f"file://{tmp_path / 'later'}"))
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        for _ in range(2):
            answer = client.get("/search?q=printer")
            assert answer.status_code == 503
            assert answer.json() == {
                "status": "unavailable",
                "reason": "no version is published yet",
            }
        health = client.get("/health")
        assert (health.status_code, health.json()["status"]) == (503, "unavailable")
        assert str(tmp_path) not in health.text
        build_and_publish(tmp_path / "later", tmp_path)
        assert client.get("/search?q=printer").json()["status"] == "ok"
        assert client.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (take_down, UnavailableError),
        (alter_blob, IntegrityError),
        (remove_manifest, NotFoundError),
        (scribble_pointer, IntegrityError),
        (remove_channel, NotFoundError),
    ],
)
def test_a_first_opening_raises_what_is_wrong(
    state: State,
    store: Watched,
    tmp_path: Path,
    damage: Callable[[Watched, Artifact], None],
    expected: type[EdgewikiError],
) -> None:
    damage(store, publish_next(store, tmp_path))
    with pytest.raises(expected):
        state.version()
    assert state.opened == 0
