"""The page's form: a question with its mode and filters, as the address of the page has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

from functions.tools.query import checked_body
from functions.tools.search import SearchBody, SearchParameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.datastructures import QueryParams

    from index_artifacts.facets import FacetValue
    from index_artifacts.index import Index

HITS, PER_PAGE = 30, 4
"""How many hits are asked for, and how many fragments of a page are shown at most."""

_OFFERED = 60

# Parameter of the address → field of the search, in the order in which the form shows them.
FILTERS = {
    "collection": "collections",
    "language": "languages",
    "year": "years",
    "author": "authors",
    "tag": "tags",
    "category": "categories",
}
_TYPED = ("author", "tag", "category")


@dataclass(frozen=True, slots=True)
class Form:
    """What was filled in. ``filters`` are the values by parameter; ``entity`` is a graph's id."""

    question: str
    mode: str
    filters: Mapping[str, tuple[str, ...]]
    drafts: bool
    entity: str = ""

    @classmethod
    def read(cls, asked: QueryParams) -> Self:
        """What an address asks; fields left empty are not there, unknown ones are ignored."""
        return cls(
            question=asked.get("q", "").strip(),
            mode=asked.get("mode", ""),
            filters={
                name: values
                for name in FILTERS
                if (values := tuple(v.strip() for v in asked.getlist(name) if v.strip()))
            },
            drafts=asked.get("drafts", "") not in {"", "0"},
            entity=asked.get("entity", "").strip(),
        )

    @property
    def asks(self) -> bool:
        """True where there is something to find or to tell of."""
        return bool(self.question or self.entity)

    @property
    def narrows(self) -> bool:
        """True where something but the question is set."""
        return bool(self.mode or self.filters or self.drafts)

    def body(self) -> SearchBody:
        """The search that it asks for; raises `QueryError`, which names the field."""
        fields: dict[str, Any] = {FILTERS[name]: list(v) for name, v in self.filters.items()}
        if self.mode:
            fields["mode"] = self.mode
        return checked_body(
            SearchParameters,
            q=self.question,
            limit=HITS,
            max_per_document=PER_PAGE,
            published_only=not self.drafts,
            **fields,
        )

    def address(self, base: str, question: str = "", entity: str = "") -> str:
        """Where the page is that asks ``question``, or tells of ``entity``, with these filters."""
        fields = [("q", question), ("entity", entity)]
        if not entity:
            fields.append(("mode", self.mode))
            fields += [(name, value) for name, values in self.filters.items() for value in values]
        fields.append(("drafts", "1" if self.drafts else ""))
        query = urlencode([(name, value) for name, value in fields if value])
        return f"{base}/?{query}" if query else f"{base}/"


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of the form with what it offers; ``typed`` values may be others as well."""

    name: str
    chosen: str
    offered: tuple[FacetValue, ...]
    typed: bool


def choices(form: Form, index: Index) -> list[Choice]:
    """The filters that make a difference in the version that ``index`` is of."""
    counted = index.facets
    names = tuple((collection.name, collection.chunks) for collection in index.collections)
    found = []
    for name in FILTERS:
        offered: tuple[Any, ...] = names if name == "collection" else counted.get(name, ())
        chosen = form.filters.get(name, ("",))[0]
        if len(offered) > 1 or chosen:
            found.append(Choice(name, chosen, offered[:_OFFERED], name in _TYPED))
    return found
