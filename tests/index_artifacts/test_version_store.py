"""Versions and channels: keys, pointers, verified reading."""

from __future__ import annotations

import hashlib
import shutil
from collections import namedtuple
from typing import TYPE_CHECKING

import pytest

from index_artifacts.errors import (
    ConfigError,
    IntegrityError,
    NotFoundError,
    SignatureError,
    UnavailableError,
)
from index_artifacts.file_store import FileStore
from index_artifacts.manifest import FileEntry, Manifest, Source
from index_artifacts.version_store import (
    Pointer,
    blob_key,
    channel_key,
    fetch_blob,
    list_versions,
    manifest_key,
    read_manifest,
    read_pointer,
    validate_channel_name,
)
from tests.fake_artifact import file_entry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.s3_server import S3Server

KEY = b"a signing key"
CONTENT = b"the content of an index " * 1000
ENTRY = file_entry("index.sqlite", CONTENT)
POINTER = Pointer("abc-1", "0" * 64, "2026-01-02T03:04:05+00:00", ("abc-0",), "by hand")


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "store")


def write_version(store: FileStore, version: str = "abc-1", key: bytes | None = None) -> Pointer:
    """Store a version's manifest and return a pointer to it."""
    manifest = Manifest(version, Source("abc", "2026-01-01T00:00:00Z"), (ENTRY,), {}, {}, "a", {})
    data = (manifest.sign(key) if key else manifest).to_json()
    store.write_new(manifest_key(version), data)
    return Pointer(version, hashlib.sha256(data).hexdigest(), "2026-01-02T03:04:05+00:00")


def test_keys_are_laid_out_as_documented() -> None:
    assert blob_key("a" * 64) == "objects/sha256/" + "a" * 64
    assert manifest_key("abc-123") == "versions/abc-123/manifest.json"
    assert channel_key("latest") == "channels/latest.json"


@pytest.mark.parametrize("name", ["", "..", "a/b", "Latest", "a b", ".hidden", "x" * 65, "a\n"])
def test_a_wrong_channel_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="lower-case"):
        validate_channel_name(name)


@pytest.mark.parametrize("version", ["", "..", "../x", "a/b", "-a", "x" * 129])
def test_a_wrong_version_is_refused(version: str) -> None:
    with pytest.raises(ConfigError, match="not the name of a version"):
        manifest_key(version)


@pytest.mark.parametrize("sha256", ["", "a" * 63, "A" * 64, "../" + "a" * 61])
def test_a_wrong_hash_is_refused(sha256: str) -> None:
    with pytest.raises(IntegrityError, match="not a sha256"):
        blob_key(sha256)


def test_a_pointer_survives_its_own_bytes() -> None:
    assert Pointer.from_json(POINTER.to_json()) == POINTER


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"null", POINTER.to_json().replace(b"abc-0", b"../x")]
)
def test_a_broken_pointer_names_its_place(store: FileStore, data: bytes) -> None:
    store.write_new("channels/latest.json", data)
    with pytest.raises(IntegrityError, match=r"store/channels/latest\.json.*--force"):
        read_pointer(store, "latest")


def test_a_channel_without_a_version_says_what_to_run(store: FileStore) -> None:
    with pytest.raises(NotFoundError, match="'latest' has no version yet: run edgewiki publish"):
        read_pointer(store, "latest")


def test_a_manifest_is_read_by_pointer_and_by_version(store: FileStore) -> None:
    pointer = write_version(store)
    assert read_manifest(store, pointer, None) == read_manifest(store, "abc-1", None)
    assert read_manifest(store, pointer).files == (ENTRY,)


def test_a_missing_version_is_named(store: FileStore) -> None:
    write_version(store)
    with pytest.raises(NotFoundError, match="no version 'abc-2'"):
        read_manifest(store, "abc-2")


def test_a_changed_manifest_is_refused(store: FileStore) -> None:
    pointer = write_version(store)
    found = store.read(manifest_key("abc-1"))
    store.replace(manifest_key("abc-1"), found.data + b" ", found.etag)
    with pytest.raises(IntegrityError, match=r"versions/abc-1/manifest\.json has not the hash"):
        read_manifest(store, pointer)


def test_the_manifest_of_another_version_is_refused(store: FileStore) -> None:
    write_version(store, "abc-1")
    store.write_new(manifest_key("abc-2"), store.read(manifest_key("abc-1")).data)
    with pytest.raises(IntegrityError, match=r"abc-2.* of version abc-1"):
        read_manifest(store, "abc-2")


def test_a_broken_manifest_names_its_place(store: FileStore) -> None:
    store.write_new(manifest_key("abc-1"), b"{}")
    with pytest.raises(IntegrityError, match=r"store/versions/abc-1/manifest\.json"):
        read_manifest(store, "abc-1")


