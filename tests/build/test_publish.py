"""Publishing: order, races, signatures, and a process killed at any step."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from build.publish import check_whole, publish, rollback
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
    manifest_key,
    read_manifest,
    read_pointer,
)
from tests.fake_artifact import make_artifact

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.manifest import Manifest
    from tests.s3_server import S3Server

KEY = b"a signing key"
MAX_STEPS = 60


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


def artifact(tmp_path: Path, version: str, **source: object) -> Path:
    """Make an artifact folder and return it."""
    make_artifact(tmp_path / version, version, **source)  # type: ignore[arg-type]
    return tmp_path / version


def served(store: FileStore, channel: str = "latest") -> Manifest:
    """Return the manifest that a channel serves, once its version is whole."""
    manifest = read_manifest(store, read_pointer(store, channel)[0])
    check_whole(store, manifest)
    return manifest


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
    with pytest.raises(IntegrityError, match="outside the artifact"):
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


# --- the order of commits


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


# --- races


class Interrupted(FileStore):
    """Lets somebody else publish just before each of the first swaps of the pointer."""

    def __init__(self, folder: Path, others: list[Path]) -> None:
        super().__init__(folder)
        self.others = others

    def replace(self, key: str, data: bytes, etag: str | None) -> str:
        if key == channel_key("latest") and self.others:
            publish(self.others.pop(0), FileStore(self.folder))
        return super().replace(key, data, etag)


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


# --- rollback


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


# --- killed at any step

PAUSED_PUBLISH = """
import os, sys
from pathlib import Path
from build.publish import publish
from index_artifacts.file_store import FileStore

def paused(step):
    def run(*arguments, **options):
        print(step.__name__, flush=True)
        sys.stdin.readline()
        return step(*arguments, **options)
    return run

os.link, os.replace, os.fsync = paused(os.link), paused(os.replace), paused(os.fsync)
publish(Path(sys.argv[1]), FileStore(Path(sys.argv[2])))
"""


def publish_until(folder: Path, store: FileStore, steps: int) -> list[str]:
    """Publish in a process that is killed before its step ``steps``; return the steps begun."""
    begun: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", PAUSED_PUBLISH, str(folder), str(store.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            begun.append(line.strip())
            if len(begun) > steps:
                process.kill()
                break
            process.stdin.write("\n")
    return begun


@pytest.mark.slow
def test_a_publish_killed_at_any_step_leaves_the_channel(tmp_path: Path) -> None:
    """The steps are every sync, link and rename: what makes bytes visible or lasting."""
    original = FileStore(tmp_path / "original")
    publish(artifact(tmp_path, "v1"), original)
    before = original.read(channel_key("latest"))
    folder = artifact(tmp_path, "v2")
    whole = publish_until(folder, FileStore(shutil.copytree(original.folder, tmp_path / "w")), 999)
    swap = whole.index("replace")
    assert 10 < len(whole) < MAX_STEPS
    for step in range(len(whole)):
        store = FileStore(shutil.copytree(original.folder, tmp_path / f"store-{step}"))
        assert len(publish_until(folder, store, step)) == step + 1
        if step <= swap:
            assert store.read(channel_key("latest")) == before
            assert served(store).version == "v1"
        else:
            assert served(store).version == "v2"
        publish(folder, store)
        assert served(store).version == "v2"
        assert read_pointer(store, "latest")[0].previous == ("v1",)


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
