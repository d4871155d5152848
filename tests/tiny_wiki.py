"""Wikis of a few English pages, built in a moment with the encoder trained on themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from build.config import load_config
from build.pipeline import build_version
from build.publish import publish
from index_artifacts.artifact import Artifact, open_artifact
from index_artifacts.encoders import open_encoder
from index_artifacts.index import Index
from index_artifacts.search import Searcher
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

PAGES = {
    "server.md": "# Server room\n\nThe server listens on port 8080 and hums all night.\n\n"
    "## Access\n\nAsk the administrator for an account before you connect.\n",
    "printer.md": "# Printer\n\nPrinters need paper and toner in the office every week.\n",
    "garden.md": "# Garden\n\nTomatoes and basil grow behind the faculty building.\n",
}


def write_pages(wiki: Path, pages: dict[str, str]) -> Path:
    """Write ``pages`` (path → text) below ``wiki`` and return it."""
    for path, text in pages.items():
        (wiki / path).parent.mkdir(parents=True, exist_ok=True)
        (wiki / path).write_text(text, encoding="utf-8")
    return wiki


def build(folder: Path, pages: dict[str, str] = PAGES, **settings: Any) -> Artifact:
    """Compile ``pages`` into ``folder / "artifact"``."""
    wiki = write_pages(folder / "wiki", pages)
    config = load_config(wiki, **{"model": "cooccurrence", "languages": ("en",), **settings})
    build_version(wiki, folder / "artifact", config, open_store(f"file://{folder / 'cache'}"))
    return open_artifact(folder / "artifact")


def build_and_publish(
    store: Path, folder: Path, pages: dict[str, str] = PAGES, **settings: Any
) -> Artifact:
    """Compile ``pages`` below ``folder`` and make the channel ``latest`` serve them."""
    artifact = build(folder, pages, **settings)
    publish(artifact.folder, open_store(f"file://{store}"), force=True)
    return artifact


def open_searcher(artifact: Artifact) -> Searcher:
    """A searcher with the artifact's own encoder."""
    encoder = open_encoder(artifact.model)
    return Searcher(Index(artifact), lambda: encoder)
