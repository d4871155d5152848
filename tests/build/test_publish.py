"""Publishing: uploads, races, signatures, and a real server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from build.publish import publish
from build.rollback import rollback
from index_artifacts.errors import (
    ConfigError,
    ConflictError,
    IntegrityError,
    NotFoundError,
    PublishRefusedError,
    SignatureError,
    UnavailableError,
    UnsupportedError,
)
from index_artifacts.file_store import FileStore
from index_artifacts.version_store import (
    Pointer,
    blob_key,
    channel_key,
    read_manifest,
    read_pointer,
)
from tests.fake_artifact import Interrupted, artifact, make_artifact, served

if TYPE_CHECKING:
    from pathlib import Path

    from tests.s3_server import S3Server

KEY = b"a signing key"


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


def contents(store: FileStore) -> dict[str, str]:
    return {entry.key: store.read(entry.key).etag for entry in store.list("")}


def test_a_first_publish_uploads_everything(store: FileStore, tmp_path: Path) -> None:
    said: list[str] = []
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    published = publish(artifact(tmp_path, "v1"), store, now=now, on_progress=said.append)
    assert (published.version, published.channel) == ("v1", "latest")
    assert (published.uploaded, published.reused) == (3, 0)
    assert published.uploaded_bytes == sum(entry.size for entry in served(store).files)
    assert published.moved
    assert published.previous is None
    assert read_pointer(store, "latest")[0].published_at == "2026-01-02T03:04:05+00:00"
    assert any("model/model.onnx" in line for line in said)


def test_a_second_version_uploads_what_is_new(store: FileStore, tmp_path: Path) -> None:
    publish(artifact(tmp_path, "v1"), store)
    published = publish(artifact(tmp_path, "v2"), store)
    assert (published.uploaded, published.reused, published.previous) == (2, 1, "v1")
    assert read_pointer(store, "latest")[0].previous == ("v1",)
    assert served(store).version == "v2"


def test_publishing_twice_changes_nothing(store: FileStore, tmp_path: Path) -> None:
    folder = artifact(tmp_path, "v1")
    publish(folder, store)
    before = contents(store)
    published = publish(folder, store)
    assert (published.uploaded, published.uploaded_bytes, published.moved) == (0, 0, False)
    assert contents(store) == before


def test_two_channels_share_a_version(store: FileStore, tmp_path: Path) -> None:
    folder = artifact(tmp_path, "v1")
    publish(folder, store, "staging")
    published = publish(folder, store, "latest")
    assert (published.uploaded, published.moved) == (0, True)
    assert served(store, "staging") == served(store, "latest")


def test_a_channel_remembers_twenty_versions(store: FileStore, tmp_path: Path) -> None:
    for number in range(24):
        publish(artifact(tmp_path, f"v{number}"), store)
    previous = read_pointer(store, "latest")[0].previous
    assert previous == tuple(f"v{number}" for number in range(22, 2, -1))


def test_a_lost_blob_is_uploaded_again(store: FileStore, tmp_path: Path) -> None:
    folder = artifact(tmp_path, "v1")
    manifest = make_artifact(folder, "v1")
    publish(folder, store)
    store.delete(blob_key(manifest.files[0].sha256))
    published = publish(folder, store)
    assert (published.uploaded, published.moved) == (1, False)
    assert served(store) == manifest


def test_a_blob_of_another_size_stops_the_publish(store: FileStore, tmp_path: Path) -> None:
    manifest = make_artifact(tmp_path / "v1", "v1")
    store.write_new(blob_key(manifest.files[0].sha256), b"half of")
    with pytest.raises(IntegrityError, match=r"has 7 bytes instead of .*delete that object"):
        publish(tmp_path / "v1", store)
    with pytest.raises(NotFoundError):
        read_pointer(store, "latest")


@pytest.mark.parametrize("damage", [b"", b"other content"])
def test_a_damaged_artifact_is_not_published(
    store: FileStore, tmp_path: Path, damage: bytes
) -> None:
    folder = artifact(tmp_path, "v1")
    (folder / "index.sqlite").write_bytes(damage)
    with pytest.raises(IntegrityError, match=r"index\.sqlite has .*build the artifact again"):
        publish(folder, store)
    assert contents(store) == {}


def test_an_incomplete_artifact_is_not_published(store: FileStore, tmp_path: Path) -> None:
    folder = artifact(tmp_path, "v1")
    (folder / "graph.pickle").unlink()
    with pytest.raises(IntegrityError, match=r"graph\.pickle: No such file"):
        publish(folder, store)
    with pytest.raises(NotFoundError, match="run edgewiki build first"):
        publish(tmp_path / "nowhere", store)
    assert contents(store) == {}


def test_an_artifact_lists_only_its_own_files(store: FileStore, tmp_path: Path) -> None:
    folder = artifact(tmp_path, "v1")
    data = (folder / "manifest.json").read_bytes()
    (tmp_path / "index.sqlite").write_bytes(b"secret")
    (folder / "manifest.json").write_bytes(data.replace(b"index.sqlite", b"../index.sqlite"))
    with pytest.raises(IntegrityError, match="no name inside an artifact"):
        publish(folder, store)


def test_a_wrong_channel_name_is_refused_before_any_upload(
    store: FileStore, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError):
        publish(artifact(tmp_path, "v1"), store, "Latest!")
    assert contents(store) == {}


def test_a_store_without_conditional_writes_gets_nothing(tmp_path: Path) -> None:
    class Careless(FileStore):
        def require_conditional_writes(self) -> None:
            raise UnsupportedError("it ignores If-Match")

    store = Careless(tmp_path / "store")
    with pytest.raises(UnsupportedError):
        publish(artifact(tmp_path, "v1"), store)
    assert contents(store) == {}


# --- races


def test_a_lost_race_is_run_again(tmp_path: Path) -> None:
    others = [artifact(tmp_path, "v1"), artifact(tmp_path, "v2")]
    store = Interrupted(tmp_path / "store", others)
    published = publish(artifact(tmp_path, "v3"), store)
    assert published.previous == "v2"
    assert read_pointer(store, "latest")[0].previous == ("v2", "v1")


def test_the_order_is_checked_again_after_a_lost_race(tmp_path: Path) -> None:
    newer = artifact(tmp_path, "v2", revision="bbb", ancestors=("aaa",))
    older = artifact(tmp_path, "v1", revision="aaa")
    store = Interrupted(tmp_path / "store", [newer])
    with pytest.raises(PublishRefusedError):
        publish(older, store)
    assert served(store).version == "v2"


def test_a_swap_whose_answer_was_lost_counts_as_ours(store: FileStore, tmp_path: Path) -> None:
    class Losing(FileStore):
        def replace(self, key: str, data: bytes, etag: str | None) -> str:
            super().replace(key, data, etag)
            raise ConflictError(f"{key} was written by somebody else")

    publish(artifact(tmp_path, "v1"), store)
    published = publish(artifact(tmp_path, "v2"), Losing(store.folder))
    assert (published.moved, published.previous) == (True, "v1")


def test_a_race_that_never_ends_is_given_up(tmp_path: Path) -> None:
    class Hopeless(FileStore):
        def replace(self, key: str, data: bytes, etag: str | None) -> str:
            raise ConflictError(f"{key} has not the tag {etag}: {data!r} is late")

    with pytest.raises(ConflictError, match=r"20 times in a row"):
        publish(artifact(tmp_path, "v1"), Hopeless(tmp_path / "store"))


def test_many_publishers_at_once_lose_no_version(store: FileStore, tmp_path: Path) -> None:
    folders = [artifact(tmp_path, f"v{number}") for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        published = list(pool.map(lambda folder: publish(folder, store), folders))
    assert all(one.moved for one in published)
    pointer, _ = read_pointer(store, "latest")
    assert {pointer.version, *pointer.previous} == {f"v{number}" for number in range(6)}
    assert served(store).version == pointer.version


# --- signatures


def test_signing_later_supersedes_the_manifest(store: FileStore, tmp_path: Path) -> None:
    folder = artifact(tmp_path, "v1")
    publish(folder, store)
    publish(folder, store, "stable")
    unsigned, _ = read_pointer(store, "stable")
    published = publish(folder, store, signing_key=KEY)
    assert (published.uploaded, published.moved) == (0, True)
    signed, _ = read_pointer(store, "latest")
    assert read_manifest(store, signed, KEY).version == "v1"
    assert signed.previous == ()
    assert read_manifest(store, unsigned).signature is None  # pinned by the other channel
    with pytest.raises(SignatureError, match="unsigned"):
        read_manifest(store, unsigned, KEY)


def test_a_signing_that_stops_half_way_leaves_the_channel(store: FileStore, tmp_path: Path) -> None:
    class Stopping(FileStore):
        def replace(self, key: str, data: bytes, etag: str | None) -> str:
            if key == channel_key("latest"):
                raise UnavailableError("the connection is gone")
            return super().replace(key, data, etag)

    folder = artifact(tmp_path, "v1")
    publish(folder, store)
    before = read_pointer(store, "latest")
    with pytest.raises(UnavailableError):
        publish(folder, Stopping(store.folder), signing_key=KEY)
    assert read_manifest(store, "v1", KEY).signature is not None
    assert read_pointer(store, "latest") == before
    assert served(store).signature is None


# --- a real server


def test_a_publisher_publishes_and_a_reader_reads(
    s3_server: S3Server, s3_bucket: str, tmp_path: Path
) -> None:
    folder = artifact(tmp_path, "v1")
    with s3_server.store(s3_bucket, identity="publisher") as store:
        assert publish(folder, store, signing_key=KEY).uploaded == 3
        assert not publish(folder, store, signing_key=KEY).moved
        assert publish(artifact(tmp_path, "v2"), store).reused == 1
        assert rollback(store, "latest").version == "v1"
    with s3_server.store(s3_bucket, identity="reader") as store:
        pointer, _ = read_pointer(store, "latest")
        assert read_manifest(store, pointer, KEY).version == "v1"
        with pytest.raises(UnavailableError, match="s3:PutObject"):
            publish(artifact(tmp_path, "v3"), store)


def test_publishers_race_on_a_real_server(
    s3_server: S3Server, s3_bucket: str, tmp_path: Path
) -> None:
    folders = [artifact(tmp_path, f"v{number}") for number in range(4)]
    with s3_server.store(s3_bucket, identity="publisher") as store:
        with ThreadPoolExecutor(4) as pool:
            published = list(pool.map(lambda folder: publish(folder, store), folders))
        pointer: Pointer = read_pointer(store, "latest")[0]
    assert all(one.moved for one in published)
    assert {pointer.version, *pointer.previous} == {"v0", "v1", "v2", "v3"}
