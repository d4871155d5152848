"""Who may not read all of a wiki in which nothing is private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.settings import Settings
from tests.functions.access.held_together import ALL_KEY
from tests.functions.access.hidden_wiki import WITH
from tests.functions.access.test_hidden_collections import FACTS
from tests.functions.conftest import KEY
from tests.keys import entry, ring
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from pathlib import Path


def test_where_nothing_is_private_there_is_no_graph_for_some_and_pages_answer(
    tmp_path: Path,
) -> None:
    pages = {**WITH, "edgewiki.toml": WITH["edgewiki.toml"].replace("private = true\n", "")}
    build_and_publish(tmp_path / "store", tmp_path, pages, languages=("sk", "en"))
    keys = ring(entry(KEY, "reader", collections=["students", "wiki"]), entry(ALL_KEY, "all"))
    settings = Settings(
        store=f"file://{tmp_path / 'store'}", cache_dir=tmp_path / "cache", api_keys=keys
    )
    with TestClient(create_local_app(settings)) as client:
        ask = {"query": FACTS[0]}
        answers = {
            key: client.post("/graph/search", json=ask, headers={"X-API-Key": key}).json()
            for key in (KEY, ALL_KEY)
        }
        assert answers[KEY]["outcome"] == "not_understood"
        assert "declared private" in answers[KEY]["reason"]
        assert answers[ALL_KEY]["outcome"] == "answered"
        found = client.post("/answer", json=ask, headers={"X-API-Key": KEY}).json()
        assert found["engine"] == "rag"
