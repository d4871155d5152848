"""Rolling back: the same swap of the pointer as publishing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.publish import publish
from build.rollback import rollback
from index_artifacts.errors import (
    ConflictError,
    IntegrityError,
    NotFoundError,
)
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import (
    blob_key,
    manifest_key,
    read_pointer,
)
from tests.fake_artifact import Interrupted, artifact, make_artifact, served

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


def test_a_rollback_serves_the_version_before(store: FileStore, tmp_path: Path) -> None:
    for version in ("v1", "v2", "v3"):
        publish(artifact(tmp_path, version), store)
    pointer = rollback(store, "latest", None, "v3 has no graph")
    assert (pointer.version, pointer.reason) == ("v2", "v3 has no graph")
    assert read_pointer(store, "latest")[0] == pointer
    assert served(store).version == "v2"
    assert rollback(store, "latest").version == "v1"
    with pytest.raises(NotFoundError, match="served before"):
        rollback(store, "latest")
    assert rollback(store, "latest", "v3").version == "v3"


def test_a_rollback_skips_what_was_collected(store: FileStore, tmp_path: Path) -> None:
    for version in ("v1", "v2", "v3"):
        publish(artifact(tmp_path, version), store)
    store.delete(manifest_key("v2"))
    assert rollback(store, "latest").version == "v1"


def test_a_rollback_needs_a_whole_version(store: FileStore, tmp_path: Path) -> None:
    manifest = make_artifact(tmp_path / "v1", "v1")
    publish(tmp_path / "v1", store)
    publish(artifact(tmp_path, "v2"), store)
    before = read_pointer(store, "latest")
    store.delete(blob_key(manifest.files[0].sha256))
    with pytest.raises(IntegrityError, match=r"v1 is not whole.*is missing"):
        rollback(store, "latest", "v1")
    with pytest.raises(NotFoundError, match="no version 'v9'"):
        rollback(store, "latest", "v9")
    assert read_pointer(store, "latest") == before


def test_a_rollback_that_loses_a_race_leaves_the_winner(tmp_path: Path) -> None:
    plain = FileStore(tmp_path / "store")
    for version in ("v1", "v2"):
        publish(artifact(tmp_path, version), plain)
    store = Interrupted(tmp_path / "store", [artifact(tmp_path, "v3")])
    with pytest.raises(ConflictError, match="was moved while it was rolled back"):
        rollback(store, "latest")
    assert served(plain).version == "v3"
