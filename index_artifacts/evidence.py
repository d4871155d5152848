"""What a first hit stands on: the figures by which a version tells an answer from none."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.query import content_of
from index_artifacts.schema import lemma_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.index import Index
    from index_artifacts.legs import Legs
    from index_artifacts.query import Query, Term

# A first page is compared with so many after it.
_OTHERS = 5

READING = "reading"

KINDS = {
    "hybrid": ("cosine", "margin", "coverage", "share"),
    "vector": ("cosine", "margin"),
    "lexical": ("coverage", "share"),
    READING: (
        "confidence", "cosine", "margin", "page", "rarest_unsaid", "least_said", "framed",
        "trigrams", "focus", "counted", "figures_lacking",
    ),
}  # fmt: skip
"""Which figures are weighed together: all of them; those that hold across languages and where
no lexical leg ran; those that need no vectors; and those of the units that were read for an
answer (see `answers.verdict`)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Figures of the chunk that came first; None where their leg did not run.

    ``cosine`` is its cosine; ``margin`` how far the nearest page is before the mean of the next
    five (None where there is only one page); ``coverage`` the share of the question's content
    words, weighted by rarity, whose lemma the chunk holds; ``share`` that of its trigrams, which
    exceeds 1 where they are repeated. ``across`` says that the chunk is in another language.
    """

    cosine: float | None
    margin: float | None
    coverage: float | None
    share: float | None
    across: bool

    @property
    def kind(self) -> str:
        """Which of `KINDS` can be weighed."""
        if self.cosine is None:
            return "lexical"
        return "vector" if self.across or self.coverage is None else "hybrid"

    def values(self, kind: str) -> tuple[float | None, ...]:
        """The figures of ``kind``, in the order of `KINDS`."""
        figures = asdict(self)
        return tuple(figures[name] for name in KINDS[kind])


def gather(index: Index, query: Query, legs: Legs, first: int) -> Evidence:
    """The evidence of the chunk at position ``first``, which ranks first."""
    cosine = margin = coverage = share = None
    if legs.cosine is not None:
        cosine, margin = float(legs.cosine[first]), _margin(index, legs)
    if legs.lemma is not None:
        coverage = _coverage(index, query, first)
        share = legs.share(first)
    own = query.language is None or bool(index.in_language(query.language)[first])
    return Evidence(cosine, margin, coverage, share, across=not own)


def _margin(index: Index, legs: Legs) -> float | None:
    assert legs.cosine is not None
    pages = np.maximum.reduceat(legs.cosine, index.first_chunks)
    pages = pages[pages > -1]
    if len(pages) < 2:
        return None
    best = np.sort(np.partition(pages, -min(len(pages), _OTHERS + 1))[-_OTHERS - 1 :])
    return float(best[-1] - best[:-1].mean())


def _coverage(index: Index, query: Query, position: int) -> float:
    terms = content_of(query.terms)
    table = lemma_table(next(c.id for c in index.collections if position < c.first + c.chunks))
    weights = [rarity(term, index.size) for term in terms]
    held = [
        weight
        for term, weight in zip(terms, weights, strict=True)
        if _holds(index, table, position, term.lemmas)
    ]
    return sum(held) / sum(weights)


def rarity(term: Term, chunks: int) -> float:
    """The weight that BM25 gives a word: of its own form, or the highest where none is known."""
    return math.log(1 + (chunks - term.chunks + 0.5) / (term.chunks + 0.5))


def _holds(index: Index, table: str, position: int, lemmas: Sequence[str]) -> bool:
    expression = " OR ".join(f'"{lemma}"' for lemma in lemmas)
    found = index.connection.execute(
        f"SELECT 1 FROM {table} WHERE {table} MATCH ? AND rowid = ?", (expression, position + 1)
    ).fetchone()
    return found is not None
