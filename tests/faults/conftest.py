"""A wiki in several versions, in a bucket of a real server that is reached by a faulty way."""

from __future__ import annotations

import os
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from build.publish import publish
from eval.tcp_proxy import TcpProxy, running_proxy
from functions.local import create_local_app
from functions.settings import Settings
from tests.serving import serving_app
from tests.tiny_wiki import PAGES, build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from index_artifacts.artifact import Artifact
    from tests.s3_server import S3Server

PREFIX = "wiki"


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> list[Artifact]:
    """Four versions of a tiny wiki: each has a page more than the one before."""
    pages, built = dict(PAGES), []
    for number in range(4):
        built.append(build(tmp_path_factory.mktemp(f"version-{number}"), pages))
        pages[f"news-{number}.md"] = f"# News {number}\n\nPrinter number {number} was bought.\n"
    return built


@dataclass(frozen=True)
class FaultyStore:
    """A bucket. Publishers reach it straight, readers through ``way``."""

    way: TcpProxy
    server: S3Server
    bucket: str

    @property
    def url(self) -> str:
        """What readers and publishers call it."""
        return f"s3://{self.bucket}/{PREFIX}"

    def publish(self, artifact: Artifact, **options: Any) -> str:
        """Let ``latest`` serve it; its version."""
        with self.server.store(self.bucket, PREFIX, "publisher") as store:
            return publish(artifact.folder, store, **options).version

    def read(self, key: str) -> bytes:
        """An object's bytes, past everything."""
        with self.server.store(self.bucket, PREFIX) as store:
            return store.read(key).data

    def overwrite(self, key: str, data: bytes) -> None:
        """Put other bytes in an object's place, as no publisher does."""
        client = self.server.client()
        client.put_object(Bucket=self.bucket, Key=f"{PREFIX}/{key}", Body=data)
        client.close()

    def delete(self, key: str) -> None:
        """Remove an object."""
        with self.server.store(self.bucket, PREFIX) as store:
            store.delete(key)

    def environ(self, identity: str = "reader") -> dict[str, str]:
        """What a process needs to reach the bucket through ``way``."""
        return {
            **self.server.environ(identity),
            "EDGEWIKI_S3_ENDPOINT": self.way.url,
            "AWS_MAX_ATTEMPTS": "2",
        }


@pytest.fixture
def faulty(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyStore]:
    """An empty bucket; this process is a reader of it."""
    bucket = f"faults-{uuid.uuid4().hex[:12]}"
    client = s3_server.client()
    client.create_bucket(Bucket=bucket)
    client.close()
    with running_proxy(s3_server.endpoint) as way:
        store = FaultyStore(way, s3_server, bucket)
        for name, value in store.environ().items():
            monkeypatch.setenv(name, value)
        yield store


class Reader:
    """A client of a server of the functions."""

    def __init__(self, url: str) -> None:
        self._client = httpx.Client(base_url=url, timeout=120, trust_env=False)

    def search(self) -> httpx.Response:
        """One question that every version answers."""
        return self._client.get("/search", params={"q": "printer toner"})

    def served(self) -> str:
        """The version that a question was answered from."""
        answer = self.search()
        assert answer.status_code == 200, answer.text
        assert answer.json()["hits"][0]["document"]["id"] == "printer.md"
        return str(answer.json()["index_version"])

    def health(self) -> dict[str, Any]:
        """What `/health` says."""
        found: dict[str, Any] = self._client.get("/health").json()
        return found

    def close(self) -> None:
        """Close its connections."""
        self._client.close()


@contextmanager
def reading(store: str, cache: Path, **settings: Any) -> Iterator[Reader]:
    """A client of a real server of ``store``, which looks at the pointer for every request.

    Its requests wait for whatever they begin, unless the settings say otherwise.
    """
    given = {
        "store": store,
        "cache_dir": cache,
        "allow_anonymous": True,
        "refresh_seconds": 0,
        "refresh_wait_seconds": 120,
        "open_wait_seconds": 120,
        **settings,
    }
    app = create_local_app(Settings(**given))
    with serving_app(app) as url:
        reader = Reader(url)
        try:
            yield reader
        finally:
            reader.close()
    app.state.version_state._store.close()  # a server ends with its process, a test does not


def until(is_so: Callable[[], bool], what: str) -> None:
    """Wait until it is so; half a minute at most."""
    for _ in range(300):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(f"still not so after 30 s: {what}")
