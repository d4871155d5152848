"""Which chunks a request may be answered from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.schema import facet_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from index_artifacts.index import Collection, Index, Mask
    from index_artifacts.search_records import SearchRequest


def allowed_chunks(index: Index, request: SearchRequest, collections: Iterable[Collection]) -> Mask:
    """True for each chunk inside ``collections`` whose page passes every filter."""
    documents = index.published.copy() if request.published_only else index.published | True
    facets = {
        "author": request.authors,
        "tag": request.tags,
        "category": request.categories,
        "language": request.languages,
        "year": tuple(str(year) for year in request.years),
    }
    for facet, values in facets.items():
        if values:
            documents &= index.documents_with(facet, [facet_key(value) for value in values])
    inside = np.zeros(index.chunk_count, dtype=bool)
    for collection in collections:
        inside[collection.slice] = True
    if documents.all():  # as mostly; spreading it over hundreds of thousands of chunks takes time
        return inside
    return np.asarray(inside & documents[index.chunk_document])
