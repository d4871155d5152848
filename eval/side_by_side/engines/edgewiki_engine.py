"""edgewiki itself, under the same harness: its artifact, its own encoder.

The option ``mode`` is one of edgewiki's modes, ``artifact`` the folder to open.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.side_by_side.engines.harness import peak_mb, read_lines
from index_artifacts.artifact import open_artifact
from index_artifacts.encoder import encode_question
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ModelError
from index_artifacts.index import Index
from index_artifacts.search import Searcher, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.encoder import Encoder


class Engine:
    """A searcher over an artifact."""

    takes_vectors = False

    def __init__(self, config: dict[str, Any]) -> None:
        self.costs: dict[str, float] = {}
        self._depth = config["depth"]
        self._mode = config["options"]["mode"]
        self._questions = Path(config["export"], "questions.jsonl")
        self._artifact = open_artifact(Path(config["options"]["artifact"]))

    def index(self, chunks: Sequence[dict[str, Any]]) -> None:
        """Write nothing, a build has: see what memory the encoder takes for the questions."""
        del chunks
        if self._mode != "lexical":
            before = peak_mb()
            encoder = open_encoder(self._artifact.model)
            for row in read_lines(self._questions):
                encode_question(encoder, row["question"])
            self.costs["encoder_mb"] = peak_mb() - before

    def open(self) -> None:
        """Open the encoder, with how long that takes, and the index."""
        encoder = None if self._mode == "lexical" else self._open_encoder()

        def opened() -> Encoder:
            if encoder is None:
                raise ModelError("a lexical mode has asked for an encoder")
            return encoder

        self._searcher = Searcher(Index(self._artifact), opened)

    def search(self, question: str, vector: Any) -> tuple[list[str], dict[str, float]]:
        """Chunk ids; reading the hits is set apart, for the others return ids alone."""
        del vector
        result = self._searcher.search(SearchRequest(question, self._depth, self._mode))
        # An answer without its quotes is incomplete, too, but every leg has run for it.
        if self._mode != "lexical" and result.hits and "vector" not in result.legs:
            raise RuntimeError(f"{question!r}: {result.reason}")
        aside = {name: result.milliseconds.get(name, 0.0) for name in ("encoder", "hits")}
        return [hit.chunk_id for hit in result.hits], aside

    def _open_encoder(self) -> Encoder:
        started = time.perf_counter()
        encoder = open_encoder(self._artifact.model)
        encoder.encode_query("how much does the first vector take")
        self.costs["encoder_open_ms"] = (time.perf_counter() - started) * 1000
        return encoder
