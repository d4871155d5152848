"""Which pages and chunks a request may be answered from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from index_artifacts.errors import QueryError
from index_artifacts.schema import facet_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.index import Collection, Index, Mask


class Filters(Protocol):
    """What a request says of the pages it is about. Filters of one kind are alternatives."""

    @property
    def authors(self) -> Sequence[str]: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def categories(self) -> Sequence[str]: ...
    @property
    def languages(self) -> Sequence[str]: ...
    @property
    def years(self) -> Sequence[int]: ...
    @property
    def published_only(self) -> bool: ...


def chosen_collections(index: Index, names: Sequence[str]) -> tuple[Collection, ...]:
    """The collections called ``names``, or all; raises `QueryError` for one there is not."""
    known = {collection.name: collection for collection in index.collections}
    for name in names:
        if name not in known:
            raise QueryError(f"collection {name!r} is unknown; there are: {', '.join(known)}")
    return tuple(c for c in index.collections if not names or c.name in names)


def allowed_documents(index: Index, filters: Filters) -> Mask:
    """True for each document that passes every filter, by position."""
    documents = index.visible.copy()
    if filters.published_only:
        documents &= index.published
    facets = {
        "author": filters.authors,
        "tag": filters.tags,
        "category": filters.categories,
        "language": filters.languages,
        "year": tuple(str(year) for year in filters.years),
    }
    for facet, values in facets.items():
        if values:
            documents &= index.documents_with(facet, [facet_key(value) for value in values])
    return documents


def allowed_chunks(index: Index, filters: Filters, collections: Iterable[Collection]) -> Mask:
    """True for each chunk inside ``collections`` whose page passes every filter."""
    documents = allowed_documents(index, filters)
    inside = np.zeros(index.chunk_count, dtype=bool)
    for collection in collections:
        inside[collection.slice] = True
    if documents.all():  # as mostly; spreading it over hundreds of thousands of chunks takes time
        return inside
    return np.asarray(inside & documents[index.chunk_document])
