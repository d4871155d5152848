"""A store that is down, silent or slow: at the first question, and at a refresh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.conftest import FaultyStore, reading, until

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact


@pytest.mark.slow
def test_a_store_that_is_down_at_the_start_is_503_until_it_is_back(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    first = faulty.publish(versions[0])
    faulty.way.stop()
    with reading(faulty.url, tmp_path / "cache") as reader:
        answer = reader.search()
        assert answer.status_code == 503
        assert answer.json()["reason"] == "the store of the index does not answer"
        assert reader.health()["status"] == "unavailable"
        faulty.way.start()
        assert reader.served() == first
        assert reader.health()["status"] == "ok"


@pytest.mark.slow
def test_a_store_that_is_down_at_a_refresh_leaves_the_old_version(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == old
        faulty.way.stop()
        new = faulty.publish(versions[1])
        assert reader.served() == old
        assert reader.health()["status"] == "degraded"
        faulty.way.start()
        assert reader.served() == new
        assert reader.health()["status"] == "ok"


def test_a_silent_store_holds_up_no_request_that_the_old_version_can_answer(
    faulty: FaultyStore,
    versions: list[Artifact],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The store's own limit is ten minutes here: nobody could wait for it."""
    monkeypatch.setenv("EDGEWIKI_S3_TIMEOUT_SECONDS", "600")
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache", refresh_wait_seconds=0.1) as reader:
        assert reader.served() == old
        new = faulty.publish(versions[1])
        faulty.way.silence()
        assert [reader.served() for _ in range(5)] == [old] * 5
        faulty.way.heal()
        until(lambda: reader.served() == new, "what was asked meanwhile is served in the end")


@pytest.mark.slow
def test_a_silent_store_is_asked_again(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_S3_TIMEOUT_SECONDS", "1")
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == old
        faulty.way.silence()
        before = faulty.way.accepted
        assert reader.served() == old
        assert faulty.way.accepted > before  # on a new connection, and then given up
        assert reader.health()["status"] == "degraded"


def test_a_first_question_of_a_silent_store_is_503_in_time(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_S3_TIMEOUT_SECONDS", "600")
    first = faulty.publish(versions[0])
    faulty.way.silence()
    with reading(faulty.url, tmp_path / "cache", open_wait_seconds=0.1) as reader:
        assert reader.search().status_code == 503
        assert reader.health()["status"] == "unavailable"
        faulty.way.heal()
        until(lambda: reader.search().status_code == 200, "the fetch that went on is there")
        assert reader.served() == first


@pytest.mark.slow
def test_a_download_that_creeps_is_given_up_and_tried_again(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes come now and then, so no socket ever runs into its limit."""
    monkeypatch.setattr("index_artifacts.pace.WINDOW_SECONDS", 0.5)
    monkeypatch.setattr("index_artifacts.pace.LEAST_BYTES_PER_SECOND", 1 << 20)
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == old
        new = faulty.publish(versions[1])
        faulty.way.slow_down(40_000)
        assert reader.served() == old
        assert reader.health()["status"] == "degraded"
        assert not list((tmp_path / "cache" / "objects").glob(".*"))
        faulty.way.heal()
        until(lambda: reader.served() == new, "the store is quick again")


@pytest.mark.slow
def test_a_slow_store_is_waited_for_in_the_background(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache", refresh_wait_seconds=0.1) as reader:
        assert reader.served() == old
        new = faulty.publish(versions[1])
        faulty.way.slow_down(400_000)
        assert reader.served() == old
        until(lambda: reader.served() == new, "the slow download ends")
