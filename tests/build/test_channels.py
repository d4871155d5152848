"""Deleting a channel, as when a pull request is closed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from build.channels import delete_channel
from build.publish import Judged, publish
from edgewiki import app
from index_artifacts.errors import ConfigError, ConflictError, NotFoundError
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import channel_key, list_channels, manifest_key, read_pointer
from tests.fake_artifact import Interrupted, artifact

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """A store whose latest serves v1, and preview-7 v2."""
    store = FileStore(tmp_path / "store")
    publish(artifact(tmp_path, "v1"), store)
    publish(artifact(tmp_path, "v2"), store, "preview-7", reason="pull request 7")
    return store


def test_a_channel_goes_and_its_version_stays(store: FileStore) -> None:
    assert delete_channel(store, "preview-7", protected={"latest"}).version == "v2"
    assert set(list_channels(store)) == {"latest"}
    assert store.size(manifest_key("v2")) is not None
    with pytest.raises(NotFoundError, match="'preview-7' has no version yet"):
        delete_channel(store, "preview-7")


def test_what_readers_use_is_deleted_by_force_alone(store: FileStore) -> None:
    with pytest.raises(ConfigError, match=r"'latest' is what readers.*--force"):
        delete_channel(store, "latest", protected={"latest"})
    assert read_pointer(store, "latest")[0].version == "v1"
    delete_channel(store, "latest", protected={"latest"}, force=True)
    assert set(list_channels(store)) == {"preview-7"}


def test_a_channel_that_is_published_to_meanwhile_stays(store: FileStore, tmp_path: Path) -> None:
    class Moved(FileStore):
        def delete_unchanged(self, key: str, etag: str) -> None:
            publish(artifact(tmp_path, "v3"), FileStore(self.folder), "preview-7")
            super().delete_unchanged(key, etag)

    with pytest.raises(ConflictError, match="was moved while it was deleted"):
        delete_channel(Moved(store.folder), "preview-7")
    assert store.size(channel_key("preview-7")) is not None
    assert read_pointer(store, "preview-7")[0].version == "v3"


def test_a_verdict_holds_for_the_version_that_was_judged_alone(
    store: FileStore, tmp_path: Path
) -> None:
    mine = artifact(tmp_path, "mine")
    racing = Interrupted(store.folder, [artifact(tmp_path, "theirs")])
    with pytest.raises(ConflictError, match=r"serves theirs by now.*compared with v1"):
        publish(mine, racing, judged=Judged("v1"))
    assert read_pointer(store, "latest")[0].version == "theirs"
    assert publish(mine, store, judged=Judged("theirs")).moved
    assert not publish(mine, store, judged=Judged("theirs")).moved  # it is there already
    assert publish(mine, store, "new", judged=Judged(None)).moved


def test_the_command_shows_channels_with_their_reasons_and_deletes_one(store: FileStore) -> None:
    where = ("--store", store.url)
    shown = CliRunner().invoke(app, ["channel", "list", *where])
    assert "pull request 7" in shown.stdout
    gone = CliRunner().invoke(app, ["channel", "delete", "preview-7", *where])
    assert "channel preview-7 is gone; it served v2" in gone.stderr
    refused = CliRunner().invoke(app, ["channel", "delete", "latest", *where])
    assert isinstance(refused.exception, ConfigError)
    left = json.loads(CliRunner().invoke(app, ["channel", "list", *where, "--json"]).stdout)
    assert {name: row["version"] for name, row in left.items()} == {"latest": "v1"}
