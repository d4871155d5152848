"""Opening the two versions that the gate compares: the new one, and the one that is served."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eval.opening import open_searcher
from index_artifacts.artifact import fetch_version, open_artifact
from index_artifacts.errors import ArtifactError, GateError, IntegrityError, ModelError
from index_artifacts.index import Index
from index_artifacts.manifest import INDEX_FILE, MODEL_FOLDER
from index_artifacts.search import Searcher

if TYPE_CHECKING:
    from index_artifacts.store import Store
    from index_artifacts.version_store import Pointer


def open_new(artifact: Path) -> Searcher:
    """The version that a build has just written, ready to be asked."""
    return open_searcher(open_artifact(artifact))


def open_live(store: Store, pointer: Pointer, new: Searcher) -> Searcher:
    """The version that ``pointer`` names, fetched to EDGEWIKI_CACHE_DIR or the temporary folder.

    Its encoder is not fetched where ``new`` has the same. Raises `GateError` where it cannot be
    asked, as after a change of layout; `StoreError` where the store does not answer.
    """
    cache = Path(os.environ.get("EDGEWIKI_CACHE_DIR") or Path(tempfile.gettempdir(), "edgewiki"))
    try:
        artifact = fetch_version(store, pointer, cache, (INDEX_FILE,))
        encoder = new.encoder_for("hybrid")
        if encoder and encoder.fingerprint == artifact.manifest.encoder["fingerprint"]:
            same = encoder
            return Searcher(Index(artifact), lambda: same)
        return open_searcher(fetch_version(store, pointer, cache, (INDEX_FILE, MODEL_FOLDER)))
    except (ArtifactError, IntegrityError, ModelError) as error:
        raise GateError(
            f"the gate cannot ask {pointer.version}, which is served: {error}; publish with "
            '--force --reason "…" to replace it unmeasured'
        ) from error
