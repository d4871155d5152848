"""What the encoder says about a language rather than about a subject: its mean vectors."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from build.embedding import Embedder
    from index_artifacts.encoder import Vectors

_SAMPLE = Path(__file__).with_name("language_sample.toml")


def sample() -> dict[str, list[str]]:
    """Language → the same sentences in that language, in the same order."""
    return tomllib.loads(_SAMPLE.read_text("utf-8"))


def language_means(embedder: Embedder) -> dict[str, Vectors]:
    """Language → the means of its sample as queries and as passages, shape (2, dimension)."""
    texts = sample()
    flat = [text for sentences in texts.values() for text in sentences]
    shape = (len(texts), -1, embedder.dimension)
    means = [
        vectors.reshape(shape).mean(axis=1)
        for vectors in (embedder.embed_queries(flat), embedder.embed(flat))
    ]
    return dict(zip(texts, np.stack(means, axis=1), strict=True))
