"""Encoders: text in, unit vectors out, and the proof that two of them agree."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from index_artifacts.errors import InputTooLongError, ModelMismatchError

if TYPE_CHECKING:
    from collections.abc import Sequence

Vector = np.ndarray[tuple[int], np.dtype[np.float32]]
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
    """What the building encoder made of `PROBE_SENTENCE`, as a passage and as a query.

    Both, because a model that is asked with another prefix is another model.
    """

    passage: tuple[float, ...]
    query: tuple[float, ...]

    @classmethod
    def of(cls, vectors: Vectors) -> Probe:
        """Make a probe of both vectors, shape (2, d); rounded so that it stays readable."""
        passage, query = (tuple(round(float(value), 5) for value in row) for row in vectors)
        return cls(passage, query)

    def check(self, encoder: Encoder) -> None:
        """Raise `ModelMismatchError` unless ``encoder`` reproduces both vectors."""
        passage, query = probe_vectors(encoder)
        _require_same("passage", passage, np.asarray(self.passage, dtype=np.float32))
        _require_same("query", query, np.asarray(self.query, dtype=np.float32))


def encode_question(encoder: Encoder, text: str) -> tuple[Vectors, bool]:
    """The vector of the longest beginning of ``text`` that the encoder takes, shape (1, d).

    The second value is True where that is not all of it. Raises `ModelError`.
    """
    budget = encoder.max_tokens - encoder.overhead()
    beginning = text
    if encoder.count_tokens(text) > budget:
        beginning = _beginning(encoder, text, budget)
    while True:
        try:
            return encoder.encode_query(beginning), len(beginning) < len(text)
        except InputTooLongError:
            # `overhead` is a passage's; what is put before a query may be a little longer.
            budget -= 1 + budget // 32
            if budget < 1:
                raise
            beginning = _beginning(encoder, text, budget)


def passage_beginning(encoder: Encoder, text: str) -> str:
    """The longest beginning of ``text`` that the encoder takes as a passage."""
    budget = encoder.max_tokens - encoder.overhead()
    return text if encoder.count_tokens(text) <= budget else _beginning(encoder, text, budget)


def _beginning(encoder: Encoder, text: str, tokens: int) -> str:
    return text[: encoder.split(text, tokens)[0][1]]


def probe_vectors(encoder: Encoder) -> Vectors:
    """Encode `PROBE_SENTENCE` as a passage and as a query, shape (2, d)."""
    passage = encoder.encode_passages([PROBE_SENTENCE])
    return np.vstack([passage, encoder.encode_query(PROBE_SENTENCE)])


def _require_same(kind: str, ours: Vector, theirs: Vector) -> None:
    if ours.shape != theirs.shape:
        raise ModelMismatchError(
            f"it has {ours.shape[0]} dimensions, the version's has {theirs.shape[0]}"
        )
    cosine = float(ours @ theirs) / (float(np.linalg.norm(theirs)) or 1.0)
    if not cosine >= PROBE_COSINE:
        raise ModelMismatchError(
            f"it gives the probe {kind} another vector "
            f"(cosine {cosine:.3f}, at least {PROBE_COSINE} needed)"
        )


def describe(encoder: Encoder, probe: Vectors) -> dict[str, Any]:
    """What the manifest says about the encoder that built a version.

    ``probe`` is what `probe_vectors` returns, shape (2, dimension). It is handed in because
    it has to come out of the embedding cache, like every other vector.
    """
    return {
        "kind": encoder.kind,
        "fingerprint": encoder.fingerprint,
        "dimension": encoder.dimension,
        "max_tokens": encoder.max_tokens,
        "probe": asdict(Probe.of(probe)),
    }


def check_same_model(encoder: Encoder, described: dict[str, Any]) -> None:
    """Raise `ModelMismatchError`, naming both fingerprints, unless ``encoder`` built it.

    Equal fingerprints are the same model by construction; another fingerprint may still be
    the same model in another format, and then its probe vectors agree.
    """
    if encoder.fingerprint != described["fingerprint"]:
        check_probe(encoder, described)


def check_probe(encoder: Encoder, described: dict[str, Any]) -> None:
    """The same for an encoder whose fingerprint proves nothing: what a server runs may change."""
    probe = described["probe"]
    try:
        Probe(tuple(probe["passage"]), tuple(probe["query"])).check(encoder)
    except ModelMismatchError as error:
        raise ModelMismatchError(
            f"the version was built with encoder {described['fingerprint'][:12]}, this one is "
            f"{encoder.fingerprint[:12]}, another model: {error}"
        ) from error
