"""Objects that arrive in part, are altered or missing, and pointers to what is not there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from index_artifacts.version_store import blob_key, channel_key, manifest_key
from tests.faults.conftest import FaultyStore, reading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from index_artifacts.artifact import Artifact


def index_key(artifact: Artifact) -> str:
    return blob_key(artifact.manifest.file("index.sqlite").sha256)


def truncate(faulty: FaultyStore, artifact: Artifact) -> None:
    key = index_key(artifact)
    faulty.overwrite(key, faulty.read(key)[:-1000])


def alter(faulty: FaultyStore, artifact: Artifact) -> None:
    key = index_key(artifact)
    data = faulty.read(key)
    faulty.overwrite(key, data[:5000] + bytes([data[5000] ^ 1]) + data[5001:])


def lose_blob(faulty: FaultyStore, artifact: Artifact) -> None:
    faulty.delete(index_key(artifact))


def lose_version(faulty: FaultyStore, artifact: Artifact) -> None:
    faulty.delete(manifest_key(artifact.manifest.version))


def alter_manifest(faulty: FaultyStore, artifact: Artifact) -> None:
    key = manifest_key(artifact.manifest.version)
    faulty.overwrite(key, faulty.read(key).replace(b'"chunks":', b'"chunkz":'))


def point_to_nothing(faulty: FaultyStore, artifact: Artifact) -> None:  # noqa: ARG001
    pointer = json.loads(faulty.read(channel_key("latest")))
    faulty.overwrite(channel_key("latest"), json.dumps({**pointer, "version": "gone"}).encode())


def misdate(faulty: FaultyStore, artifact: Artifact) -> None:  # noqa: ARG001
    pointer = json.loads(faulty.read(channel_key("latest")))
    faulty.overwrite(channel_key("latest"), json.dumps({**pointer, "published_at": 5}).encode())


def scribble(faulty: FaultyStore, artifact: Artifact) -> None:  # noqa: ARG001
    faulty.overwrite(channel_key("latest"), b'{"version": ')


@pytest.mark.parametrize(
    "damage",
    [truncate, alter, lose_blob, lose_version, alter_manifest, point_to_nothing, misdate, scribble],
)
def test_a_damaged_version_is_never_served_and_a_mended_one_is(
    faulty: FaultyStore,
    versions: list[Artifact],
    tmp_path: Path,
    damage: Callable[[FaultyStore, Artifact], None],
) -> None:
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == old
        faulty.publish(versions[1])
        damage(faulty, versions[1])
        assert reader.served() == old
        assert reader.health()["status"] == "degraded"
        assert not list((tmp_path / "cache" / "objects").glob(".*"))
        mended = faulty.publish(versions[2], force=True)
        assert reader.served() == mended
        assert reader.health()["status"] == "ok"


@pytest.mark.parametrize("damage", [truncate, lose_version])
def test_a_damaged_version_at_the_start_is_503(
    faulty: FaultyStore,
    versions: list[Artifact],
    tmp_path: Path,
    damage: Callable[[FaultyStore, Artifact], None],
) -> None:
    faulty.publish(versions[0])
    damage(faulty, versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.search().status_code == 503
        mended = faulty.publish(versions[1], force=True)
        assert reader.served() == mended


def test_a_connection_that_breaks_in_the_middle_leaves_no_half_and_the_old_version(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path
) -> None:
    old = faulty.publish(versions[0])
    with reading(faulty.url, tmp_path / "cache") as reader:
        assert reader.served() == old
        new = faulty.publish(versions[1])
        faulty.way.cut(60_000)
        assert reader.served() == old
        assert reader.health()["status"] == "degraded"
        assert not list((tmp_path / "cache" / "objects").glob(".*"))
        faulty.way.heal()
        assert reader.served() == new
