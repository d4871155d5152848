"""The engines behind an answer, asked without any function around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.answers.answer import AUTO, GRAPH, RAG, REFUSED
from index_artifacts.answers.engine import answer_question
from index_artifacts.errors import QueryError
from index_artifacts.graph.search import ANSWERED, NOT_UNDERSTOOD
from index_artifacts.rag.context import Budget
from index_artifacts.rag.facts import ASKED_FOR, NOT_BY_GRAPH, REASONS
from index_artifacts.rag.profiles import NONE, SELECTED, Profile
from index_artifacts.search import Searcher, SearchRequest
from tests.functions.answer_wiki import LANGUAGES, PAGES
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from index_artifacts.answers.answer import Answer

COUNT = "How many pages did Eva Malá write?"
HOW = "When do hikers leave?"


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return open_searcher(build(tmp_path_factory.mktemp("engine"), PAGES, languages=LANGUAGES))


def answer(
    searcher: Searcher,
    question: str,
    engine: str = AUTO,
    *,
    profile: Profile | None = None,
    budget: Budget | None = None,
    **fields: Any,
) -> Answer:
    request = SearchRequest(question, **{"limit": 12, "max_per_document": 4, **fields})
    profile, budget = profile or Profile(), budget or Budget(12_000)
    return answer_question(searcher, request, profile, budget, engine=engine)


@pytest.mark.parametrize(
    ("question", "asked", "engine", "reason"),
    [
        (COUNT, AUTO, GRAPH, REASONS[ANSWERED]),
        (COUNT, GRAPH, GRAPH, ASKED_FOR),
        (COUNT, RAG, RAG, ASKED_FOR),
        (HOW, AUTO, RAG, NOT_BY_GRAPH[NOT_UNDERSTOOD]),
        (HOW, RAG, RAG, ASKED_FOR),
        (HOW, GRAPH, GRAPH, ASKED_FOR),
    ],
)
def test_an_answer_says_which_engine_gave_it_and_why(
    searcher: Searcher, question: str, asked: str, engine: str, reason: str
) -> None:
    given = answer(searcher, question, asked)
    assert given.engine == engine
    assert given.engine_reason.startswith(reason)


def test_what_the_graph_alone_is_asked_and_does_not_understand_is_refused(
    searcher: Searcher,
) -> None:
    given = answer(searcher, HOW, GRAPH)
    assert (given.accepted, given.outcome, given.claims) == (False, REFUSED, ())
    assert given.reason.startswith("the graph does not know what this means")


@pytest.mark.parametrize("engine", [AUTO, RAG, GRAPH])
@pytest.mark.parametrize("question", [COUNT, HOW])
def test_a_profile_binds_every_engine(searcher: Searcher, engine: str, question: str) -> None:
    mute = answer(searcher, question, engine, profile=Profile("mute", NONE))
    assert (mute.accepted, mute.sources) == (False, ())
    assert mute.reason == "the RAG profile 'mute' searches no collection"
    widget = Profile("widget", SELECTED, ("wiki",))
    assert not answer(searcher, question, engine, profile=widget).accepted
    for profile, names in ((widget, ("people",)), (Profile(), ("teachers",))):
        with pytest.raises(QueryError, match="collection"):
            answer(searcher, question, engine, profile=profile, collections=names)


@pytest.mark.parametrize("mode", ["hybrid", "vector", "lexical", "cascade", "flat"])
def test_vectors_that_nothing_was_fitted_to_neither_rank_nor_decide(
    searcher: Searcher, mode: str
) -> None:
    assert not {"hybrid", "vector"} & searcher.calibration.models.keys()
    given = answer(searcher, "In which room does the printer stand?", mode=mode)
    assert [claim.quote for claim in given.claims] == ["The printer stands in room 12."]
    unicorn = answer(searcher, "What colour is the unicorn?", mode=mode)
    assert not unicorn.accepted
    assert unicorn.confidence is not None
    assert unicorn.confidence < 0.2


def test_a_question_that_only_its_conversation_completed_has_parts_nowhere(
    searcher: Searcher,
) -> None:
    given = answer(searcher, "a kde tlač plagátov?")
    assert given.accepted, given.reason
    assert answer(searcher, "kde? tlač plagátov").accepted


def test_evidence_over_the_budget_is_told(searcher: Searcher) -> None:
    given = answer(searcher, HOW, budget=Budget(1))
    assert (given.accepted, given.complete) == (False, False)
    assert "fits into 1 tokens" in given.reason
    assert "llm_context_budget" in given.truncation_reasons
