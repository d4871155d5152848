"""The weights of retrieval. A build writes them into the manifest; a reader takes them from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, Self

from index_artifacts.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Tuning:
    """Weights and limits of the legs and their fusion; what each does is said beside it."""

    lemma_weight: float = 0.28
    """Share of the lemma leg's score, relative to its top, in the fused score."""
    trigram_weight: float = 0.22
    """Share of the trigram leg's score, relative to its top."""
    trigram_share: float = 0.25
    """A chunk with less than this share of the question's trigrams is no trigram match."""
    cosine_slope: float = 8.0
    """What one unit of cosine below the best cosine costs."""
    weak_share: float = 0.3
    strong_share: float = 0.7
    """Share of the question's trigrams in the best chunk from which lexical scores begin to count
    beside cosines, and from which they count in full."""
    cross_lemma_weight: float = 0.05
    """``lemma_weight`` where the page is in another language than the question."""
    cross_trigram_weight: float = 0.10
    """``trigram_weight`` there."""
    cross_cosine_slope: float = 8.0
    """``cosine_slope`` there."""
    cross_offset: float = 0.02
    """Taken off the cosine there: of pages as near, one in the question's language comes first."""
    cross_bonus: float = 0.24
    """Added there where lexical legs ran: what a page in the question's language gets from them."""
    language_mean_share: float = 0.5
    """Part of a language's mean vector that is taken off query and passage there."""
    heading_offset: float = 0.02
    """Taken off a heading vector's cosine before it competes with the text's own."""
    sentence_share: float = 0.5
    """How much of a chunk's cosine is its best sentence's, where a version has sentences."""
    any_term_weight: float = 0.9
    """What a chunk that lacks some of the question's words keeps of its lemma score."""
    prefix_term_weight: float = 0.7
    """What a chunk keeps that matches words only by their beginnings."""
    title_weight: float = 2.0
    headings_weight: float = 2.0
    keywords_weight: float = 1.5
    body_weight: float = 1.0
    """BM25 weights of the full-text columns."""
    common_share: float = 0.3
    """A word in a larger share of the chunks says nothing where rarer words are asked for."""
    rrf_k: float = 60.0
    """K of reciprocal rank fusion."""
    rrf_lemma_weight: float = 1.0
    rrf_trigram_weight: float = 0.5
    rrf_vector_weight: float = 1.0
    """Weights of the legs in reciprocal rank fusion."""
    candidates: int = 200
    """How many chunks each lexical query returns."""
    cascade_documents: int = 20
    """How many documents ``cascade`` looks into."""

    @property
    def column_weights(self) -> tuple[float, float, float, float]:
        """BM25 weights in the order of the full-text columns."""
        return self.title_weight, self.headings_weight, self.keywords_weight, self.body_weight

    def to_dict(self) -> dict[str, float]:
        """As the manifest holds it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Read a manifest's weights; ones it lacks keep their defaults.

        Raises `ConfigError` for an unknown name or a value that is no such number.
        """
        whole = {field.name: field.type == "int" for field in fields(cls)}
        for name, value in values.items():
            if name not in whole or not _is_number(value, whole=whole[name]):
                raise ConfigError(f"tuning {name} = {value!r} is unknown or no such number")
        return cls(**values)


def _is_number(value: object, *, whole: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isfinite(value) and (not whole or isinstance(value, int))
