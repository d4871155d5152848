"""What a knowledge graph is made of: entities, relations, and where each of them stands."""

from __future__ import annotations

from dataclasses import dataclass, field

PERSON, DOCUMENT, AUTHOR = "Person", "Document", "DocumentAuthor"
THESIS, WORK, TOPIC = "Thesis", "Work", "Topic"
KEYWORD, CATEGORY, SECTION, COLLECTION = "Keyword", "Category", "Section", "Collection"

ENTITY_TYPES = (
    PERSON, THESIS, WORK, TOPIC, DOCUMENT, AUTHOR, KEYWORD, CATEGORY, SECTION, COLLECTION,
)  # fmt: skip
"""A person is whom pages are about or who supervises; an author of pages is another type."""

RELATIONS = {
    "HAS_DOCUMENT": (PERSON, DOCUMENT),
    "AUTHORED": (PERSON, THESIS),
    "HAS_WORK": (PERSON, WORK),
    "SUPERVISED": (PERSON, (THESIS, WORK)),
    "EVIDENCED_BY": ((THESIS, WORK), DOCUMENT),
    "ABOUT": ((THESIS, WORK), TOPIC),
    "HAS_KEYWORD": (DOCUMENT, KEYWORD),
    "IN_CATEGORY": (DOCUMENT, CATEGORY),
    "IN_COLLECTION": (DOCUMENT, COLLECTION),
    "HAS_SECTION": (DOCUMENT, SECTION),
    "AUTHORED_DOCUMENT": (AUTHOR, DOCUMENT),
    "DESCRIBES": (DOCUMENT, TOPIC),
    "LINKS_TO": (DOCUMENT, DOCUMENT),
    "REPLIES_TO": (DOCUMENT, DOCUMENT),
    "IS_PERSON": (AUTHOR, PERSON),
}
"""Relation → the type, or types, of its source and of its target."""

ATTRIBUTES = {
    "year": int,
    "kind": str,
    "title": str,
    "state": str,
    "start_year": int,
    "definition": str,
}
"""Attribute → its type. Years are calendar years; ``start_year`` is when studies began.

``kind`` is bachelor, master, doctoral or team_project; ``state`` is in_progress, proposed or
defended where a page states it; ``definition`` is what a glossary says of a topic.
"""

Value = int | str


@dataclass(frozen=True, slots=True, order=True)
class Provenance:
    """Where something stands: lines (1-based, in the page's file) and the rule that read them.

    ``chunk`` is the ordinal of the document's chunk that holds the first line, None where a line
    is in none (front matter). ``attribute`` is what of an entity stands there; empty: itself.
    """

    path: str
    line: int
    last_line: int
    rule: str
    chunk: int | None = None
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node. ``key`` is its stable id, such as ``person:jan-kveton``.

    ``page`` is the path of the page that is about it, or that it is; ``names`` are further
    spellings it was found under.
    """

    key: str
    type: str
    name: str
    attributes: dict[str, Value] = field(default_factory=dict)
    page: str | None = None
    names: tuple[str, ...] = ()
    provenance: tuple[Provenance, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge between the entities with the keys ``source`` and ``target``."""

    source: str
    relation: str
    target: str
    provenance: tuple[Provenance, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """A page on which facts were to be expected and none could be read.

    ``about`` is the entity type, the attribute or the relation (SUPERVISED) that may be missing
    there; while there is one, no list of those is known to be complete.
    """

    path: str
    line: int
    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Entities by type and key, relations by source, relation and target; all sorted."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    gaps: tuple[Gap, ...] = ()
