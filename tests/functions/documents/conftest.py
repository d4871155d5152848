"""A wiki with a secret collection: its repository at a forge, its version, and its callers."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from build.config import load_config
from build.pipeline import build_version
from build.publish import publish
from functions.local import create_local_app
from functions.settings import Settings
from index_artifacts.store import open_store
from tests.bare_repository import BareRepository
from tests.forge_server import ForgeServer, running_forge
from tests.keys import entry, ring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from httpx2 import Response

CONFIG = """# The wiki of a team.
[wiki]
root = "pages"            # where the pages are
languages = ["en"]

[model]
kind = "cooccurrence"

# Who may read this is decided by keys.
[[collections]]
name = "secret"
path = "secret"

[[collections]]
name = "wiki"
"""
PAGES = {
    "index.md": "---\ntitle: Start\n---\n\nThe server listens on port 8080 and hums all night.\n",
    "guides/printer.md": "# Printer\n\nPrinters need paper and toner in the office.\n",
    "guides/Žltá kniha.md": "# Yellow book\n\nTomatoes and basil grow behind the building.\n",
    "secret/plan.md": "# Plan\n\nA walrus arrives on Monday and nobody may know.\n",
}
FILES = {
    "edgewiki.toml": CONFIG.encode(),
    "README.md": b"Not a page: it lies outside of the root.\n",
    **{f"pages/{path}": text.encode() for path, text in PAGES.items()},
}
KEYS = {
    name: f"key-of-{name}-0123456789-0123456789"
    for name in ("ana", "bob", "root", "guest", "clerk", "chief")
}
API_KEYS = ring(
    entry(KEYS["ana"], "ana", "user"),
    entry(KEYS["bob"], "bob", "user"),
    entry(KEYS["root"], "root", "admin"),
    entry(KEYS["guest"], "guest", "guest"),
    entry(KEYS["clerk"], "clerk", "user", collections=["wiki"]),
    entry(KEYS["chief"], "chief", "admin", collections=["wiki"]),
)


def publish_from(repository: Path, store: Path, work: Path) -> str:
    """Clone, build and publish as CI does; return the version."""
    clone = work / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", str(repository), str(clone)], check=True)
    built = build_version(
        clone, work / "artifact", load_config(clone), open_store(f"file://{work / 'vectors'}")
    )
    publish(work / "artifact", open_store(f"file://{store}"))
    return built.manifest.version


@pytest.fixture(scope="session")
def built_wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the repository ``wiki.git`` and the ``store`` that serves its version."""
    folder = tmp_path_factory.mktemp("forge-wiki")
    BareRepository(folder / "wiki.git").commit(dict(FILES), "The wiki")
    publish_from(folder / "wiki.git", folder / "store", folder)
    return folder


@dataclass
class Installation:
    """Everything that a test sees: the forge, the app, its callers, and the jobs asked for."""

    forge: ForgeServer
    settings: Settings
    folder: Path
    jobs: list[dict[str, str]] = field(default_factory=list)
    clients: dict[str, TestClient] = field(default_factory=dict)

    def ask(self, caller: str, method: str, path: str, **fields: Any) -> Response:
        """Send a request with the key of ``caller``."""
        headers = {"X-API-Key": KEYS[caller], **fields.pop("headers", {})}
        return self.clients["all"].request(method, path, headers=headers, **fields)

    def put(self, caller: str, page: str, content: str, **fields: Any) -> Response:
        """Write a page."""
        body = {"content": content, **fields}
        return self.ask(caller, "PUT", f"/documents/{page}", json=body)

    def sha(self, page: str) -> str:
        """The blob of a page on the branch."""
        found = self.forge.repository.entry("main", f"pages/{page}")
        return found.sha if found else ""

    def text(self, page: str) -> str | None:
        """A page on the branch."""
        found = self.forge.repository.show(f"pages/{page}")
        return None if found is None else found.decode()


@pytest.fixture
def install(built_wiki: Path, tmp_path: Path) -> Iterator[Callable[..., Installation]]:
    """Start an installation on a copy of the wiki; keyword arguments are settings."""
    shutil.copytree(built_wiki / "wiki.git", tmp_path / "wiki.git")
    shutil.copytree(built_wiki / "store", tmp_path / "store")
    running: list[Any] = []

    def start(kind: str = "github", **fields: Any) -> Installation:
        forge = running_forge(kind, tmp_path / "wiki.git")
        running.append(forge)
        server = forge.__enter__()
        defaults = {
            "store": f"file://{tmp_path / 'store'}",
            "cache_dir": tmp_path / "cache",
            "api_keys": API_KEYS,
            "refresh_seconds": 3600.0,
            **server.settings,
        }
        settings = Settings(**{**defaults, **fields})
        installation = Installation(server, settings, tmp_path)
        app = create_local_app(settings)
        app.state.request_sync = _recorder(installation.jobs)
        client = TestClient(app, raise_server_exceptions=False)
        installation.clients["all"] = client
        return installation

    yield start
    for forge in running:
        forge.__exit__(None, None, None)


@dataclass(frozen=True, slots=True)
class Ticket:
    """A job as the sync function tells of one."""

    job_id: str
    status_url: str


def _recorder(jobs: list[dict[str, str]]) -> Callable[..., Ticket]:
    def request_sync(
        settings: Settings, *, reason: str, revision: str, requested_by: str
    ) -> Ticket:
        assert settings.forge
        jobs.append({"reason": reason, "revision": revision, "requested_by": requested_by})
        return Ticket(f"job-{len(jobs)}", f"/sync/jobs/job-{len(jobs)}")

    return request_sync


@pytest.fixture
def wiki(install: Callable[..., Installation]) -> Installation:
    return install()
