"""Clocks that are wrong: nothing is ordered, expired or refreshed by a wall clock."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from botocore.compat import get_current_datetime

from index_artifacts.version_store import channel_key
from tests.faults.conftest import FaultyStore, reading

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact

YEARS = timedelta(days=3650)


@pytest.mark.parametrize("skew", [YEARS, -YEARS, timedelta(hours=3)], ids=str)
def test_a_publisher_with_a_wrong_clock_is_followed_like_any_other(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path, skew: timedelta
) -> None:
    first = faulty.publish(versions[0], now=datetime.now(UTC) + skew)
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == first
        assert reader.health()["age_seconds"] >= 0
        second = faulty.publish(versions[1])  # by a publisher whose clock is right
        assert reader.served() == second
        third = faulty.publish(versions[2], now=datetime.now(UTC) + skew)
        assert reader.served() == third
        health = reader.health()
        assert health["status"] == "ok"
        assert health["age_seconds"] >= 0


@pytest.mark.parametrize("skew", [YEARS, -YEARS], ids=str)
def test_a_reader_whose_clock_jumps_refreshes_as_before(
    faulty: FaultyStore,
    versions: list[Artifact],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    skew: timedelta,
) -> None:
    """The wall clock of this whole process jumps, but for the signatures of its requests."""
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache", refresh_seconds=0.2) as reader:
        assert reader.served() == old
        right = time.time
        monkeypatch.setattr(time, "time", lambda: right() + skew.total_seconds())
        new = faulty.publish(versions[1])
        time.sleep(0.25)
        assert reader.served() == new


def test_a_clock_too_wrong_for_signatures_is_named_and_the_old_version_stays(
    faulty: FaultyStore,
    versions: list[Artifact],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The server compares the time in a signature with its own: a quarter of an hour is allowed."""
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == old
        new = faulty.publish(versions[1])
        right = get_current_datetime
        with monkeypatch.context() as wrong:
            wrong.setattr(
                "botocore.auth.get_current_datetime",
                lambda *given, **named: right(*given, **named) - timedelta(hours=3),
            )
            assert reader.served() == old
            assert reader.health()["status"] == "degraded"
            assert "this machine's clock" in caplog.text
        assert reader.served() == new


@pytest.mark.parametrize(
    "stamp", ["", "yesterday", "2999-01-01T00:00:00", "2999-01-01T00:00:00+00:00"]
)
def test_a_pointer_with_any_date_is_served_and_its_age_is_zero_or_unknown(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path, stamp: str
) -> None:
    version = faulty.publish(versions[0])
    pointer = json.loads(faulty.read(channel_key("latest")))
    faulty.overwrite(channel_key("latest"), json.dumps({**pointer, "published_at": stamp}).encode())
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == version
        assert reader.health()["age_seconds"] in {-1, 0}
