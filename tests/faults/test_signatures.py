"""A reader with a key: what nobody signed, or somebody else did, is never served."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.conftest import FaultyStore, reading

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.artifact import Artifact

KEY = "the-key-of-the-publisher-0123456789"
OTHER = "the-key-of-somebody-else-0123456789"


@pytest.mark.parametrize("other", [None, OTHER.encode()], ids=["unsigned", "wrongly signed"])
def test_a_version_without_the_right_signature_is_refused(
    faulty: FaultyStore, versions: list[Artifact], tmp_path: Path, other: bytes | None
) -> None:
    faulty.publish(versions[0], signing_key=other)
    with reading(faulty.url, tmp_path / "cache", signing_key=KEY) as reader:
        refused = reader.search()
        assert (refused.status_code, refused.json()["status"]) == (503, "unavailable")
        assert KEY not in refused.text
        signed = faulty.publish(versions[1], signing_key=KEY.encode())
        assert reader.served() == signed
        faulty.publish(versions[2], signing_key=other)
        assert reader.served() == signed
        assert reader.health()["status"] == "degraded"
        # The very same version, now signed: its manifest is superseded, its blobs are not.
        assert faulty.publish(versions[2], signing_key=KEY.encode()) == reader.served()
