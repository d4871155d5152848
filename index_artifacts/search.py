"""Asking a version: from a request to ranked hits that say what they stand on."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.calibration import NO_VERDICT, Calibration
from index_artifacts.cross_language import CrossLanguage
from index_artifacts.encoder import encode_question
from index_artifacts.errors import ModelError
from index_artifacts.evidence import gather
from index_artifacts.filters import allowed_chunks, chosen_collections
from index_artifacts.fusion import best_first, reciprocal_ranks, weighted_sum
from index_artifacts.hits import LegScores, read_hits
from index_artifacts.legs import Found, Legs
from index_artifacts.lexical import lemma_scores, phrase_mask, sought_terms
from index_artifacts.query import analyse, content_of
from index_artifacts.search_records import (
    FUSIONS,
    MODES,
    Clock,
    SearchRequest,
    SearchResult,
    check_request,
    no_hits,
)
from index_artifacts.semantic import SemanticLeg
from index_artifacts.trigram import TrigramLeg
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from index_artifacts.encoder import Encoder, Vectors
    from index_artifacts.index import Collection, Index, Mask
    from index_artifacts.postings import Scores
    from index_artifacts.query import Query

__all__ = ["FUSIONS", "MODES", "SearchRequest", "SearchResult", "Searcher"]

logger = logging.getLogger("edgewiki")

# What an exact title, alias or heading is worth: twice what all the words
# can add, so that only a text far nearer in meaning comes before it.
_ANCHOR = 1.0


class Searcher:
    """A version, ready to be asked by any number of threads.

    ``encoder`` returns the encoder that the version was built with, or raises `ModelError`;
    it is called for the first question that needs vectors.
    """

    def __init__(self, index: Index, encoder: Callable[[], Encoder]) -> None:
        self.index = index
        self.tuning = Tuning.from_dict(index.manifest.tuning)
        self.calibration = Calibration.from_dict(index.manifest.calibration)
        self._encoder = encoder
        self._trigrams = TrigramLeg(index)
        self._across = CrossLanguage(index, self.tuning)
        self._semantic: SemanticLeg | None = None

    def search(self, request: SearchRequest) -> SearchResult:
        """Answer a request. Raises `QueryError` for an unknown mode, fusion or collection."""
        clock = Clock()
        found = self._find(request, clock)
        return found if isinstance(found, SearchResult) else self._rank(request, found, clock)

    def find(self, request: SearchRequest) -> Found | None:
        """What each leg finds before it is fused; None where nothing can be found at all.

        Raises what `search` does.
        """
        found = self._find(request, Clock())
        return None if isinstance(found, SearchResult) else found

    def encoder_for(self, mode: str) -> Encoder | None:
        """The encoder, or None where ``mode`` needs none or it cannot be had."""
        if mode == "lexical":
            return None
        try:
            return self._encoder()
        except ModelError:
            return None  # the search before has logged why

    def _find(self, request: SearchRequest, clock: Clock) -> Found | SearchResult:
        check_request(request)
        collections = chosen_collections(self.index, request.collections)
        query = analyse(self.index, request.query, published_only=request.published_only)
        clock.stamp("analysis")
        if not query.terms:
            reason = "the query holds no words"
            return no_hits(reason, query, clock)
        legs = Legs()
        allowed = allowed_chunks(self.index, request, collections)
        query, allowed = self._heed_quotes(query, collections, allowed, legs)
        if not allowed.any():
            return no_hits("no page passes the filters or holds the phrase", query, clock)
        vector = self._encode(request, query, legs, clock)
        if request.mode == "cascade" and not isinstance(vector, str):
            allowed &= self._documents_by_summary(collections, vector, allowed)
        if request.mode == "vector" and isinstance(vector, str):
            return no_hits(vector, query, clock, complete=False)
        self._run_legs(request, collections, query, vector, allowed, legs, clock)
        legs.keep(allowed)
        across = self._across
        return Found(
            query,
            legs,
            allowed,
            self.index.in_language(query.language),
            across.evened(query.language),
        )

    def _heed_quotes(
        self, query: Query, collections: Sequence[Collection], allowed: Mask, legs: Legs
    ) -> tuple[Query, Mask]:
        """Keep the chunks that hold every quoted phrase in just these forms.

        Where none does, a question that merely mentions a title in quotes is answered without
        them, and says so; one that is mostly quoted is not.
        """
        if not query.phrases:
            return query, allowed
        quoting = allowed & phrase_mask(self.index, collections, query.phrases)
        if quoting.any() or query.mostly_quoted:
            return query, quoting
        legs.reason = "no page holds the quoted words in these forms: answered without the quotes"
        return replace(query, phrases=()), allowed

    def _encode(
        self, request: SearchRequest, query: Query, legs: Legs, clock: Clock
    ) -> Vectors | str:
        """The query's vector, or why there is none."""
        if request.mode == "lexical":
            return ""
        try:
            encoder = self._encoder()
            vector, legs.cut = encode_question(encoder, query.dense_text)
        except ModelError as error:
            if request.mode == "vector":
                raise
            # The error names files and hosts; a caller needs to know no more than the effect.
            logger.warning("the vector leg did not run: %s", error)
            return "the vector leg did not run: the encoder is not available"
        legs.encoder = encoder.kind
        if self._semantic is None:
            self._semantic = SemanticLeg(self.index)
        clock.stamp("encoder")
        return vector if vector.any() else "the vector leg did not run: it knows none of the words"

    def _documents_by_summary(
        self, collections: Sequence[Collection], vector: Vectors, allowed: Mask
    ) -> Mask:
        """The chunks of the documents whose summaries are nearest, and of all that have none.

        Those without a summary are scanned by their own vectors, beside the others.
        """
        assert self._semantic is not None  # _encode has just opened it
        summarised = self.index.summarised
        cosines = self._semantic.summary_cosines(collections, vector)
        present = np.zeros(len(cosines), dtype=bool)
        present[self.index.chunk_document[allowed]] = True
        chosen = np.zeros(len(cosines), dtype=bool)
        chosen[best_first(cosines, present & summarised, int(self.tuning.cascade_documents))] = True
        return (chosen | ~summarised)[self.index.chunk_document]

    def _run_legs(
        self,
        request: SearchRequest,
        collections: Sequence[Collection],
        query: Query,
        vector: Vectors | str,
        allowed: Mask,
        legs: Legs,
        clock: Clock,
    ) -> None:
        everything = None if allowed.all() else allowed
        if request.mode != "vector":
            terms = sought_terms(query, self.index, self.tuning)
            legs.lemma = lemma_scores(self.index, collections, terms, self.tuning, everything)
            clock.stamp("lemma")
            words = [term.word for term in terms]
            legs.trigram, legs.whole = self._trigrams.scores(
                collections, words, self.tuning.trigram_share
            )
            clock.stamp("trigram")
        if isinstance(vector, str):
            legs.reason = vector or legs.reason
        elif self._semantic is not None:
            offset = None if request.mode == "flat" else self.tuning.heading_offset
            legs.cosine = self._across.cosines(
                self._semantic, collections, vector, query.language, offset
            )
            clock.stamp("vector")

    def _rank(self, request: SearchRequest, found: Found, clock: Clock) -> SearchResult:
        query, legs, allowed = found.query, found.legs, found.allowed
        fused = self._fuse(request, found)
        eligible = allowed if legs.cosine is not None else allowed & _matches_words(legs)
        if request.mode in {"hybrid", "lexical", "cascade"}:
            self._anchor(query, fused, eligible)
        positions, dropped = self._choose(request, fused, eligible)
        clock.stamp("fusion")
        evidence = gather(self.index, query, legs, positions)
        verdicts = [self.calibration.judge(found) for found in evidence]
        verdict = verdicts[0] if verdicts else NO_VERDICT
        clock.stamp("evidence")
        shown = self._shown_scores(request, fused[positions])
        leg_scores = [
            LegScores(float(score), *(None if leg is None else float(leg[at]) for leg in legs.all))
            for at, score in zip(positions, shown, strict=True)
        ]
        marked = content_of(sought_terms(query, self.index, self.tuning))
        hits = read_hits(self.index, positions, leg_scores, verdicts, marked, query.quoted)
        clock.stamp("hits")
        matched = int(np.count_nonzero(_matches_words(legs))) if legs.lemma is not None else 0
        full = len(hits) == request.limit and matched > len(hits)
        reasons = (("limit",) if full else ()) + dropped + (("query",) if legs.cut else ())
        return SearchResult(
            hits=hits,
            status="ok" if hits else "no_hits",
            outcome=verdict.outcome,
            confidence=verdict.confidence,
            evidence=evidence[0] if evidence else None,
            reason=legs.reason or ("" if hits else "no page matches"),
            legs=legs.names(),
            complete=not legs.reason,
            truncated=bool(reasons),
            truncation_reasons=reasons,
            corrections=query.corrections,
            language=query.language,
            matched=matched,
            milliseconds=clock.milliseconds,
            encoder=legs.encoder if legs.cosine is not None else "",
        )

    def _fuse(self, request: SearchRequest, found: Found) -> Scores:
        legs, tuning = found.legs, self.tuning
        if request.mode == "vector":
            assert legs.cosine is not None  # a vector question without an encoder has raised
            return legs.cosine.copy()
        if request.fusion == "weighted":
            return weighted_sum(legs, found.same_language, found.evened, tuning)
        weights = (tuning.rrf_lemma_weight, tuning.rrf_trigram_weight, tuning.rrf_vector_weight)
        ranked = [(s, w) for s, w in zip(legs.all, weights, strict=True) if s is not None]
        return reciprocal_ranks([s for s, _ in ranked], [w for _, w in ranked], tuning.rrf_k)

    def _anchor(self, query: Query, fused: Scores, eligible: Mask) -> None:
        """Lift what is called exactly what was asked for."""
        for position in self.index.called(query.words):
            if eligible[position]:
                fused[position] += _ANCHOR

    def _shown_scores(self, request: SearchRequest, fused: Scores) -> Scores:
        """Ranking scores as (0, 1], in the same order."""
        if request.fusion == "rrf" or request.mode == "vector":
            return fused
        top = self.tuning.lemma_weight + self.tuning.trigram_weight
        if len(fused) and fused[0] > top:
            top += _ANCHOR
        return fused / np.float32(top) if request.mode == "lexical" else np.exp(fused - top)

    def _choose(
        self, request: SearchRequest, fused: Scores, eligible: Mask
    ) -> tuple[list[int], tuple[str, ...]]:
        most = request.max_per_document if request.mode != "flat" else 0
        if not most:
            return best_first(fused, eligible, request.limit), ()
        chosen: list[int] = []
        seen: dict[int, int] = {}
        dropped = False
        # Every document could fill its share before the last one comes: look at all in order.
        for position in best_first(fused, eligible, int(np.count_nonzero(eligible))):
            document = int(self.index.chunk_document[position])
            if seen.get(document, 0) >= most:
                dropped = True
                continue
            seen[document] = seen.get(document, 0) + 1
            chosen.append(position)
            if len(chosen) == request.limit:
                break
        return chosen, ("max_per_document",) if dropped else ()


def _matches_words(legs: Legs) -> Mask:
    assert legs.lemma is not None and legs.trigram is not None  # only lexical legs ran
    return (legs.lemma > 0) | (legs.trigram > 0)
