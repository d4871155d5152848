"""The version that a process holds: opened once, refreshed rarely, never lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from build.publish import publish
from eval.editions import make_editions
from functions.local import create_local_app
from functions.state import State
from index_artifacts.artifact import fetch_channel
from index_artifacts.errors import (
    ConfigError,
    SignatureError,
)
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import blob_key, channel_key, read_pointer
from tests.functions.conftest import KEY, TTL, Clock, Watched, publish_next
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings


def test_many_requests_open_the_version_once(state: State, store: Watched) -> None:
    first = state.version()
    asked = list(store.asked)
    assert all(state.version() is first for _ in range(20))
    assert store.asked == asked
    assert state.opened == 1


def test_the_pointer_is_checked_once_in_a_while_by_a_conditional_get(
    state: State, store: Watched, clock: Clock
) -> None:
    first = state.version()
    store.asked.clear()
    for _ in range(5):
        clock.now += TTL / 5 - 0.001
        state.version()
    assert store.asked == []
    for _ in range(3):
        clock.now += TTL
        assert state.version() is first
        assert state.version() is first
    assert store.asked == [f"if-changed {channel_key('latest')}"] * 3
    assert state.opened == 1


def test_a_new_version_is_served_after_its_time(
    state: State, store: Watched, clock: Clock, tmp_path: Path
) -> None:
    old = state.version()
    artifact = publish_next(store, tmp_path)
    assert state.version() is old
    clock.now += TTL
    assert state.version().name == artifact.manifest.version
    assert state.version().searcher.index.chunk_count == old.searcher.index.chunk_count + 1
    assert (state.opened, state.refresh_error) == (2, "")


def test_only_what_changed_is_downloaded(
    state: State, store: Watched, clock: Clock, tmp_path: Path
) -> None:
    state.version()
    artifact = publish_next(store, tmp_path)
    store.asked.clear()
    clock.now += TTL
    state.version()
    downloads = {line.split()[1] for line in store.asked if line.startswith("download")}
    assert blob_key(artifact.manifest.file("index.sqlite").sha256) in downloads
    assert blob_key(artifact.manifest.file("graph.pickle").sha256) not in downloads


def test_an_open_encoder_is_handed_on_where_the_model_stays(
    state: State, store: Watched, clock: Clock, tmp_path: Path
) -> None:
    old = state.version()
    encoder = old.encoder()
    whole = fetch_channel(store, "latest", tmp_path / "whole")
    (edition,) = make_editions(whole, tmp_path / "editions", 1)
    publish(edition.folder, store)
    clock.now += TTL
    new = state.version()
    assert new.name == edition.manifest.version
    assert new.encoder.opened
    assert new.encoder() is encoder


def test_another_encoder_is_open_before_its_version_is_served(
    state: State, store: Watched, clock: Clock, tmp_path: Path
) -> None:
    encoder = state.version().encoder()
    publish_next(store, tmp_path)  # its encoder is trained on other pages
    clock.now += TTL
    assert state.version().encoder.opened
    assert state.version().encoder() is not encoder


def test_an_encoder_that_nobody_needed_is_not_opened(
    state: State, store: Watched, clock: Clock, tmp_path: Path
) -> None:
    state.version()
    publish_next(store, tmp_path)
    clock.now += TTL
    assert not state.version().encoder.opened


def test_every_request_checks_where_the_time_is_zero(
    store: Watched,
    clock: Clock,
    settings: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("functions.state.open_store", lambda _: store)
    state = State(settings(store=store.url, refresh_seconds=0), clock)
    state.version()
    artifact = publish_next(store, tmp_path)
    assert state.version().name == artifact.manifest.version


def test_first_requests_at_once_open_the_version_once(state: State, store: Watched) -> None:
    together = threading.Barrier(8)

    def ask(_: int) -> object:
        together.wait()
        return state.version()

    with ThreadPoolExecutor(8) as pool:
        found = set(map(id, pool.map(ask, range(8))))
    assert len(found) == 1
    assert state.opened == 1
    assert store.asked.count(f"read {channel_key('latest')}") == 1


def test_while_one_request_refreshes_the_others_are_served(
    state: State, store: Watched, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = state.version()
    artifact = publish_next(store, tmp_path)
    opening, go_on = threading.Event(), threading.Event()
    download = store.download

    def slow_download(key: str, path: Path) -> None:
        opening.set()
        assert go_on.wait(30)
        download(key, path)

    monkeypatch.setattr(store, "download", slow_download)
    clock.now += TTL
    with ThreadPoolExecutor(1) as pool:
        refreshed = pool.submit(state.version)
        assert opening.wait(30)
        assert state.version() is old  # not made to wait
        go_on.set()
        assert refreshed.result().name == artifact.manifest.version
    assert state.version().name == artifact.manifest.version


def test_an_unsigned_version_is_refused_by_a_reader_with_a_key(
    store: Watched, settings: Callable[..., Settings]
) -> None:
    state = State(settings(store=store.url, signing_key="s" * 40))
    with pytest.raises(SignatureError):
        state.version()


def test_a_store_with_a_wrong_scheme_is_a_wrong_setting(settings: Callable[..., Settings]) -> None:
    app = create_local_app(settings(store="ftp://example.org/wiki"))
    with TestClient(app, headers={"X-API-Key": KEY}) as client:
        answer = client.get("/search?q=printer")
    assert (answer.status_code, answer.json()["status"]) == (500, "misconfigured")
    assert "ftp" not in answer.text
    with pytest.raises(ConfigError):
        State(settings(store="ftp://example.org/wiki")).version()


def test_another_channel_serves_its_own_version(
    store: Watched, settings: Callable[..., Settings], tmp_path: Path
) -> None:
    staged = build_and_publish(tmp_path / "elsewhere", tmp_path / "staged")
    publish(staged.folder, FileStore(store.folder), "staging")
    latest = State(settings(store=store.url)).version()
    staging = State(settings(store=store.url, channel="staging")).version()
    assert staging.name == staged.manifest.version != latest.name
    assert staging.pointer == read_pointer(store, "staging")[0]
