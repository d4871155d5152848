"""Opening the version that is to be measured."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from index_artifacts.artifact import Artifact, fetch_channel, open_artifact
from index_artifacts.encoder import check_same_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ConfigError
from index_artifacts.index import Index
from index_artifacts.manifest import INDEX_FILE, MODEL_FOLDER
from index_artifacts.search import Searcher
from index_artifacts.store import open_store


def open_version(artifact: Path | None, store: str | None, channel: str | None) -> Artifact:
    """Open the folder ``artifact``, or fetch what ``channel`` of ``store`` serves.

    A fetched version is kept in EDGEWIKI_CACHE_DIR, else below the temporary folder. Raises
    `ConfigError` where both or neither are given; `StoreError`, `IntegrityError`.
    """
    if (artifact is None) == (store is None):
        raise ConfigError("say what to measure: --artifact FOLDER, or --store URL (and --channel)")
    if artifact is not None:
        return open_artifact(artifact)
    cache = os.environ.get("EDGEWIKI_CACHE_DIR") or Path(tempfile.gettempdir(), "edgewiki")
    key = os.environ.get("EDGEWIKI_SIGNING_KEY", "").encode() or None
    wanted = (INDEX_FILE, MODEL_FOLDER)
    return fetch_channel(open_store(store or ""), channel or "latest", Path(cache), wanted, key)


def open_searcher(artifact: Artifact) -> Searcher:
    """A searcher whose encoder is open and checked.

    An evaluation must not go on without its vector leg: raises `ModelError` at once.
    """
    encoder = open_encoder(
        artifact.model, api_key=os.environ.get("EDGEWIKI_EMBEDDINGS_API_KEY", "")
    )
    check_same_model(encoder, artifact.manifest.encoder)
    return Searcher(Index(artifact), lambda: encoder)
