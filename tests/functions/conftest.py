"""A tiny published wiki, and the app over it."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.settings import Settings
from functions.state import State
from index_artifacts.errors import UnavailableError
from index_artifacts.file_store import FileStore
from index_artifacts.language_model import LanguageModel
from tests.index_artifacts.graph.graph_wiki import PAGES as DEPARTMENT
from tests.keys import one_key
from tests.llm_asking import KEY as KEY_OF_MODEL
from tests.tiny_wiki import PAGES, build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi import FastAPI

    from index_artifacts.artifact import Artifact
    from index_artifacts.store import StoredObject
    from tests.llm_server import LlmServer

TTL = 60.0
KEY = "a-key-of-the-tests-0123456789abcdef"
WIKI = {
    **PAGES,
    "report.md": "---\ntitle: Yearly report\nyear: 2024\ntaxonomy:\n  author: Ada Noll\n"
    "  tag: [budget]\n  category: [office]\n---\n\nThe budget paid for one printer.\n",
}


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def open_model(llm_server: LlmServer) -> Callable[..., LanguageModel]:
    """Open a client of the scripted server; its waits are short."""
    import openai  # not in a test's time: on a busy machine it takes a second

    assert openai.__version__

    def opened(url: str = llm_server.url, **options: Any) -> LanguageModel:
        return LanguageModel(url, "m", KEY_OF_MODEL, **{"backoff": 0.001, **options})

    return opened


@pytest.fixture
def model(open_model: Callable[..., LanguageModel]) -> LanguageModel:
    return open_model()


@pytest.fixture(scope="session")
def tiny_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose channel serves `WIKI`; tests only read it."""
    folder = tmp_path_factory.mktemp("tiny")
    build_and_publish(folder / "store", folder, WIKI)
    return folder / "store"


@pytest.fixture(scope="session")
def rag_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose channel serves the pages of `tests.functions.rag_wiki`, only read as well."""
    from tests.functions.rag_wiki import PAGES as RAG_PAGES

    folder = tmp_path_factory.mktemp("rag")
    build_and_publish(folder / "store", folder, RAG_PAGES)
    return folder / "store"


@pytest.fixture(scope="session")
def answer_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose channel serves the pages of `tests.functions.answer_wiki`, only read too."""
    from tests.functions.answer_wiki import LANGUAGES
    from tests.functions.answer_wiki import PAGES as ANSWER_PAGES

    folder = tmp_path_factory.mktemp("answer")
    build_and_publish(folder / "store", folder, ANSWER_PAGES, languages=LANGUAGES)
    return folder / "store"


@pytest.fixture
def settings(tiny_store: Path, tmp_path: Path) -> Callable[..., Settings]:
    """Make settings over the tiny store; keyword arguments replace any of them."""

    def make(**fields: Any) -> Settings:
        defaults = {
            "store": f"file://{tiny_store}",
            "cache_dir": tmp_path / "cache",
            "api_keys": one_key(KEY),
            "refresh_wait_seconds": 60,  # on a busy machine, too, a refresh is awaited
        }
        return Settings(**{**defaults, **fields})

    return make


@pytest.fixture
def app(settings: Callable[..., Settings]) -> FastAPI:
    return create_local_app(settings())


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """A client that sends the right key. A bug in the app raises in no test: it is answered."""
    with TestClient(app, headers={"X-API-Key": KEY}, raise_server_exceptions=False) as client:
        yield client


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Watched(FileStore):
    """Counts what is asked of the store, and can be down."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked: list[str] = []
        self.down = False

    def read(self, key: str) -> StoredObject:
        self._ask(f"read {key}")
        return super().read(key)

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        self._ask(f"if-changed {key}")
        found = FileStore(self.folder).read(key)
        return None if found.etag == etag else found

    def download(self, key: str, path: Path) -> None:
        self._ask(f"download {key}")
        super().download(key, path)

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if self.down:
            raise UnavailableError("the store is down")


@pytest.fixture(scope="session")
def graph_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose channel serves the wiki of a small department."""
    folder = tmp_path_factory.mktemp("graph-store")
    languages = ("sk", "cs", "pl", "ru", "en")
    build_and_publish(folder / "store", folder, DEPARTMENT, languages=languages)
    return folder / "store"


@pytest.fixture
def store(tiny_store: Path, tmp_path: Path) -> Watched:
    """A copy of the tiny store, to publish to and to damage."""
    shutil.copytree(tiny_store, tmp_path / "store")
    return Watched(tmp_path / "store")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(
    store: Watched,
    clock: Clock,
    settings: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
) -> State:
    monkeypatch.setattr("functions.state.open_store", lambda _: store)
    return State(settings(store=store.url, refresh_seconds=TTL), clock)


def publish_next(store: Watched, tmp_path: Path, name: str = "next") -> Artifact:
    pages = {**WIKI, "new.md": f"# New page\n\nA walrus arrived, it is called {name}.\n"}
    return build_and_publish(store.folder, tmp_path / name, pages)
