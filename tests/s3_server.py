"""Fixtures of a real S3 server, one for each test process."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from eval.s3_server import S3Server, make_client, running_s3_server, unused_port

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["S3Server", "make_client", "s3_bucket", "s3_server", "unused_port"]


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """A running server with no bucket."""
    with running_s3_server(tmp_path_factory.mktemp("seaweedfs")) as server:
        yield server


@pytest.fixture
def s3_bucket(s3_server: S3Server) -> str:
    """The name of a fresh, empty bucket."""
    name = f"wiki-{uuid.uuid4().hex[:12]}"
    client = s3_server.client()
    client.create_bucket(Bucket=name)
    client.close()
    return name
