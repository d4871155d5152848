"""The store in a folder: URLs, halves, and what the disk may refuse."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from index_artifacts.errors import (
    ConfigError,
    NotFoundError,
    UnavailableError,
    UnsupportedError,
)
from index_artifacts.file_store import FileStore


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("file:///srv/wiki", "/srv/wiki"),
        ("file://localhost/srv/wiki", "/srv/wiki"),
        ("file:///srv/my%20wiki", "/srv/my wiki"),
        ("/srv/my%20wiki", "/srv/my%20wiki"),
    ],
)
def test_a_url_names_a_folder(url: str, folder: str) -> None:
    assert FileStore.from_url(url).folder == Path(folder)


@pytest.mark.parametrize("url", ["store", "./store", "file://./store"])
def test_a_relative_url_starts_here(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    FileStore.from_url(url).write_new("a", b"")
    assert (tmp_path / "store" / "a").is_file()


def test_a_url_with_a_host_is_refused() -> None:
    with pytest.raises(ConfigError, match="'srv'"):
        FileStore.from_url("file://srv/wiki")


def test_a_url_with_spaces_survives_the_way_back(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "my wiki")
    assert FileStore.from_url(store.url).folder == store.folder


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"nowhere: there is no such folder"):
        FileStore(tmp_path / "nowhere").read("channels/latest.json")


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "store").write_bytes(b"")
    store = FileStore(tmp_path / "store")
    with pytest.raises(UnavailableError, match=r"store.*(Not a directory|File exists)"):
        store.write_new("a", b"")
    with pytest.raises(UnavailableError, match=r"store.*Not a directory"):
        store.read("a")


def test_a_missing_target_folder_is_named(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "store")
    store.write_new("a", b"")
    with pytest.raises(UnavailableError, match=r"nowhere.*No such file"):
        store.download("a", tmp_path / "nowhere" / "target")


def test_a_missing_source_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match=r"nowhere.*No such file"):
        FileStore(tmp_path / "store").upload_new("a", tmp_path / "nowhere")


def test_a_refused_write_names_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "store" / "a"))

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(UnavailableError, match=r"store/a: Permission denied"):
        FileStore(tmp_path / "store").write_new("a", b"")


def test_a_disk_without_hard_links_is_unsupported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(UnsupportedError, match="hard links"):
        FileStore(tmp_path / "store").require_conditional_writes()


def test_a_full_disk_leaves_no_half(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(bytes(1 << 20))
    store = FileStore(tmp_path / "store")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, limits[1]))
    try:
        with pytest.raises(UnavailableError, match=r"File too large.*free space"):
            store.upload_new("objects/large", source)
        with pytest.raises(UnavailableError, match=r"File too large"):
            store.write_new("objects/large", bytes(1 << 20))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert [path for path in store.folder.rglob("*") if path.is_file()] == []


def test_an_upload_copies(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"as published")
    store = FileStore(tmp_path / "store")
    store.upload_new("a", source)
    source.write_bytes(b"changed since")
    assert store.read("a").data == b"as published"


def test_another_user_can_read_an_object(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    store.write_new("a", b"")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


def test_a_listing_hides_the_store_s_own_files(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    store.replace("a", b"2", store.replace("a", b"1", None))
    (tmp_path / ".tmp" / "half").write_bytes(b"half an object")
    assert (tmp_path / ".lock").exists()
    assert [entry.key for entry in store.list("")] == ["a"]


def test_a_killed_writer_leaves_no_half_object(tmp_path: Path) -> None:
    script = (
        "import os, sys, time; from pathlib import Path\n"
        "from index_artifacts.file_store import FileStore\n"
        "os.link = lambda *_: (print('half', flush=True), time.sleep(60))\n"
        f"FileStore(Path({str(tmp_path)!r})).write_new('a/b', b'content')\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half\n"
        process.kill()
    store = FileStore(tmp_path)
    assert list(store.list("")) == []
    assert store.write_new("a/b", b"again")
    assert store.read("a/b").data == b"again"


def test_leftovers_of_yesterday_are_removed(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    store.write_new("a", b"")
    old, young = tmp_path / ".tmp" / "old", tmp_path / ".tmp" / "young"
    old.write_bytes(b"")
    young.write_bytes(b"")
    os.utime(old, (time.time() - 2 * 86400,) * 2)
    store.write_new("b", b"")
    assert not old.exists()
    assert young.exists()
