"""Collecting: what goes, what stays, and when nothing may be touched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from build.collect import gc
from build.publish import check_whole, publish
from build.rollback import rollback
from index_artifacts.errors import ConfigError, IntegrityError, NotFoundError
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import (
    blob_key,
    channel_key,
    list_versions,
    manifest_key,
    read_manifest,
    read_pointer,
)
from tests.fake_artifact import make_artifact

if TYPE_CHECKING:
    from pathlib import Path

LATER = datetime.now(UTC) + timedelta(days=7)


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """A store whose channel ``latest`` has served v1 to v4."""
    store = FileStore(tmp_path / "store")
    for number in range(1, 5):
        publish_version(store, tmp_path, f"v{number}")
    return store


def publish_version(
    store: FileStore, tmp_path: Path, version: str, channel: str = "latest"
) -> None:
    make_artifact(tmp_path / version, version)
    publish(tmp_path / version, store, channel)


def versions(store: FileStore) -> set[str]:
    return {row.version for row in list_versions(store)}


def keys(store: FileStore) -> set[str]:
    return {entry.key for entry in store.list("")}


def test_what_nobody_needs_goes(store: FileStore) -> None:
    old = read_manifest(store, "v1")
    collected = gc(store, keep=1, now=LATER)
    assert collected.versions == ("v1", "v2")
    assert versions(store) == {"v3", "v4"}
    assert collected.blobs == 4
    assert collected.freed_bytes == 2 * (
        old.file("index.sqlite").size + old.file("graph.pickle").size
    )
    assert store.size(blob_key(old.file("index.sqlite").sha256)) is None
    for version in versions(store):
        check_whole(store, read_manifest(store, version))
    assert rollback(store, "latest").version == "v3"


def test_collecting_twice_finds_nothing_more(store: FileStore) -> None:
    gc(store, keep=1, now=LATER)
    again = gc(store, keep=1, now=LATER)
    assert (again.versions, again.blobs) == ((), 0)


def test_what_is_young_stays(store: FileStore) -> None:
    before = keys(store)
    assert gc(store, keep=0).versions == ()
    assert keys(store) == before


def test_the_blobs_of_a_running_publish_stay(store: FileStore) -> None:
    store.write_new(blob_key("a" * 64), b"uploaded a moment ago, its manifest is still to come")
    gc(store, keep=1)
    assert store.size(blob_key("a" * 64)) is not None
    gc(store, keep=1, now=LATER)
    assert store.size(blob_key("a" * 64)) is None


def test_a_version_that_any_channel_names_stays(store: FileStore, tmp_path: Path) -> None:
    publish_version(store, tmp_path, "v1", "stable")
    gc(store, keep=0, now=LATER)
    assert versions(store) == {"v1", "v4"}
    check_whole(store, read_manifest(store, read_pointer(store, "stable")[0]))


def test_a_dry_run_tells_and_deletes_nothing(store: FileStore) -> None:
    before, said = keys(store), list[str]()
    collected = gc(store, keep=1, now=LATER, dry_run=True, on_progress=said.append)
    assert collected.dry_run
    assert (collected.versions, collected.blobs) == (("v1", "v2"), 4)
    assert len(said) == 6
    assert keys(store) == before


def test_other_folders_are_not_touched(store: FileStore) -> None:
    others = {"cache/embeddings/a", "jobs/1.json", "probe/conditional-write"}
    for key in others:
        store.write_new(key, b"")
    gc(store, keep=0, now=LATER)
    assert others <= keys(store)


def test_a_superseded_manifest_stays_while_a_channel_pins_it(
    store: FileStore, tmp_path: Path
) -> None:
    publish_version(store, tmp_path, "v4", "stable")
    publish(tmp_path / "v4", store, signing_key=b"key")
    gc(store, keep=0, now=LATER)
    stable, _ = read_pointer(store, "stable")
    assert read_manifest(store, stable).signature is None
    assert read_manifest(store, read_pointer(store, "latest")[0], b"key").version == "v4"


@pytest.mark.parametrize("version", ["v1", "v3", "v4"])
def test_a_broken_manifest_stops_everything(store: FileStore, version: str) -> None:
    found = store.read(manifest_key(version))
    store.replace(manifest_key(version), b"{}", found.etag)
    before = keys(store)
    with pytest.raises(IntegrityError, match=f"versions/{version}/manifest"):
        gc(store, keep=1, now=LATER)
    assert keys(store) == before


def test_a_broken_pointer_stops_everything(store: FileStore) -> None:
    store.write_new(channel_key("stable"), b"garbage")
    before = keys(store)
    with pytest.raises(IntegrityError, match=r"channels/stable\.json"):
        gc(store, keep=1, now=LATER)
    assert keys(store) == before


def test_a_channel_without_its_version_stops_everything(store: FileStore) -> None:
    store.delete(manifest_key("v4"))
    before = keys(store)
    with pytest.raises(NotFoundError, match="'v4'"):
        gc(store, keep=1, now=LATER)
    assert keys(store) == before


def test_negative_limits_are_refused(store: FileStore) -> None:
    with pytest.raises(ConfigError, match="keep=-1"):
        gc(store, keep=-1)


class PublishingMeanwhile(FileStore):
    """Lets a version be published while the collection already deletes manifests."""

    artifact: Path | None = None

    def delete(self, key: str) -> None:
        super().delete(key)
        if self.artifact is not None:
            artifact, self.artifact = self.artifact, None
            publish(artifact, FileStore(self.folder))


def test_a_version_published_meanwhile_keeps_the_old_blobs_it_reuses(
    store: FileStore, tmp_path: Path
) -> None:
    racing = PublishingMeanwhile(store.folder)
    racing.artifact = tmp_path / "v1"  # all its blobs are old, and about to go
    gc(racing, keep=1, now=LATER)
    assert read_pointer(store, "latest")[0].version == "v1"
    check_whole(store, read_manifest(store, read_pointer(store, "latest")[0]))
