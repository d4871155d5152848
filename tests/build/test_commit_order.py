"""Which of two commits a channel serves, whoever finishes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.publish import publish
from index_artifacts.errors import (
    IntegrityError,
    PublishRefusedError,
)
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import (
    channel_key,
    manifest_key,
)
from tests.fake_artifact import artifact, served

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


def test_builds_that_finish_out_of_order_leave_the_newer_one(
    store: FileStore, tmp_path: Path
) -> None:
    older = artifact(tmp_path, "v1", revision="aaa", committed_at="2026-01-01T00:00:00Z")
    newer = artifact(
        tmp_path, "v2", revision="bbb", committed_at="2026-01-02T00:00:00Z", ancestors=("aaa",)
    )
    publish(newer, store)
    with pytest.raises(PublishRefusedError, match=r"commit bbb, and aaa is an ancestor.*--force"):
        publish(older, store)
    assert served(store).version == "v2"
    assert publish(older, store, force=True).moved
    assert served(store).version == "v1"


def test_a_descendant_follows_whatever_its_date(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1", revision="aaa", committed_at="2026-01-02T00:00:00Z"), store)
    rebased = artifact(
        tmp_path, "v2", revision="bbb", committed_at="2026-01-01T00:00:00Z", ancestors=("aaa",)
    )
    assert publish(rebased, store).moved


def test_unrelated_commits_are_ordered_by_their_moment(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1", revision="a", committed_at="2026-01-01T12:00:00+02:00"), store)
    later = artifact(tmp_path, "v2", revision="b", committed_at="2026-01-01T10:30:00+00:00")
    earlier = artifact(tmp_path, "v3", revision="c", committed_at="2026-01-01T11:00:00+02:00")
    assert publish(later, store).moved
    with pytest.raises(PublishRefusedError, match="not related to it and older"):
        publish(earlier, store)


def test_unrelated_commits_without_a_date_need_force(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1", revision="a", committed_at="2026-01-01T12:00:00Z"), store)
    with pytest.raises(PublishRefusedError, match="no date to compare"):
        publish(artifact(tmp_path, "v2", revision="b"), store)


def test_a_plain_folder_has_no_order(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1", revision="a", committed_at="2026-01-01T12:00:00Z"), store)
    assert publish(artifact(tmp_path, "v2"), store).moved
    assert publish(artifact(tmp_path, "v3", revision="a"), store).moved


def test_one_commit_may_be_built_twice(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1", revision="a", committed_at="2026-01-01T12:00:00Z"), store)
    again = artifact(tmp_path, "v2", revision="a", committed_at="2026-01-01T12:00:00Z")
    assert publish(again, store).previous == "v1"


def test_a_channel_that_cannot_be_understood_needs_force(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1"), store)
    store.delete(manifest_key("v1"))
    with pytest.raises(PublishRefusedError, match=r"v1, whose manifest cannot be read.*--force"):
        publish(artifact(tmp_path, "v2"), store)
    assert publish(tmp_path / "v2", store, force=True).previous == "v1"


def test_a_broken_pointer_needs_force(store: FileStore, tmp_path: Path) -> None:
    store.write_new(channel_key("latest"), b"garbage")
    with pytest.raises(IntegrityError, match="--force"):
        publish(artifact(tmp_path, "v1"), store)
    assert publish(tmp_path / "v1", store, force=True).moved
    assert served(store).version == "v1"
