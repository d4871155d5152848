"""What the graph's operations answer with: entities, and facts with their evidence.

What is absent is an empty string: importers of tools read "null or a value" badly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from functions.models import Source
from index_artifacts.documents import describe_documents

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.graph.facts import Fact
    from index_artifacts.graph.tables import GraphTables, Node, Standing


class GraphEntity(BaseModel):
    """An entity of the graph."""

    id: str = Field(description="Its stable id, such as person:jan-kveton.")
    type: str = Field(description="Person, Thesis, Work, Topic, Document, Keyword, …")
    name: str
    page: str = Field(description="Path of the page about it; empty where there is none.")


class GraphMention(GraphEntity):
    """An entity that the question names."""

    mention: str = Field(description="The words of the question that name it.")
    corrected: bool = Field(description="True where a slip in them had to be mended.")


class GraphEvidence(BaseModel):
    """Where a fact stands."""

    path: str
    title: str
    heading: str
    source_url: str
    line: int = Field(description="1-based, in the page's file.")
    last_line: int
    rule: str = Field(description="The rule of the build that read it there.")


class GraphFact(BaseModel):
    """A relation between two entities, or an attribute of one and its value."""

    subject: GraphEntity
    relation: str = Field(description="Such as SUPERVISED; empty for an attribute.")
    object: GraphEntity = Field(description="All its fields are empty for an attribute.")
    attribute: str = Field(description="Such as year or start_year; empty for a relation.")
    value: str = Field(description="The attribute's; empty for a relation.")
    evidence: list[GraphEvidence]


NOBODY = GraphEntity(id="", type="", name="", page="")


def entity(node: Node) -> GraphEntity:
    """An entity as it is answered."""
    return GraphEntity(id=node.key, type=node.type, name=node.name, page=node.page)


def fact(found: Fact) -> GraphFact:
    """A fact as it is answered."""
    return GraphFact(
        subject=entity(found.subject),
        relation=found.relation,
        object=entity(found.object) if found.object else NOBODY,
        attribute=found.attribute,
        value="" if found.value is None else str(found.value),
        evidence=[evidence(standing) for standing in found.evidence],
    )


def evidence(standing: Standing) -> GraphEvidence:
    """Where a fact stands, as it is answered."""
    return GraphEvidence(
        path=standing.path,
        title=standing.title,
        heading=standing.heading,
        source_url=standing.source_url,
        line=standing.line,
        last_line=standing.last_line,
        rule=standing.rule,
    )


def sources(tables: GraphTables, facts: Iterable[Fact]) -> list[Source]:
    """The pages that ``facts`` stand on, numbered in their order."""
    places: dict[str, str] = {}
    for found in facts:
        for standing in found.evidence:
            places.setdefault(standing.path, standing.heading)
    pages = describe_documents(tables.index, list(places))
    return [
        Source(
            number=number,
            title=page.title,
            authors=list(page.authors),
            path=page.id,
            heading=places[page.id],
            source_url=page.source_url,
            published=page.published,
        )
        for number, page in enumerate(pages, 1)
    ]