def test_a_reader_with_a_key_wants_a_signature(store: FileStore) -> None:
    signed, unsigned = write_version(store, "abc-1", KEY), write_version(store, "abc-2")
    assert read_manifest(store, signed, KEY).version == "abc-1"
    with pytest.raises(SignatureError, match="another key"):
        read_manifest(store, signed, b"another")
    with pytest.raises(SignatureError, match="unsigned"):
        read_manifest(store, unsigned, KEY)


def test_versions_are_listed_with_the_channels_that_name_them(store: FileStore) -> None:
    first = write_version(store, "abc-1")
    write_version(store, "abc-2")
    store.write_new(channel_key("latest"), first.to_json())
    store.write_new(channel_key("stable"), first.to_json())
    rows = {row.version: row for row in list_versions(store)}
    assert rows["abc-1"].channels == ("latest", "stable")
    assert rows["abc-2"].channels == ()
    assert rows["abc-2"].size == len(CONTENT)
    assert (rows["abc-2"].revision, rows["abc-2"].committed_at) == ("abc", "2026-01-01T00:00:00Z")


def test_a_blob_is_fetched_and_verified(store: FileStore, tmp_path: Path) -> None:
    store.write_new(blob_key(ENTRY.sha256), CONTENT)
    path = fetch_blob(store, ENTRY, tmp_path / "cache")
    assert path == tmp_path / "cache" / ENTRY.sha256
    assert path.read_bytes() == CONTENT
    assert list((tmp_path / "cache").iterdir()) == [path]


def test_a_verified_blob_is_fetched_once(store: FileStore, tmp_path: Path) -> None:
    store.write_new(blob_key(ENTRY.sha256), CONTENT)
    fetch_blob(store, ENTRY, tmp_path / "cache")
    store.delete(blob_key(ENTRY.sha256))
    assert fetch_blob(store, ENTRY, tmp_path / "cache").read_bytes() == CONTENT


@pytest.mark.parametrize("damaged", [b"", CONTENT[:-1], CONTENT[:-1] + b"!"])
def test_a_damaged_file_is_fetched_again(store: FileStore, tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / ENTRY.sha256).write_bytes(damaged)
    store.write_new(blob_key(ENTRY.sha256), CONTENT)
    assert fetch_blob(store, ENTRY, tmp_path).read_bytes() == CONTENT


class TruncatingStore(FileStore):
    """Delivers 60 % of every object, as a connection that breaks silently."""

    def download(self, key: str, path: Path) -> None:
        data = self.read(key).data
        path.write_bytes(data[: len(data) * 6 // 10])


def test_a_truncated_download_is_detected(tmp_path: Path) -> None:
    store, cache = TruncatingStore(tmp_path / "store"), tmp_path / "cache"
    cache.mkdir()
    (cache / "old").write_bytes(b"what is served now")
    store.write_new(blob_key(ENTRY.sha256), CONTENT)
    with pytest.raises(IntegrityError, match=rf"index\.sqlite.*promises {len(CONTENT)} bytes"):
        fetch_blob(store, ENTRY, cache)
    assert [path.name for path in cache.iterdir()] == ["old"]
    assert (cache / "old").read_bytes() == b"what is served now"


def test_a_blob_of_other_content_is_detected(store: FileStore, tmp_path: Path) -> None:
    store.write_new(blob_key(ENTRY.sha256), CONTENT[:-1] + b"!")
    with pytest.raises(IntegrityError, match="publish the version again"):
        fetch_blob(store, ENTRY, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_missing_blob_leaves_nothing(store: FileStore, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        fetch_blob(store, ENTRY, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_full_disk_is_named_with_what_is_needed(
    store: FileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(100, 95, 5))
    store.write_new(blob_key(ENTRY.sha256), CONTENT)
    with pytest.raises(UnavailableError, match=rf"cache has 5 bytes free.*needs {len(CONTENT)}"):
        fetch_blob(store, ENTRY, tmp_path / "cache")


def test_a_file_in_place_of_the_cache_is_named(store: FileStore, tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"")
    with pytest.raises(UnavailableError, match=r"cache: index\.sqlite"):
        fetch_blob(store, ENTRY, tmp_path / "cache")


def test_an_entry_never_leaves_the_cache(store: FileStore, tmp_path: Path) -> None:
    with pytest.raises(IntegrityError, match="no sha256"):
        fetch_blob(store, FileEntry("x", "../../etc/passwd", 1), tmp_path)


def test_a_blob_is_fetched_from_a_real_server(
    s3_server: S3Server, s3_bucket: str, tmp_path: Path
) -> None:
    with s3_server.store(s3_bucket, identity="publisher") as publisher:
        publisher.write_new(blob_key(ENTRY.sha256), CONTENT)
    with s3_server.store(s3_bucket, identity="reader") as reader:
        assert fetch_blob(reader, ENTRY, tmp_path / "cache").read_bytes() == CONTENT
