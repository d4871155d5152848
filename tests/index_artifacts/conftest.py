"""Asking the small wiki: what the tests of searching share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.search import Searcher, SearchRequest, SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def ask(searcher: Searcher) -> Callable[..., SearchResult]:
    def run(query: str, **fields: Any) -> SearchResult:
        return searcher.search(SearchRequest(query, **fields))

    return run


def pages(result: SearchResult) -> set[str]:
    return {hit.document.id for hit in result.hits}


def marked(result: SearchResult) -> set[str]:
    """What is highlighted, in lower case as written."""
    return {hit.snippet[start:end].lower() for hit in result.hits for start, end in hit.highlights}
