"""Versions that differ in their index alone, made of one: what is published while others read.

Compiling a wiki again takes many seconds, most of it for dictionaries; a reader cannot tell the
difference, for it downloads, verifies and opens a new index in any case.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.artifact import Artifact
from index_artifacts.manifest import INDEX_FILE, MANIFEST_FILE, FileEntry

if TYPE_CHECKING:
    from pathlib import Path


def make_editions(artifact: Artifact, folder: Path, count: int) -> list[Artifact]:
    """Write ``count`` artifacts below ``folder``, each a version of its own."""
    return [_edition(artifact, folder / f"edition-{number}", number) for number in range(count)]


def _edition(artifact: Artifact, folder: Path, number: int) -> Artifact:
    for entry in artifact.manifest.files:
        target = folder / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.name == INDEX_FILE:
            shutil.copyfile(artifact.folder / entry.name, target)
        else:
            os.link((artifact.folder / entry.name).resolve(), target)
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index, index:
        index.execute("INSERT INTO meta (key, value) VALUES ('edition', ?)", (str(number),))
    data = (folder / INDEX_FILE).read_bytes()
    changed = FileEntry(INDEX_FILE, hashlib.sha256(data).hexdigest(), len(data))
    manifest = replace(
        artifact.manifest,
        version=f"{artifact.manifest.version}.{number}",
        files=tuple(
            changed if entry.name == INDEX_FILE else entry for entry in artifact.manifest.files
        ),
    )
    (folder / MANIFEST_FILE).write_bytes(manifest.to_json())
    return Artifact(manifest, folder)
