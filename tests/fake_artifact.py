"""Artifact folders of a few small files, made by hand, and stores to publish them to."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from build.publish import check_whole, publish
from index_artifacts.file_store import FileStore
from index_artifacts.manifest import FileEntry, Manifest, Source
from index_artifacts.version_store import channel_key, read_manifest, read_pointer

if TYPE_CHECKING:
    from pathlib import Path

MODEL = b"the model, which every version shares " * 100


def make_artifact(
    folder: Path,
    version: str,
    *,
    revision: str | None = None,
    committed_at: str | None = None,
    ancestors: tuple[str, ...] = (),
) -> Manifest:
    """Write an artifact: an index and a graph of its own, and a model shared by all."""
    contents = {
        "index.sqlite": f"index of {version} ".encode() * 200,
        "graph.pickle": f"graph of {version} ".encode() * 50,
        "model/model.onnx": MODEL,
    }
    for name, data in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    manifest = Manifest(
        version=version,
        source=Source(revision=revision, committed_at=committed_at, ancestors=ancestors),
        files=tuple(file_entry(name, data) for name, data in sorted(contents.items())),
        counts={"documents": 1},
        config={},
        analyzer="test",
        encoder={},
    )
    (folder / "manifest.json").write_bytes(manifest.to_json())
    return manifest


def file_entry(name: str, data: bytes) -> FileEntry:
    """Return the manifest's entry for a file of this content."""
    return FileEntry(name, hashlib.sha256(data).hexdigest(), len(data))


def artifact(tmp_path: Path, version: str, **source: object) -> Path:
    """Make an artifact folder and return it."""
    make_artifact(tmp_path / version, version, **source)  # type: ignore[arg-type]
    return tmp_path / version


def served(store: FileStore, channel: str = "latest") -> Manifest:
    """Return the manifest that a channel serves, once its version is whole."""
    manifest = read_manifest(store, read_pointer(store, channel)[0])
    check_whole(store, manifest)
    return manifest


class Interrupted(FileStore):
    """Lets somebody else publish just before each of the first swaps of the pointer."""

    def __init__(self, folder: Path, others: list[Path]) -> None:
        super().__init__(folder)
        self.others = others

    def replace(self, key: str, data: bytes, etag: str | None) -> str:
        if key == channel_key("latest") and self.others:
            publish(self.others.pop(0), FileStore(self.folder))
        return super().replace(key, data, etag)
