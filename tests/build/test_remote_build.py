"""A version built and asked through an OpenAI-compatible embeddings server."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import pytest

from build.config import load_config
from build.pipeline import build_version
from index_artifacts.artifact import open_artifact
from index_artifacts.encoder import check_same_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ModelMismatchError
from index_artifacts.index import Index
from index_artifacts.search import Searcher, SearchRequest
from index_artifacts.store import open_store
from index_artifacts.text import words
from tests.wiki import write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = {
    "servers.md": "# Servers\n\nA server listens on a port.\n",
    "cooking.md": "# Soup\n\nBoil potatoes in water and add salt.\n",
}


def vector(text: str, salt: str) -> list[float]:
    """A bag of words, each word a direction of its own that depends on ``salt``."""
    total = np.zeros(64)
    for word in words(text):
        total += np.random.default_rng(crc32(f"{salt}{word}".encode())).normal(size=64)
    return [float(value) for value in total]


@contextmanager
def embeddings_server(salt: str = "") -> Iterator[str]:
    """Serve ``/v1/embeddings`` on the loopback; the salt makes it another model."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = [
                {"index": number, "embedding": vector(text, salt)}
                for number, text in enumerate(body["input"])
            ]
            answer = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


def test_a_wiki_is_built_and_searched_through_a_server_and_another_model_is_refused(
    tmp_path: Path,
) -> None:
    wiki = tmp_path / "wiki"
    write_pages(wiki, PAGES)
    store = open_store(str(tmp_path / "store"))
    with embeddings_server() as url:
        config = load_config(
            wiki, model="remote", model_url=url, model_name="words", languages=("en",)
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
    with embeddings_server(salt="other") as url:
        (artifact.model / "encoder.json").write_text(
            (artifact.model / "encoder.json")
            .read_text()
            .replace(json.loads((artifact.model / "encoder.json").read_text())["base_url"], url)
        )
        with pytest.raises(ModelMismatchError, match="another model"):
            check_same_model(open_encoder(artifact.model), description)
