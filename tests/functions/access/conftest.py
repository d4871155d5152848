"""Two published versions, one of them without a collection, and a client of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.settings import Settings
from tests.functions.access.held_together import ALL_KEY, NO_KEY
from tests.functions.access.hidden_wiki import WITH, WITHOUT
from tests.functions.conftest import KEY
from tests.keys import entry, ring
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> dict[str, Path]:
    """Both versions, with vectors of the real model: its own would know the hidden words."""
    folder = tmp_path_factory.mktemp("hidden")
    for name, pages in (("with", WITH), ("without", WITHOUT)):
        build_and_publish(
            folder / name / "store", folder / name, pages, model="onnx", model_dir=model_folder,
            languages=("sk", "cs", "en"),
        )  # fmt: skip
    return {name: folder / name / "store" for name in ("with", "without")}


@pytest.fixture(scope="session")
def clients(
    stores: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, TestClient]]:
    keys = ring(
        entry(KEY, "reader", collections=["students", "wiki"]),
        entry(ALL_KEY, "all"),
        entry(NO_KEY, "none", collections=["gone"]),
    )
    opened = {}
    for name, store in stores.items():
        cache = tmp_path_factory.mktemp("cache")
        settings = Settings(store=f"file://{store}", cache_dir=cache, api_keys=keys)
        opened[name] = TestClient(create_local_app(settings), raise_server_exceptions=False)
    yield opened
    for client in opened.values():
        client.close()
