"""The graph tool: a question in; typed facts with their evidence out, or why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from functions.models import MAX_FILTERS, MAX_QUERY, Filters, ToolResponse
from functions.tools.graph_models import GraphEntity, GraphFact, GraphMention, entity, fact, sources
from functions.tools.query import FOR_PROGRAMS
from index_artifacts.graph.answers import typed_answers
from index_artifacts.graph.search import DEFAULT_LIMIT, GraphAnswer, open_graph
from index_artifacts.query import analyse
from index_artifacts.rag.profiles import NONE
from index_artifacts.search_records import SearchRequest

if TYPE_CHECKING:
    from functions.asker import Asker
    from index_artifacts.graph.model import Value


class GraphSearchBody(BaseModel):
    """A question to the graph."""

    model_config = ConfigDict(extra="forbid", strict=True)

    query: str = Field(
        max_length=MAX_QUERY,
        description="A whole question about people, their theses and works, supervisors, years, "
        "topics, or about pages, their authors, keywords and categories.",
        examples=["Ktoré práce viedol Peter Zelenák v roku 2024?"],
    )
    collections: Filters = Field(
        [], description="Only facts of pages in these collections; leave empty for all."
    )
    authors: Filters = Field([], description="Only facts of pages by these people.")
    tags: Filters = Field([], description="Only facts of pages with any of these tags.")
    categories: Filters = Field([], description="Only facts of pages in any of these categories.")
    languages: Filters = Field([], description="Only facts of pages in these languages.")
    years: Annotated[list[Annotated[int, Field(ge=1, le=9999)]], Field(max_length=MAX_FILTERS)] = (
        Field([], description="Only facts of pages dated to these years.")
    )
    published_only: bool = Field(
        True,
        description="Leave out what stands on unpublished pages alone.",
        json_schema_extra=FOR_PROGRAMS,
    )
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=1000, description="How many answers at most.")
    rag_profile: str = Field(
        "",
        max_length=64,
        description="Name of a RAG profile of the wiki; empty: the key's own.",
        json_schema_extra=FOR_PROGRAMS,
    )


class TypedAnswer(BaseModel):
    """One of the things that were asked for."""

    type: str = Field(description="An entity's type, or year, start_year, kind, state, count, …")
    id: str = Field(description="The entity's id; empty for a value.")
    value: str = Field(description="The entity's name, or the value; of yes and no true or false.")
    number: int = Field(description="The value where it is a year or a count; else 0.")
    page: str = Field(description="Path of the page about it; may be empty.")


class GraphSearchResponse(ToolResponse):
    """What the graph says to a question."""

    outcome: str = Field(
        description="answered, no_facts (understood, and there are none), ambiguous (see "
        "candidates), unknown_entity (nobody of that name), or not_understood."
    )
    language: str = Field(description="The question's language.")
    understood: str = Field(description="How the question was read; empty where it was not.")
    answers: list[TypedAnswer]
    entities: list[GraphMention] = Field(description="What the question names.")
    candidates: list[GraphEntity] = Field(description="Whom an ambiguous name may mean.")
    facts: list[GraphFact] = Field(description="What proves the answers.")
    paths: list[list[int]] = Field(description="Positions in facts of those that belong together.")


def run(body: GraphSearchBody, asker: Asker) -> GraphSearchResponse:
    """Answer from the graph of the version that the caller may see. Raises `EdgewikiError`."""
    served = asker.version()
    index = served.searcher.index
    profile = asker.profile(served, body.rag_profile)
    request = SearchRequest(
        query=body.query,
        collections=profile.narrow(tuple(body.collections)),
        authors=tuple(body.authors),
        tags=tuple(body.tags),
        categories=tuple(body.categories),
        languages=tuple(body.languages),
        years=tuple(body.years),
        published_only=body.published_only,
    )
    graph = open_graph(index, request, nothing=profile.mode == NONE)
    found = graph.search(body.query, body.limit)
    return GraphSearchResponse(
        status="ok" if found.outcome == "answered" else found.outcome,
        reason=found.reason,
        sources=sources(graph.tables, found.facts),
        index_version=served.name,
        complete=found.complete,
        truncated=found.truncated,
        truncation_reasons=["limit"] if found.truncated else [],
        outcome=found.outcome,
        language=analyse(index, body.query, correct=False).language or "",
        understood=found.understood,
        answers=[
            _typed(type_, id_, value, page)
            for type_, id_, value, page in typed_answers(graph.tables, found)
        ],
        entities=_mentions(found),
        candidates=[entity(node) for node in found.candidates],
        facts=[fact(proof) for proof in found.facts],
        paths=[list(path) for path in found.paths],
    )


def _typed(type_: str, id_: str, value: bool | Value, page: str) -> TypedAnswer:
    said = str(value).lower() if isinstance(value, bool) else str(value)
    number = value if isinstance(value, int) and not isinstance(value, bool) else 0
    return TypedAnswer(type=type_, id=id_, value=said, number=number, page=page)


def _mentions(found: GraphAnswer) -> list[GraphMention]:
    return [
        GraphMention(**entity(node).model_dump(), mention=mention.text, corrected=mention.corrected)
        for mention in found.mentions
        for node in mention.nodes
    ]
