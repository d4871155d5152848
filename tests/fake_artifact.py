"""Artifact folders of a few small files, made by hand: what publishing needs to see."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from index_artifacts.manifest import FileEntry, Manifest, Source

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
