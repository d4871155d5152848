"""Encoders: text in, unit vectors out, and the proof that two of them agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from index_artifacts.errors import ModelMismatchError

if TYPE_CHECKING:
    from collections.abc import Sequence

Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]

PROBE_SENTENCE = "Wiki o práci študentov: сервер, źródło, žluťoučký kůň, server in 2026."
PROBE_COSINE = 0.99


class Encoder(Protocol):
    """Turns texts into unit vectors.

    ``kind`` names the implementation, ``fingerprint`` (hex) everything that decides a vector:
    weights, tokenizer, pooling, prefixes. ``max_tokens`` counts every token of one input,
    prefix and special tokens included.
    """

    kind: str
    fingerprint: str
    dimension: int
    max_tokens: int

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` alone, without prefix and special tokens."""

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Cut ``text`` into consecutive spans (start, end) of ≤ ``max_tokens`` each.

        Cuts at word boundaries where it can; the spans always cover the whole text.
        """

    def overhead(self) -> int:
        """Tokens that prefix and special tokens add to one passage."""

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), rows of length 1. Raises `InputTooLongError`."""

    def encode_query(self, text: str) -> Vectors:
        """Shape (1, dimension), of length 1. Raises `InputTooLongError`."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A sentence and the vector that the building encoder gave it."""

    sentence: str
    vector: tuple[float, ...]

    @classmethod
    def of(cls, vector: Vectors) -> Probe:
        """Make a probe of `PROBE_SENTENCE`'s vector, shape (1, d); rounded to stay readable."""
        return cls(PROBE_SENTENCE, tuple(round(float(value), 5) for value in vector[0]))

    def check(self, encoder: Encoder) -> None:
        """Raise `ModelMismatchError` unless ``encoder`` reproduces this vector."""
        ours = encoder.encode_passages([self.sentence])[0]
        theirs = np.asarray(self.vector, dtype=np.float32)
        if ours.shape != theirs.shape:
            raise ModelMismatchError(
                f"encoder {encoder.fingerprint[:12]} has {ours.shape[0]} dimensions, "
                f"the version's has {theirs.shape[0]}: they are different models"
            )
        cosine = float(ours @ theirs) / (float(np.linalg.norm(theirs)) or 1.0)
        if not cosine >= PROBE_COSINE:
            raise ModelMismatchError(
                f"encoder {encoder.fingerprint[:12]} gives the probe sentence another vector "
                f"(cosine {cosine:.3f}, at least {PROBE_COSINE} needed): it is another model"
            )


def describe(encoder: Encoder, probe_vector: Vectors) -> dict[str, Any]:
    """What the manifest says about the encoder that built a version.

    ``probe_vector`` is its vector of `PROBE_SENTENCE`, shape (1, dimension). It is handed in
    because it has to come out of the embedding cache, like every other vector.
    """
    probe = Probe.of(probe_vector)
    return {
        "kind": encoder.kind,
        "fingerprint": encoder.fingerprint,
        "dimension": encoder.dimension,
        "max_tokens": encoder.max_tokens,
        "probe": {"sentence": probe.sentence, "vector": list(probe.vector)},
    }


def check_same_model(encoder: Encoder, described: dict[str, Any]) -> None:
    """Raise `ModelMismatchError`, naming both fingerprints, unless ``encoder`` built it.

    Equal fingerprints are the same model by construction; another fingerprint may still be
    the same model in another format, and then its probe vector agrees.
    """
    if encoder.fingerprint == described["fingerprint"]:
        return
    try:
        probe = described["probe"]
        Probe(probe["sentence"], tuple(probe["vector"])).check(encoder)
    except ModelMismatchError as error:
        raise ModelMismatchError(
            f"the version was built with encoder {described['fingerprint'][:12]}, "
            f"this one is {encoder.fingerprint[:12]}: {error}"
        ) from error
