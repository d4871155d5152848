"""What a hit stands on: the figures by which a version tells an answer from none."""

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
    """Figures of a chunk that was found; None where their leg did not run.

    ``cosine`` is its cosine; ``margin`` how far the nearest page is before the mean of the next
    five, of a later hit how far it is before the five nearest others (None where there is only
    one page); ``coverage`` the share of the question's content
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


def gather(index: Index, query: Query, legs: Legs, positions: Sequence[int]) -> list[Evidence]:
    """The evidence of the chunks at ``positions``, in that order.

    The first one's margin is the question's; that of a later one is its own.
    """
    margins = _margins(index, legs, positions)
    covered = {} if legs.lemma is None else _coverage(index, query, positions)
    own = index.in_language(query.language) if query.language else None
    return [
        Evidence(
            cosine=None if legs.cosine is None else float(legs.cosine[position]),
            margin=margin,
            coverage=covered.get(position),
            share=None if legs.lemma is None else legs.share(position),
            across=own is not None and not own[position],
        )
        for position, margin in zip(positions, margins, strict=True)
    ]


def _margins(index: Index, legs: Legs, positions: Sequence[int]) -> list[float | None]:
    """How far each chunk is before the nearest pages beside its own.

    For the first the nearest page is compared, whichever it is: so was the calibration fitted.
    """
    if legs.cosine is None or not positions:
        return [None] * len(positions)
    pages = np.maximum.reduceat(legs.cosine, index.first_chunks)
    present = np.flatnonzero(pages > -1)  # what passes the filters
    if len(present) < 2:
        return [None] * len(positions)
    nearest = np.argpartition(-pages[present], min(len(present) - 1, _OTHERS))[: _OTHERS + 1]
    order = present[nearest[np.argsort(-pages[present][nearest], kind="stable")]]
    best = pages[order]
    margins: list[float | None] = [float(best[0] - best[1:].mean())]
    for position in positions[1:]:
        others = best[order != index.chunk_document[position]][:_OTHERS]
        margins.append(float(legs.cosine[position] - others.mean()))
    return margins


def _coverage(index: Index, query: Query, positions: Sequence[int]) -> dict[int, float]:
    """The share of the question's words that each of the chunks holds."""
    terms = content_of(query.terms)
    weights = [rarity(term, index.size) for term in terms]
    held = dict.fromkeys(positions, 0.0)
    for collection in index.collections:
        inside = [at for at in positions if 0 <= at - collection.first < collection.chunks]
        if not inside:
            continue
        table = lemma_table(collection.id)
        for term, weight in zip(terms, weights, strict=True):
            for position in _holding(index, table, inside, term.lemmas):
                held[position] += weight
    return {position: weight / sum(weights) for position, weight in held.items()}


def rarity(term: Term, chunks: int) -> float:
    """The weight that BM25 gives a word: of its own form, or the highest where none is known."""
    return math.log(1 + (chunks - term.chunks + 0.5) / (term.chunks + 0.5))


def _holding(
    index: Index, table: str, positions: Sequence[int], lemmas: Sequence[str]
) -> list[int]:
    """Which of the chunks hold any of ``lemmas``."""
    expression = " OR ".join(f'"{lemma}"' for lemma in lemmas)
    marks = ", ".join("?" * len(positions))
    rows = index.connection.execute(
        f"SELECT rowid - 1 FROM {table} WHERE {table} MATCH ? AND rowid IN ({marks})",
        (expression, *[position + 1 for position in positions]),
    )
    return [position for (position,) in rows]
