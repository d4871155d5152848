"""Which engine answers: facts where the question is about them, else pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from index_artifacts.answers.answer import AUTO, GRAPH, RAG
from index_artifacts.answers.graph_engine import graph_answer, settles
from index_artifacts.answers.pages_engine import answer_from_pages
from index_artifacts.graph.search import NOT_UNDERSTOOD
from index_artifacts.query import analyse
from index_artifacts.rag.facts import ASKED_FOR, NOT_BY_GRAPH, REASONS, ask_graph
from index_artifacts.rag.profiles import NONE
from index_artifacts.rag.retrieval import commonest_language

if TYPE_CHECKING:
    from index_artifacts.answers.answer import Answer
    from index_artifacts.answers.chat_model import ChatModel
    from index_artifacts.rag.context import Budget
    from index_artifacts.rag.profiles import Profile
    from index_artifacts.search import Searcher, SearchRequest


def answer_question(
    searcher: Searcher,
    request: SearchRequest,
    profile: Profile,
    budget: Budget,
    model: ChatModel | None = None,
    seconds: float = 25.0,
    engine: str = AUTO,
) -> Answer:
    """Answer ``request`` by ``engine``, with ``model`` or, without one, by the pages' sentences.

    Whatever a model does within ``seconds``, the answer is checked or a refusal. Raises
    `QueryError` for a collection that the version or the profile does not have.
    """
    reason = NOT_BY_GRAPH[NOT_UNDERSTOOD] if engine == AUTO else ASKED_FOR
    if engine != RAG and profile.mode != NONE:
        language = analyse(searcher.index, request.query).language
        spoken = language or commonest_language(searcher)
        known = ask_graph(searcher, request, profile)
        if engine == GRAPH:
            return graph_answer(known, spoken, ASKED_FOR)
        if settles(known.found):
            return graph_answer(known, spoken, REASONS[known.found.outcome])
        reason = NOT_BY_GRAPH[known.found.outcome]
    # A profile that searches nothing gives the same refusal, whichever engine was asked for.
    answer = answer_from_pages(searcher, request, profile, budget, model, seconds)
    return replace(answer, engine=GRAPH if engine == GRAPH else RAG, engine_reason=reason)
