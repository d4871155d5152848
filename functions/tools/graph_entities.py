"""The graph's entities: looked up by name, listed, with what is around, and paths between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from functions.models import Filters, ToolResponse
from functions.tools.graph_models import (
    GraphEntity,
    GraphEvidence,
    GraphFact,
    entity,
    evidence,
    fact,
    sources,
)
from index_artifacts.errors import EntityNotFoundError, QueryError
from index_artifacts.graph.entities import list_entities, look_up, neighbourhood
from index_artifacts.graph.model import ENTITY_TYPES
from index_artifacts.graph.paths import several_paths, shortest_path
from index_artifacts.graph.search import open_graph
from index_artifacts.rag.profiles import NONE
from index_artifacts.search_records import SearchRequest

if TYPE_CHECKING:
    from functions.asker import Asker
    from functions.served_version import ServedVersion
    from index_artifacts.graph.facts import Fact
    from index_artifacts.graph.search import Graph
    from index_artifacts.graph.tables import GraphTables, Node

_TYPES = f"Any of {', '.join(ENTITY_TYPES)}; repeat it for several."


class GraphParameters(BaseModel):
    """What of the version may be seen."""

    model_config = ConfigDict(extra="forbid")

    collections: Filters = Field([], description="Only facts of pages in these collections.")
    published_only: bool = Field(True, description="Leave out what is on unpublished pages alone.")
    rag_profile: str = Field("", max_length=64, description="Name of a RAG profile of the wiki.")


class EntitiesParameters(GraphParameters):
    """Which entities to list."""

    name: str = Field(
        "", max_length=300, description="A name in any form, inflected or with a slip."
    )
    prefix: str = Field("", max_length=100, description="How the name, or a word of it, begins.")
    type: Annotated[list[str], Field(max_length=len(ENTITY_TYPES))] = Field([], description=_TYPES)
    limit: int = Field(50, ge=1, le=500, description="How many at most.")
    offset: int = Field(0, ge=0, description="How many to leave out before the first.")


class EntitiesResponse(ToolResponse):
    """Entities in the graph's order."""

    entities: list[GraphEntity]
    total: int = Field(description="How many there are, beyond the limit too.")


class EntityParameters(GraphParameters):
    """How much of what is around an entity to list."""

    limit: int = Field(200, ge=1, le=2000, description="How many relations at most.")


class EntityResponse(ToolResponse):
    """An entity, where it stands, and what it is related to."""

    entity: GraphEntity
    evidence: list[GraphEvidence]
    facts: list[GraphFact]


class PathParameters(GraphParameters):
    """Which two entities to join."""

    start: str = Field(max_length=300, alias="from", description="A name or an id.")
    end: str = Field(max_length=300, alias="to", description="A name or an id.")
    paths: int = Field(1, ge=1, le=10, description="How many paths at most, the shortest first.")


class PathResponse(ToolResponse):
    """Paths between two entities: each is a chain of facts, whichever way they point."""

    start: GraphEntity
    end: GraphEntity
    paths: list[list[GraphFact]]


class StatsResponse(ToolResponse):
    """What the graph holds."""

    entities: dict[str, int] = Field(description="How many there are of each type.")
    relations: dict[str, int] = Field(description="How many there are of each kind.")
    gaps: int = Field(description="Pages on which facts were expected and none could be read.")


def run_list(parameters: EntitiesParameters, asker: Asker) -> EntitiesResponse:
    """List entities, or look one up by its name. Raises `EdgewikiError`."""
    served, graph = open_for(parameters, asker)
    if unknown := [name for name in parameters.type if name not in ENTITY_TYPES]:
        raise QueryError(f"type {unknown[0]!r} is unknown; there are: {', '.join(ENTITY_TYPES)}")
    if parameters.name:
        found = look_up(graph.tables, parameters.name, parameters.type)
        last = parameters.offset + parameters.limit
        shown, total = found[parameters.offset : last], len(found)
    else:
        shown, total = list_entities(
            graph.tables, parameters.prefix, parameters.type, parameters.limit, parameters.offset
        )
    cut = parameters.offset + len(shown) < total
    return EntitiesResponse(
        **_common(served, graph.tables, (), found=bool(shown), cut=cut),
        entities=[entity(node) for node in shown],
        total=total,
    )


def run_entity(key: str, parameters: EntityParameters, asker: Asker) -> EntityResponse:
    """An entity and what is around it. Raises `EntityNotFoundError`."""
    served, graph = open_for(parameters, asker)
    around = neighbourhood(graph.tables, key, parameters.limit)
    cut = len(around.facts) < around.total
    return EntityResponse(
        **_common(served, graph.tables, around.facts, found=True, cut=cut),
        entity=entity(around.node),
        evidence=[evidence(standing) for standing in around.standing],
        facts=[fact(found) for found in around.facts],
    )


def run_path(parameters: PathParameters, asker: Asker) -> PathResponse:
    """The ways from one entity to another. Raises `EntityNotFoundError`, `GraphError`."""
    served, graph = open_for(parameters, asker)
    start, end = _the_one(graph, parameters.start), _the_one(graph, parameters.end)
    if parameters.paths == 1:
        shortest = shortest_path(graph.tables, start, end)
        found = [] if shortest is None else [shortest]
    else:
        # Several ways need an algorithm of networkx, and so the pickle: where it is what the
        # tables hold.
        pickled = served.graph() if served.restricted_to is None else None
        found = several_paths(pickled, graph.tables, start, end, parameters.paths)
    facts = [proof for path in found for proof in path]
    return PathResponse(
        **_common(served, graph.tables, facts, found=bool(found), cut=False),
        start=entity(start),
        end=entity(end),
        paths=[[fact(proof) for proof in path] for path in found],
    )


def run_stats(parameters: GraphParameters, asker: Asker) -> StatsResponse:
    """How much of what the graph holds. Raises `EdgewikiError`."""
    served, graph = open_for(parameters, asker)
    gaps = {path for paths in graph.tables.gaps.values() for path in paths}
    return StatsResponse(
        **_common(served, graph.tables, (), found=True, cut=False),
        **graph.tables.counts(),
        gaps=len(gaps),
    )


def open_for(parameters: GraphParameters, asker: Asker) -> tuple[ServedVersion, Graph]:
    """The version and the graph as ``parameters`` let it be seen. Raises `EdgewikiError`."""
    served = asker.version()
    profile = asker.profile(served, parameters.rag_profile)
    request = SearchRequest(
        query="",
        collections=profile.narrow(tuple(parameters.collections)),
        published_only=parameters.published_only,
    )
    return served, open_graph(served.searcher.index, request, nothing=profile.mode == NONE)


def _the_one(graph: Graph, name: str) -> Node:
    """The entity that ``name`` names. People come first: their pages have the same names."""
    found = look_up(graph.tables, name)
    if not found:
        raise EntityNotFoundError(f"the graph has no entity called {name!r}")
    people = [node for node in found if node.type == "Person"]
    if len(people) > 1:
        ids = ", ".join(node.key for node in people)
        raise QueryError(f"{name!r} may be any of {ids}: give one of these ids")
    return people[0] if people else found[0]


def _common(
    served: ServedVersion,
    tables: GraphTables,
    facts: tuple[Fact, ...] | list[Fact],
    *,
    found: bool,
    cut: bool,
) -> dict[str, object]:
    return {
        "status": "ok" if found else "no_hits",
        "reason": "" if found else "the graph holds nothing of the kind",
        "sources": sources(tables, facts),
        "index_version": served.name,
        "complete": not cut,
        "truncated": cut,
        "truncation_reasons": ["limit"] if cut else [],
    }
