"""What every store promises, asked of each of them: a folder, moto, and a real S3 server."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from moto import mock_aws

from index_artifacts.errors import ConfigError, ConflictError, NotFoundError, StoreError
from index_artifacts.file_store import FileStore
from index_artifacts.s3_store import S3Store
from index_artifacts.store import open_store
from tests.s3_server import S3Server, make_client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from index_artifacts.store import Store

WRITERS = 8
MISSING_TAG = '"00000000000000000000000000000000"'


@pytest.fixture(params=["file", "moto", "seaweedfs"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "file":
        yield FileStore(tmp_path / "store")
    elif request.param == "moto":
        with mock_aws():
            client = make_client(None, "moto", "moto")
            client.create_bucket(Bucket="wiki")
            yield S3Store("wiki", "some/prefix", client)
            client.close()
    else:
        server: S3Server = request.getfixturevalue("s3_server")
        bucket: str = request.getfixturevalue("s3_bucket")
        with server.store(bucket, "some/prefix", "publisher") as opened:
            yield opened


def test_what_is_written_is_read_back(store: Store) -> None:
    assert store.write_new("channels/latest.json", b"content")
    found = store.read("channels/latest.json")
    assert found.data == b"content"
    assert store.size("channels/latest.json") == 7


def test_an_empty_object_is_an_object(store: Store) -> None:
    assert store.write_new("a/empty", b"")
    assert (store.read("a/empty").data, store.size("a/empty")) == (b"", 0)


def test_what_is_not_there_is_named(store: Store, tmp_path: Path) -> None:
    store.write_new("a/b", b"")
    assert store.size("a/missing") is None
    with pytest.raises(NotFoundError, match="a/missing"):
        store.read("a/missing")
    with pytest.raises(NotFoundError, match="a/missing"):
        store.read_if_changed("a/missing", MISSING_TAG)
    with pytest.raises(NotFoundError, match="a/missing"):
        store.download("a/missing", tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_an_object_is_created_once(store: Store) -> None:
    assert store.write_new("a/b", b"first")
    assert not store.write_new("a/b", b"second")
    assert store.read("a/b").data == b"first"


def test_a_file_is_uploaded_once(store: Store, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"first")
    assert store.upload_new("a/b", source)
    source.write_bytes(b"second")
    assert not store.upload_new("a/b", source)
    assert store.read("a/b").data == b"first"


def test_a_large_object_comes_back_byte_for_byte(store: Store, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(os.urandom(20 << 20))
    assert store.upload_new("objects/large", source)
    store.download("objects/large", target)
    assert target.read_bytes() == source.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "source",
        "target",
    ]


def test_an_unchanged_object_is_not_sent_again(store: Store) -> None:
    store.write_new("a/b", b"one")
    etag = store.read("a/b").etag
    assert store.read_if_changed("a/b", etag) is None
    store.replace("a/b", b"two", etag)
    changed = store.read_if_changed("a/b", etag)
    assert changed is not None
    assert changed.data == b"two"


def test_replacing_needs_the_tag_of_what_is_there(store: Store) -> None:
    first = store.replace("a/b", b"one", None)
    with pytest.raises(ConflictError, match="a/b"):
        store.replace("a/b", b"two", None)
    second = store.replace("a/b", b"two", first)
    with pytest.raises(ConflictError, match="a/b"):
        store.replace("a/b", b"three", first)
    assert (store.read("a/b").data, store.read("a/b").etag) == (b"two", second)


def test_replacing_what_was_deleted_is_a_conflict(store: Store) -> None:
    with pytest.raises(ConflictError, match="a/missing"):
        store.replace("a/missing", b"", MISSING_TAG)
    etag = store.replace("a/b", b"one", None)
    store.delete("a/b")
    with pytest.raises(ConflictError, match="a/b"):
        store.replace("a/b", b"two", etag)
    assert store.size("a/b") is None


def test_deleting_twice_is_no_error(store: Store) -> None:
    store.write_new("a/b", b"")
    store.delete("a/b")
    store.delete("a/b")
    assert list(store.list("")) == []


def test_an_object_is_deleted_only_as_it_was_seen(store: Store) -> None:
    store.write_new("channels/preview.json", b"one")
    seen = store.read("channels/preview.json").etag
    changed = store.replace("channels/preview.json", b"two", seen)
    with pytest.raises(ConflictError):
        store.delete_unchanged("channels/preview.json", seen)
    assert store.read("channels/preview.json").data == b"two"
    store.delete_unchanged("channels/preview.json", changed)
    assert store.size("channels/preview.json") is None
    with pytest.raises(ConflictError):
        store.delete_unchanged("channels/preview.json", changed)


def test_a_listing_is_in_the_order_of_the_keys(store: Store) -> None:
    for key in ("a/b/c", "a-b", "a/b1", "a/a", "b/a", "a/b.json"):
        store.write_new(key, key.encode())
    assert [entry.key for entry in store.list("")] == [
        "a-b", "a/a", "a/b.json", "a/b/c", "a/b1", "b/a",
    ]  # fmt: skip
    assert [entry.key for entry in store.list("a/b")] == ["a/b.json", "a/b/c", "a/b1"]
    assert [entry.key for entry in store.list("a/b/")] == ["a/b/c"]
    assert list(store.list("nothing/")) == []


def test_a_listing_tells_size_and_age(store: Store) -> None:
    store.write_new("a/b", b"12345")
    (entry,) = store.list("a/")
    assert entry.size == 5
    assert abs((datetime.now(UTC) - entry.modified).total_seconds()) < 3600


def test_a_key_stays_inside_the_store(store: Store) -> None:
    for key in ("", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", ".tmp/a", "a\\b", "ř", "a\n"):
        with pytest.raises(StoreError, match="is not a key"):
            store.write_new(key, b"")
        with pytest.raises(StoreError, match="is not a key"):
            store.read(key)


def test_conditional_writes_are_there(store: Store) -> None:
    store.require_conditional_writes()
    store.require_conditional_writes()
    assert {entry.key for entry in store.list("")} <= {"probe/conditional-write"}


def test_the_url_opens_the_same_store(store: Store) -> None:
    store.write_new("a/b", b"found again")
    if store.url.startswith("file:"):
        assert open_store(store.url).read("a/b").data == b"found again"
    else:
        assert store.url.endswith("/some/prefix")


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(ConfigError, match="'ftp'"):
        open_store("ftp://host/folder")


def test_one_of_many_writers_creates_an_object(store: Store) -> None:
    _skip_moto(store)
    outcomes = _race(lambda number: store.write_new("a/race", f"writer {number}".encode()))
    assert outcomes.count(True) == 1
    assert store.read("a/race").data == f"writer {outcomes.index(True)}".encode()


def test_one_of_many_writers_swaps_an_object(store: Store) -> None:
    _skip_moto(store)
    etag = store.replace("a/race", b"before", None)

    def swap(number: int) -> bool:
        try:
            store.replace("a/race", f"writer {number}".encode(), etag)
        except ConflictError:
            return False
        return True

    outcomes = _race(swap)
    assert outcomes.count(True) == 1
    assert store.read("a/race").data == f"writer {outcomes.index(True)}".encode()


def _skip_moto(store: Store) -> None:
    if isinstance(store, S3Store) and store.url.startswith("s3://wiki/"):
        pytest.skip("moto looks and writes in two steps")


def _race(write: Callable[[int], bool]) -> list[bool]:
    start = threading.Barrier(WRITERS, timeout=30)

    def run(number: int) -> bool:
        start.wait()
        return write(number)

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(run, range(WRITERS)))
