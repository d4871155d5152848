"""The naive baseline: the same vectors, nothing but their cosine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


class Engine:
    """A matrix and the texts it stands for."""

    takes_vectors = True

    def __init__(self, config: dict[str, Any]) -> None:
        self.costs: dict[str, float] = {}
        self._folder = Path(config["index"])
        self._exported = Path(config["export"], "vectors.npy")
        self._depth = config["depth"]

    def index(self, chunks: Sequence[dict[str, Any]]) -> None:
        """Keep the vectors, and the texts beside them."""
        np.save(self._folder / "vectors.npy", np.load(self._exported))
        with (self._folder / "texts.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(chunk["text"]) + "\n" for chunk in chunks)

    def open(self) -> None:
        """Read the vectors."""
        self._vectors = np.load(self._folder / "vectors.npy")

    def search(self, question: str, vector: Any) -> tuple[list[int], dict[str, float]]:
        """The nearest chunks; the question's words do not matter."""
        del question
        cosines = self._vectors @ vector
        return np.argsort(-cosines, kind="stable")[: self._depth].tolist(), {}
