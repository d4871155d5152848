"""What a version's pages can be filtered by: the values of each facet, and how many have them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

MOST_VALUES = 200
"""Of the values of one facet the most frequent are offered; others can be typed."""


class FacetValue(NamedTuple):
    """A value as it is mostly written, and how many published pages have it."""

    value: str
    documents: int


# With max(), SQLite takes the bare column ``value`` from the row that has the most pages.
_VALUES = """
SELECT facet, value, sum(pages) AS documents, max(pages)
FROM (
    SELECT facet, facets.key, facets.value, count(DISTINCT document_id) AS pages
    FROM facets JOIN documents ON documents.id = document_id
    WHERE published
    GROUP BY facet, facets.key, facets.value
)
GROUP BY facet, key
ORDER BY facet, documents DESC, value
"""


def read_facets(connection: sqlite3.Connection) -> dict[str, tuple[FacetValue, ...]]:
    """The values by facet, the most frequent first and `MOST_VALUES` at most; years latest first.

    Spellings that differ in case, spacing or composition alone are one value.
    """
    found: dict[str, list[FacetValue]] = defaultdict(list)
    for facet, value, documents, _ in connection.execute(_VALUES):
        if len(found[facet]) < MOST_VALUES:
            found[facet].append(FacetValue(str(value), int(documents)))
    found["year"].sort(key=lambda value: value.value, reverse=True)
    return {facet: tuple(values) for facet, values in found.items()}
