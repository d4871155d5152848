"""LanceDB: its own full-text index and exact vector search, fused by one of its rerankers.

A vector index would only lose accuracy: it is meant for far more rows than a wiki has chunks.
Full-text search stems and drops stop words in the languages it knows, and takes off diacritics.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import FTS
from lancedb.rerankers import LinearCombinationReranker, RRFReranker

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = {"en": "English", "ru": "Russian"}
_RERANKERS = {"rrf": RRFReranker, "linear": LinearCombinationReranker}


class Engine:
    """A table in a folder, with title, headings and text in one searchable column."""

    takes_vectors = True

    def __init__(self, config: dict[str, Any]) -> None:
        self.costs: dict[str, float] = {}
        self._database = lancedb.connect(config["index"])
        self._vectors = Path(config["export"], "vectors.npy")
        self._depth = config["depth"]
        self._language = _NAMES.get(config["language"])
        self._reranker = _RERANKERS[config["options"]["reranker"]]()

    def index(self, chunks: Sequence[dict[str, Any]]) -> None:
        """Write the table and its full-text index."""
        vectors = np.load(self._vectors)
        rows = pa.table(
            {
                "id": pa.array(range(len(chunks)), pa.int64()),
                "text": ["\n".join((c["title"], c["headings"], c["text"])) for c in chunks],
                "vector": pa.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1]),
            }
        )
        table = self._database.create_table("chunks", rows)
        known = self._language is not None
        analyser = FTS(
            language=self._language or "English", stem=known, remove_stop_words=known,
            ascii_folding=True,
        )  # fmt: skip
        table.create_index("text", config=analyser)

    def open(self) -> None:
        """Open the table."""
        self._table = self._database.open_table("chunks")

    def search(self, question: str, vector: Any) -> tuple[list[int], dict[str, float]]:
        """Both searches at once, as deep as the answer, then the reranker."""
        query = self._table.search(query_type="hybrid").vector(vector).text(question)
        query = query.distance_type("cosine").limit(self._depth).select(["id"])
        found = query.rerank(self._reranker).to_arrow()
        return found["id"].to_pylist(), {}
