"""What the graph knows of the entities that a question names, for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from functions.tools.graph_entities import EntityParameters, open_for
from index_artifacts.errors import EdgewikiError
from index_artifacts.graph.entities import neighbourhood
from index_artifacts.graph.model import COLLECTION, DOCUMENT, ENTITY_TYPES, SECTION
from index_artifacts.graph.telling import tell_value
from index_artifacts.text import fold

if TYPE_CHECKING:
    from functions.asker import Asker
    from functions.ui.form import Form
    from index_artifacts.graph.entities import Neighbourhood
    from index_artifacts.graph.tables import Node

# What a relation is called on either side of it: what its source has, and what its target has.
# Those that are missing would tell a reader nothing that the page does not show already.
CALLED = {
    "AUTHORED": ("theses", "author"),
    "HAS_WORK": ("projects", "members"),
    "SUPERVISED": ("supervised", "supervisor"),
    "ABOUT": ("topic", "works"),
    "HAS_DOCUMENT": ("pages", "subjects"),
    "EVIDENCED_BY": ("pages", "subjects"),
    "DESCRIBES": ("topic", "pages"),
    "HAS_KEYWORD": ("keywords", "pages"),
    "IN_CATEGORY": ("categories", "pages"),
    "AUTHORED_DOCUMENT": ("pages", "author"),
    "REPLIES_TO": ("replies_to", "replies"),
    "LINKS_TO": ("links_to", "linked_from"),
}
_NOT_NAMED = frozenset({DOCUMENT, SECTION, COLLECTION})

CARDS = 3
"""How many entities are shown beside the results."""

AROUND = 200
"""How many relations of an entity are looked at."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity beside another; ``more`` is what tells it from others, such as its year."""

    key: str
    name: str
    type: str
    more: str


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours of one kind; ``called`` is a key of the wording's ``relations``."""

    called: str
    neighbours: list[Neighbour]


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as the page shows it. ``attributes`` are (key of the wording, value).

    ``unseen`` counts relations beyond `AROUND`.
    """

    key: str
    name: str
    type: str
    link: str
    attributes: list[tuple[str, str]]
    groups: list[Group]
    unseen: int


def entities_in(form: Form, asker: Asker, language: str) -> list[Entity]:
    """What the graph knows of whom and what the question names, people first; mostly nothing."""
    try:
        _, graph = open_for(_parameters(form), asker)
        mentions = graph.search(form.question, 1).mentions
        named = [node for mention in mentions for node in mention.nodes]
        chosen = _distinct([node for node in named if node.type not in _NOT_NAMED])[:CARDS]
        around = [neighbourhood(graph.tables, node.key, AROUND) for node in chosen]
    except EdgewikiError:
        return []  # where there is no graph, the pages that were found are all there is
    return [_entity(found, language) for found in around]


def entity_of(form: Form, asker: Asker, language: str) -> Entity:
    """The entity whose id the form has. Raises `EdgewikiError`."""
    _, graph = open_for(_parameters(form), asker)
    return _entity(neighbourhood(graph.tables, form.entity, AROUND), language)


def _parameters(form: Form) -> EntityParameters:
    collections = list(form.filters.get("collection", ()))
    return EntityParameters(collections=collections, published_only=not form.drafts)


def _distinct(nodes: list[Node]) -> list[Node]:
    """Each name once: a topic is a keyword too, and the author of pages a person."""
    nodes = sorted(nodes, key=lambda node: ENTITY_TYPES.index(node.type))
    return list({fold(node.name): node for node in reversed(nodes)}.values())[::-1]


def _entity(found: Neighbourhood, language: str) -> Entity:
    node = found.node
    groups: dict[str, dict[str, Neighbour]] = {}
    for fact in found.facts:
        if not fact.object or fact.relation not in CALLED:
            continue
        outwards = fact.subject.id == node.id
        other = fact.object if outwards else fact.subject
        called = CALLED[fact.relation][0 if outwards else 1]
        groups.setdefault(called, {})[other.key] = _neighbour(other)
    link = next((s.source_url for s in found.standing if s.path == node.page), "")
    order = list(dict.fromkeys(name for pair in CALLED.values() for name in pair))
    return Entity(
        key=node.key,
        name=node.name,
        type=node.type,
        link=link,
        attributes=[
            (name, tell_value(value, language))
            for name, value in sorted(node.attributes.items())
            if name != "title"
        ],
        groups=[
            Group(called, sorted(groups[called].values(), key=lambda n: (n.more, n.name)))
            for called in sorted(groups, key=order.index)
        ],
        unseen=max(0, found.total - len(found.facts)),
    )


def _neighbour(node: Node) -> Neighbour:
    return Neighbour(node.key, node.name, node.type, str(node.attributes.get("year", "")))
