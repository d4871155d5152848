"""The graph function: questions, entities, paths and statistics."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from functions.openapi import TOOL
from functions.router import NOT_FOUND, Asking, tool_router
from functions.tools.graph import GraphSearchBody, GraphSearchResponse, run
from functions.tools.graph_entities import (
    EntitiesParameters,
    EntitiesResponse,
    EntityParameters,
    EntityResponse,
    GraphParameters,
    PathParameters,
    PathResponse,
    StatsResponse,
    run_entity,
    run_list,
    run_path,
    run_stats,
)

router = tool_router("graph")


@router.post(
    "/graph/search",
    summary="Ask for facts: who, which, when, how many",
    description=(
        "Ask a whole question about people, their theses and works, supervisors, years and topics, "
        "or about pages, their authors, keywords and categories. The answers are typed facts with "
        "the lines they stand on, and `complete` says whether they are known to be all there are. "
        "Use it to list, count or compare, which a search cannot do. Where `outcome` is "
        "`ambiguous`, ask which of the candidates is meant; where it is `not_understood`, search "
        "instead."
    ),
    openapi_extra=TOOL,
)
def search_graph(body: GraphSearchBody, asker: Asking) -> GraphSearchResponse:
    """Answer a question from facts alone."""
    return run(body, asker)


@router.get("/graph/entities", summary="Look up or list the entities of the graph")
def list_graph_entities(
    parameters: Annotated[EntitiesParameters, Query()], asker: Asking
) -> EntitiesResponse:
    """List entities by name, prefix or type."""
    return run_list(parameters, asker)


@router.get(
    "/graph/entities/{key:path}", summary="An entity and what is around it", responses=NOT_FOUND
)
def read_graph_entity(
    key: str, parameters: Annotated[EntityParameters, Query()], asker: Asking
) -> EntityResponse:
    """An entity with its facts and their evidence."""
    return run_entity(key, parameters, asker)


@router.get("/graph/path", summary="How two entities are related", responses=NOT_FOUND)
def find_graph_path(parameters: Annotated[PathParameters, Query()], asker: Asking) -> PathResponse:
    """The shortest chains of facts between two entities."""
    return run_path(parameters, asker)


@router.get("/graph/stats", summary="What the graph holds")
def count_graph(parameters: Annotated[GraphParameters, Query()], asker: Asking) -> StatsResponse:
    """Counts by type and relation."""
    return run_stats(parameters, asker)
