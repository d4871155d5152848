"""Answering from facts: what the version lists completely is told with its count and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.answer import ANSWERED, GRAPH, REFUSED, Answer
from index_artifacts.answers.catalogue import filters_by, look_up, told, understand
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.answers.rendering import render_answer
from index_artifacts.filters import chosen_collections
from index_artifacts.rag.passages import Passage
from index_artifacts.rag.profiles import NONE
from index_artifacts.rag.rules import wording

if TYPE_CHECKING:
    from index_artifacts.answers.catalogue import Listed
    from index_artifacts.rag.profiles import Profile
    from index_artifacts.search import Searcher, SearchRequest

FACTS = "facts"
UNDERSTOOD = "the question is about pages by author, tag or category, which are listed completely"
NOT_UNDERSTOOD = "the question is in none of the forms that the graph understands"


def answer_from_graph(
    searcher: Searcher, request: SearchRequest, profile: Profile, language: str
) -> Answer | None:
    """The facts that answer ``request``, or None where it is no question about them.

    Raises `QueryError` for a collection that the version or the profile does not have.
    """
    if profile.mode == NONE:
        return None
    index, collections = searcher.index, profile.narrow(request.collections)
    chosen_collections(index, collections)  # a wrong one is wrong whatever is asked
    asked = understand(index, request.query, Lemmatiser(index))
    if asked is None or filters_by(request, asked):
        return None
    listed = look_up(index, asked, request, collections)
    return _answer(listed, language) if listed.pages else None


def not_understood(language: str) -> Answer:
    """The refusal of a question that the graph does not understand."""
    return Answer(
        text=wording(language).refusal,
        outcome=REFUSED,
        reason=NOT_UNDERSTOOD,
        language=language,
        generator=FACTS,
        engine=GRAPH,
        engine_reason="asked for",
    )


def _answer(listed: Listed, language: str) -> Answer:
    sources = tuple(
        Passage(page, (), "", line=1, last_line=1, chunk_ids=(), rank=number)
        for number, page in enumerate(listed.pages, 1)
    )
    numbers = tuple(range(1, len(sources) + 1))
    facts = told(listed, language)
    # One claim of both: each fact stands on all the pages, whose numbers are told once.
    shown = ". ".join(facts[::-1] if listed.asked.counts else facts)
    claims = (Claim(shown, numbers, ""),)
    return Answer(
        text=render_answer(claims, sources, (), wording(language)),
        outcome=ANSWERED,
        reason="",
        language=language,
        generator=FACTS,
        engine=GRAPH,
        engine_reason=UNDERSTOOD,
        claims=claims,
        sources=sources,
        confidence=1.0,
        complete=listed.complete,
        truncation_reasons=() if listed.complete else ("limit",),
    )
