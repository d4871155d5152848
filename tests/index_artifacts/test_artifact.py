"""Fetching a version into a cache: nothing unverified is ever opened."""

from __future__ import annotations

import json
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.artifact import Artifact, fetch_channel, fetch_version, open_artifact
from index_artifacts.encoder import check_same_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import (
    ArtifactError,
    IntegrityError,
    ModelMismatchError,
    NotFoundError,
)
from index_artifacts.file_store import FileStore
from index_artifacts.index import Index
from index_artifacts.version_store import blob_key, manifest_key, read_pointer
from tests.tiny_wiki import PAGES, build, build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """A tiny wiki; its store lies beside it, in ``store``."""
    folder = tmp_path_factory.mktemp("artifact")
    return build_and_publish(folder / "store", folder)


@pytest.fixture
def store(published: Artifact, tmp_path: Path) -> FileStore:
    """A copy of the store, to damage."""
    shutil.copytree(published.folder.parent / "store", tmp_path / "store")
    return FileStore(tmp_path / "store")


class Counting(FileStore):
    """Remembers what was downloaded."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.downloads: list[str] = []

    def download(self, key: str, path: Path) -> None:
        self.downloads.append(key)
        super().download(key, path)


def blob_of(store: FileStore, published: Artifact, name: str = "index.sqlite") -> Path:
    return store.folder / blob_key(published.manifest.file(name).sha256)


def test_a_version_is_laid_out_under_its_own_names(
    store: FileStore, published: Artifact, tmp_path: Path
) -> None:
    artifact = fetch_channel(store, "latest", tmp_path / "cache")
    assert artifact.manifest == published.manifest
    for entry in published.manifest.files:
        assert (artifact.folder / entry.name).read_bytes() == (
            published.folder / entry.name
        ).read_bytes()
    assert Index(artifact).chunk_count == published.manifest.counts["chunks"]
    assert open_encoder(artifact.model).fingerprint == published.manifest.encoder["fingerprint"]


def test_only_what_is_wanted_is_downloaded(
    store: FileStore, published: Artifact, tmp_path: Path
) -> None:
    counting = Counting(store.folder)
    artifact = fetch_channel(counting, "latest", tmp_path / "cache", ("graph.pickle",))
    assert counting.downloads == [blob_key(published.manifest.file("graph.pickle").sha256)]
    assert artifact.graph.exists()
    assert not artifact.index.exists()


def test_what_the_cache_holds_is_not_downloaded_again(store: FileStore, tmp_path: Path) -> None:
    fetch_channel(store, "latest", tmp_path / "cache")
    again = Counting(store.folder)
    fetch_channel(again, "latest", tmp_path / "cache")
    assert again.downloads == []


@pytest.mark.parametrize("garbage", [b"", b"SQLite format 3\x00 garbage"])
def test_garbage_in_the_cache_is_noticed_and_replaced(
    store: FileStore, published: Artifact, tmp_path: Path, garbage: bytes
) -> None:
    artifact = fetch_channel(store, "latest", tmp_path / "cache")
    artifact.index.resolve().write_bytes(garbage)
    again = Counting(store.folder)
    healed = fetch_channel(again, "latest", tmp_path / "cache")
    assert again.downloads == [blob_key(published.manifest.file("index.sqlite").sha256)]
    assert Index(healed).chunk_count == published.manifest.counts["chunks"]


def test_a_cached_file_of_the_right_size_and_wrong_content_is_noticed(
    store: FileStore, tmp_path: Path
) -> None:
    artifact = fetch_channel(store, "latest", tmp_path / "cache")
    whole = artifact.index.read_bytes()
    artifact.index.resolve().write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert fetch_channel(store, "latest", tmp_path / "cache").index.read_bytes() == whole


def test_a_link_that_leads_elsewhere_is_put_right(store: FileStore, tmp_path: Path) -> None:
    artifact = fetch_channel(store, "latest", tmp_path / "cache")
    whole = artifact.index.read_bytes()
    artifact.index.unlink()
    artifact.index.write_bytes(b"a file where a link belongs")
    assert fetch_channel(store, "latest", tmp_path / "cache").index.read_bytes() == whole


def truncate(blob: Path) -> None:
    blob.write_bytes(blob.read_bytes()[: blob.stat().st_size * 6 // 10])


def flip_a_bit(blob: Path) -> None:
    data = bytearray(blob.read_bytes())
    data[len(data) // 2] ^= 1
    blob.write_bytes(data)


@pytest.mark.parametrize("damage", [truncate, flip_a_bit])
@pytest.mark.parametrize("name", ["index.sqlite", "graph.pickle", "model/vectors.npy"])
def test_a_damaged_blob_is_refused_and_leaves_nothing_behind(
    store: FileStore,
    published: Artifact,
    tmp_path: Path,
    damage: Callable[[Path], None],
    name: str,
) -> None:
    damage(blob_of(store, published, name))
    with pytest.raises(IntegrityError, match=rf"{name}.*publish the version again"):
        fetch_channel(store, "latest", tmp_path / "cache")
    assert not (tmp_path / "cache" / "versions").exists()
    assert not list((tmp_path / "cache" / "objects").glob(".download-*"))
    assert published.manifest.file(name).sha256 not in {
        path.name for path in (tmp_path / "cache" / "objects").iterdir()
    }


def test_a_missing_blob_is_named(store: FileStore, published: Artifact, tmp_path: Path) -> None:
    blob_of(store, published).unlink()
    sha256 = published.manifest.file("index.sqlite").sha256
    with pytest.raises(NotFoundError, match=sha256):
        fetch_channel(store, "latest", tmp_path / "cache")


@pytest.mark.parametrize(
    "name",
    ["../../x", "model/../../../x", "/etc/passwd", "model/", "model//x", "model/./x", "..", "",
     "model/\x00", "model\\..\\x", ".hidden"],
)  # fmt: skip
def test_a_manifest_cannot_name_a_file_outside_its_version(
    store: FileStore, published: Artifact, tmp_path: Path, name: str
) -> None:
    path = store.folder / manifest_key(published.manifest.version)
    raw = json.loads(path.read_bytes())
    raw["files"][0]["name"] = name
    path.write_text(json.dumps(raw))
    with pytest.raises(IntegrityError):
        fetch_version(store, published.manifest.version, tmp_path / "a" / "b" / "cache")
    assert not (tmp_path / "a").exists()


def test_eight_readers_of_one_cache_do_not_disturb_each_other(
    store: FileStore, published: Artifact, tmp_path: Path
) -> None:
    pointer, _ = read_pointer(store, "latest")

    def fetch(_: int) -> int:
        return Index(fetch_version(store, pointer, tmp_path / "cache")).chunk_count

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(fetch, range(16)))
    assert counts == [published.manifest.counts["chunks"]] * 16
    folder = tmp_path / "cache" / "versions" / published.manifest.version
    assert {p.name for p in folder.iterdir()} == {"index.sqlite", "graph.pickle", "model"}


def test_an_index_stays_readable_while_its_file_is_replaced(
    store: FileStore, tmp_path: Path
) -> None:
    artifact = fetch_channel(store, "latest", tmp_path / "cache")
    index = Index(artifact)
    blob = artifact.index.resolve()
    other = tmp_path / "other"
    other.write_bytes(b"next version")
    other.replace(blob)
    assert index.connection.execute("SELECT count(*) FROM chunks").fetchone() == (4,)


def test_a_folder_without_an_artifact_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="holds no artifact: run `edgewiki build`"):
        open_artifact(tmp_path)


def test_sqlite_without_full_text_search_is_one_clear_sentence(
    published: Artifact, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Poor(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            if "fts5" in sql:
                raise sqlite3.OperationalError("no such module: fts5")
            return super().execute(sql, parameters)

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: real(*a, **{**k, "factory": Poor}))
    with pytest.raises(ArtifactError) as raised:
        Index(published)
    assert str(raised.value) == (
        f"this Python's SQLite {sqlite3.sqlite_version} has no FTS5: "
        "on Lambda choose the runtime python3.12 or newer"
    )


def copy_of(published: Artifact, tmp_path: Path) -> Artifact:
    shutil.copytree(published.folder, tmp_path / "copy")
    return open_artifact(tmp_path / "copy")


@pytest.mark.parametrize(("key", "value"), [("schema", "999"), ("analyzer", "porter/7")])
def test_an_index_of_another_layout_is_refused(
    published: Artifact, tmp_path: Path, key: str, value: str
) -> None:
    artifact = copy_of(published, tmp_path)
    connection = sqlite3.connect(artifact.index)
    with connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    connection.close()
    with pytest.raises(ArtifactError, match=f"{value}.*build it again, or run the edgewiki"):
        Index(artifact)


def test_a_file_that_is_no_database_is_refused(published: Artifact, tmp_path: Path) -> None:
    artifact = copy_of(published, tmp_path)
    artifact.index.write_bytes(b"not a database, though it was verified" * 100)
    with pytest.raises(ArtifactError, match="not an edgewiki index"):
        Index(artifact)


def test_an_index_cannot_be_written_to(published: Artifact) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        Index(published).connection.execute("DELETE FROM chunks")


def test_another_model_of_the_same_dimension_is_refused_by_both_fingerprints(
    published: Artifact, tmp_path: Path
) -> None:
    words = [f"{a}{b}" for a in ("amber", "birch", "cedar", "dahlia") for b in ("fall", "ing")]
    other = build(tmp_path, {**PAGES, "new.md": f"# Other\n\n{' '.join(words)}.\n"})
    encoder = open_encoder(other.model)
    described = published.manifest.encoder
    padded = {**described, "dimension": encoder.dimension}
    padded["probe"] = {
        kind: [1.0] + [0.0] * (encoder.dimension - 1) for kind in ("passage", "query")
    }
    with pytest.raises(ModelMismatchError) as raised:
        check_same_model(encoder, padded)
    assert described["fingerprint"][:12] in str(raised.value)
    assert encoder.fingerprint[:12] in str(raised.value)
    assert "cosine" in str(raised.value)


def test_the_model_that_built_a_version_is_accepted_in_another_format(
    published: Artifact,
) -> None:
    encoder = open_encoder(published.model)
    check_same_model(encoder, {**published.manifest.encoder, "fingerprint": "0" * 64})


def test_a_version_published_as_another_is_refused(
    store: FileStore, published: Artifact, tmp_path: Path
) -> None:
    path = store.folder / manifest_key("impostor")
    path.parent.mkdir(parents=True)
    path.write_bytes(published.manifest.to_json())
    with pytest.raises(IntegrityError, match="is the manifest of version"):
        fetch_version(store, "impostor", tmp_path / "cache")


def test_a_pointer_pins_the_manifest_that_it_was_published_with(
    store: FileStore, published: Artifact, tmp_path: Path
) -> None:
    pointer, _ = read_pointer(store, "latest")
    changed = replace(published.manifest, tuning={"lemma_weight": 9.0})
    (store.folder / manifest_key(pointer.version)).write_bytes(changed.to_json())
    with pytest.raises(IntegrityError, match=pointer.manifest_sha256):
        fetch_version(store, pointer, tmp_path / "cache")
