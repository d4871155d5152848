"""What is asked of a version, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from index_artifacts.calibration import NONE
from index_artifacts.errors import QueryError

if TYPE_CHECKING:
    from index_artifacts.evidence import Evidence
    from index_artifacts.hits import Hit
    from index_artifacts.query import Query

MODES = ("hybrid", "lexical", "vector", "cascade", "flat")
FUSIONS = ("weighted", "rrf")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question and how to answer it. Filters of one kind are alternatives.

    ``max_per_document`` 0 is no limit. ``mode`` and ``fusion`` are out of `MODES`, `FUSIONS`.
    """

    query: str
    limit: int = 10
    mode: str = "hybrid"
    fusion: str = "weighted"
    collections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    published_only: bool = True
    max_per_document: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and what they stand on.

    ``status`` is ``ok`` or ``no_hits``; ``reason`` says why there are none, or why not all of
    the legs ran. ``outcome`` says whether the first hit answers, out of `calibration.OUTCOMES`,
    with its ``confidence`` in [0, 1] (None where it is unknown) and the ``evidence`` for it.
    ``encoder`` is the kind of the encoder whose vector was used, empty where none was.
    ``matched`` counts the chunks that match by words. ``milliseconds`` is by leg.
    """

    hits: tuple[Hit, ...]
    status: str
    reason: str
    outcome: str
    confidence: float | None
    evidence: Evidence | None
    legs: tuple[str, ...]
    complete: bool
    truncated: bool
    truncation_reasons: tuple[str, ...]
    corrections: dict[str, str]
    language: str | None
    matched: int
    milliseconds: dict[str, float]
    encoder: str = ""


class Clock:
    """Milliseconds between stamps."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}
        self._last = perf_counter()

    def stamp(self, name: str) -> None:
        """Write down the time since the last stamp."""
        now = perf_counter()
        self.milliseconds[name] = round((now - self._last) * 1000, 3)
        self._last = now


def check_request(request: SearchRequest) -> None:
    """Raise `QueryError` for a mode, a fusion or a limit that there is not."""
    if request.mode not in MODES:
        raise QueryError(f"mode {request.mode!r} is unknown; use one of {', '.join(MODES)}")
    if request.fusion not in FUSIONS:
        raise QueryError(f"fusion {request.fusion!r} is unknown; use {' or '.join(FUSIONS)}")
    if not 1 <= request.limit <= 50:
        raise QueryError(f"limit {request.limit} is not between 1 and 50")


def no_hits(reason: str, query: Query, clock: Clock, *, complete: bool = True) -> SearchResult:
    """The answer of a question that found nothing, and why."""
    return SearchResult(
        hits=(),
        status="no_hits",
        reason=reason,
        outcome=NONE,
        confidence=0.0,
        evidence=None,
        legs=(),
        complete=complete,
        truncated=False,
        truncation_reasons=(),
        corrections=query.corrections,
        language=query.language,
        matched=0,
        milliseconds=clock.milliseconds,
    )
