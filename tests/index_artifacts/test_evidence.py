"""What a hit stands on, on the small wiki with the real model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from index_artifacts.search import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.evidence import Evidence
    from index_artifacts.search import Searcher, SearchResult


def evidence(result: SearchResult) -> Evidence:
    assert result.evidence is not None
    return result.evidence


def test_all_of_a_title_is_covered_and_half_of_a_question_is_half(
    ask: Callable[..., SearchResult],
) -> None:
    whole = evidence(ask("Na akom porte počúva server?"))
    assert whole.coverage == pytest.approx(1.0)
    assert not whole.across
    part = evidence(ask("Na akom porte počúva server v Afrike?"))
    assert whole.share is not None and part.share is not None
    assert 0 < (part.coverage or 0) < 1
    assert part.share < whole.share


def test_the_margin_is_to_the_mean_of_the_next_five_pages(
    searcher: Searcher, ask: Callable[..., SearchResult]
) -> None:
    question = "Na akom porte počúva server?"
    found = searcher.find(SearchRequest(question))
    assert found is not None and found.legs.cosine is not None
    pages: dict[int, float] = {}
    for page, cosine in zip(searcher.index.chunk_document, found.legs.cosine, strict=True):
        pages[int(page)] = max(pages.get(int(page), -1.0), float(cosine))
    best, *rest = sorted((cosine for cosine in pages.values() if cosine > -1), reverse=True)
    assert evidence(ask(question)).margin == pytest.approx(best - np.mean(rest[:5]), abs=1e-5)


def test_one_page_has_no_margin(ask: Callable[..., SearchResult]) -> None:
    alone = ask('"trénovanie na serveri"')
    assert len({hit.document.id for hit in alone.hits}) == 1
    assert evidence(alone).margin is None
    assert evidence(ask('"serveri"')).margin is not None


def test_a_leg_that_did_not_run_has_no_figures(ask: Callable[..., SearchResult]) -> None:
    lexical = evidence(ask("port servera", mode="lexical"))
    assert (lexical.kind, lexical.cosine, lexical.margin) == ("lexical", None, None)
    vector = evidence(ask("port servera", mode="vector"))
    assert (vector.kind, vector.coverage, vector.share) == ("vector", None, None)


def test_a_page_in_another_language_is_judged_by_meaning_alone(
    ask: Callable[..., SearchResult],
) -> None:
    found = evidence(ask("Kto označuje vety v korpuse?", languages=("ru",)))
    assert found.across
    assert found.kind == "vector"


@pytest.mark.parametrize(
    ("question", "outcomes"),
    [
        ("Na akom porte počúva server?", {"answer"}),
        ("Ako dlho sa pečie chlieb z ražnej múky?", {"none", "low_confidence"}),
        ("Koľko mesiacov obieha okolo najväčšej planéty?", {"none", "low_confidence"}),
        ("", {"none"}),
        ('"slová ktoré tu nestoja"', {"none"}),
    ],
)
def test_an_answer_is_told_from_none(
    ask: Callable[..., SearchResult], question: str, outcomes: set[str]
) -> None:
    result = ask(question)
    assert result.outcome in outcomes
    assert result.confidence is not None and 0 <= result.confidence <= 1


def test_each_hit_is_judged_by_itself(ask: Callable[..., SearchResult]) -> None:
    result = ask("Na akom porte počúva server?", limit=20)
    first, last = result.hits[0], result.hits[-1]
    assert first.verdict.outcome == result.outcome == "answer"
    assert last.verdict.outcome == "none"
    confidences = [hit.verdict.confidence for hit in result.hits]
    assert all(c is not None and 0 <= c <= 1 for c in confidences)
    beside = [h for h in result.hits[1:] if h.document.id != first.document.id]
    assert any(hit.verdict.outcome == "none" for hit in beside)


def test_a_hit_of_a_filtered_question_is_judged_among_what_passes(
    ask: Callable[..., SearchResult],
) -> None:
    found = ask("Kto označuje vety v korpuse?", languages=("ru",), limit=20)
    assert {hit.document.language for hit in found.hits} == {"ru"}
    assert found.hits[0].verdict.outcome == found.outcome


@pytest.mark.parametrize("mode", ["lexical", "vector", "flat", "cascade"])
def test_every_mode_judges_its_hits(ask: Callable[..., SearchResult], mode: str) -> None:
    result = ask("Na akom porte počúva server?", mode=mode, limit=5)
    assert len(result.hits) > 1
    assert result.hits[0].verdict.outcome == result.outcome
    assert all(hit.verdict.outcome != "unknown" for hit in result.hits)
