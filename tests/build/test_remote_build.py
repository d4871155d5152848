"""A version built and asked through an OpenAI-compatible embeddings server."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest

from build.config import load_config
from build.pipeline import build_version
from index_artifacts.artifact import open_artifact
from index_artifacts.encoder import check_same_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ModelError, ModelMismatchError
from index_artifacts.index import Index
from index_artifacts.search import Searcher, SearchRequest
from index_artifacts.store import open_store
from tests.embeddings_server import bags, embeddings_server
from tests.wiki import write_pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PAGES = {
    "servers.md": "# Servers\n\nA server listens on a port.\n",
    "cooking.md": "# Soup\n\nBoil potatoes in water and add salt.\n",
}


def test_a_wiki_is_built_and_searched_through_a_server_and_another_model_is_refused(
    tmp_path: Path,
) -> None:
    wiki = tmp_path / "wiki"
    write_pages(wiki, PAGES)
    store = open_store(str(tmp_path / "store"))
    with embeddings_server(bags) as server:
        config = load_config(
            wiki, model="remote", model_url=server.url, model_name="words", languages=("en",)
        )
        result = build_version(wiki, tmp_path / "artifact", config, store)
        artifact = open_artifact(result.folder)
        encoder = open_encoder(artifact.model)
        check_same_model(encoder, artifact.manifest.encoder)
        searcher = Searcher(Index(artifact), lambda: encoder)
        answer = searcher.search(SearchRequest("potatoes with salt", mode="vector"))
        assert answer.hits[0].document.id == "cooking.md"
        again = build_version(wiki, tmp_path / "artifact", config, store)
        assert again.embeddings_computed == 0
        assert again.manifest.version == result.manifest.version
    description = dict(artifact.manifest.encoder, fingerprint="0" * 64)
    with embeddings_server(partial(bags, salt="other")) as other:
        (artifact.model / "encoder.json").write_text(
            (artifact.model / "encoder.json")
            .read_text()
            .replace(
                json.loads((artifact.model / "encoder.json").read_text())["base_url"], other.url
            )
        )
        with pytest.raises(ModelMismatchError, match="another model"):
            check_same_model(open_encoder(artifact.model), description)


def test_a_build_whose_server_goes_away_keeps_the_vectors_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("build.embedding._SAVE_EVERY", 4)
    wiki = write_pages_of(tmp_path)
    store = open_store(str(tmp_path / "store"))
    with embeddings_server(bags) as server:
        config = load_config(
            wiki, model="remote", model_url=server.url, model_name="words", languages=("en",)
        )

        def embed_thrice(inputs: Sequence[str]) -> object:
            server.broken = len(server.asked) >= 3
            return bags(inputs)

        server.embed = embed_thrice
        with pytest.raises(ModelError, match="answered 500"):
            build_version(wiki, tmp_path / "artifact", config, store)
        kept = [text for inputs in server.asked[1:3] for text in inputs]
        assert len(server.asked) == 3 + 4  # the last one and its retries
        server.broken, server.embed = False, bags
        server.asked.clear()
        result = build_version(wiki, tmp_path / "artifact", config, store)
        asked = [text for inputs in server.asked for text in inputs]
    assert kept
    assert not set(kept) & set(asked)
    assert result.embeddings_computed > 0


def write_pages_of(folder: Path) -> Path:
    """Enough pages for several batches."""
    wiki = folder / "wiki"
    write_pages(wiki, {f"{n}.md": f"# Page {n}\n\nIt tells of number {n}.\n" for n in range(9)})
    return wiki
