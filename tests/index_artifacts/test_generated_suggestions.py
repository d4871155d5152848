"""Suggestions from generated wikis: as looking at every name finds them, and with pages hidden."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from index_artifacts.restricted import RestrictedIndex
from index_artifacts.schema import SUGGESTED
from index_artifacts.suggestions import LIMIT, SuggestRequest, suggest
from index_artifacts.text import words
from tests.named_pages import NO_GRAPH, open_pages, page, people

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.graph.model import KnowledgeGraph
    from index_artifacts.records import Document

_WORDS = st.sampled_from(["a", "á", "ab", "abc", "Abd", "ba", "Bá", "b", "жa", "ж"])
_NAMES = st.lists(_WORDS, min_size=1, max_size=3).map(" ".join)
_SEVERAL = st.lists(_NAMES, max_size=3)
_COLLECTIONS = ("open", "shut", "wiki")
_EXAMPLES = settings(max_examples=25, deadline=None)


class Row(NamedTuple):
    """A page's values before it has a path; links are positions of pages."""

    title: str
    aliases: list[str]
    authors: list[str]
    tags: list[str]
    links: list[int]
    collection: str
    published: bool


_ROWS = st.lists(
    st.builds(
        Row, _NAMES, _SEVERAL, _SEVERAL, _SEVERAL, st.lists(st.integers(0, 5), max_size=3),
        st.sampled_from(_COLLECTIONS), st.booleans(),
    ),
    min_size=1, max_size=8,
)  # fmt: skip
_TYPED = st.lists(_WORDS, min_size=1, max_size=3).map(" ".join)


def pages_of(rows: Sequence[Row]) -> list[Document]:
    paths = [f"{row.collection}/{number}.md" for number, row in enumerate(rows)]
    return [
        page(
            path, row.title, aliases=row.aliases, authors=row.authors, tags=row.tags,
            links=[paths[to] for to in row.links if to < len(paths)],
            collection=row.collection, published=row.published,
        )
        for path, row in zip(paths, rows, strict=True)
    ]  # fmt: skip


def expected(documents: Sequence[Document], typed: Sequence[str], published: bool) -> list[str]:
    """The folded names of what is suggested, by looking at every name of every page."""
    uses: dict[tuple[str, bool], dict[tuple[str, str], set[str]]] = {}
    bearers: dict[str, set[str]] = {}
    for document in documents:
        if published and not document.published:
            continue
        place = document.collection, document.published
        linking = {
            other.path
            for other in documents
            if (other.collection, other.published) == place
            and document.path in {link.document for link in other.links}
        }
        for kind, named, users in (
            ("title", (document.title, *document.aliases), {document.path, *linking}),
            ("person", document.authors, {document.path}),
            ("keyword", document.tags, {document.path}),
        ):
            for name in named:
                key = " ".join(words(name))
                uses.setdefault(place, {}).setdefault((kind, key), set()).update(users)
                if kind == "title":
                    bearers.setdefault(key, set()).add(document.path)
    best: dict[str, tuple[bool, int, int, int, str]] = {}
    for names in uses.values():
        for (kind, key), users in names.items():
            if matches(key.split(), typed):
                begins = f"{key} ".startswith(" ".join(typed))
                rank = not begins, SUGGESTED.index(kind), -len(users), len(key), key
                best[key] = min(rank, best.get(key, rank))
    by_lead: dict[str, str] = {}
    for key in sorted(best, key=lambda key: best[key]):
        own = bearers.get(key, set())
        by_lead.setdefault(next(iter(own)) if len(own) == 1 else key, key)
    return list(by_lead.values())[:LIMIT]


def matches(name: list[str], typed: Sequence[str]) -> bool:
    whole = all(word in name for word in typed[:-1])
    return whole and any(word.startswith(typed[-1]) for word in name)


@_EXAMPLES
@given(rows=_ROWS, typed=_TYPED, published=st.booleans())
def test_suggestions_are_those_that_looking_at_every_name_would_find(
    rows: list[Row], typed: str, published: bool
) -> None:
    documents = pages_of(rows)
    with tempfile.TemporaryDirectory() as folder:
        index = open_pages(Path(folder), documents, collections=_COLLECTIONS)
        found = suggest(index, SuggestRequest(typed, published_only=published))
        index.connection.close()
    assert [" ".join(words(one.text)) for one in found.found] == expected(
        documents, words(typed), published
    )


def graph_of(documents: Sequence[Document]) -> KnowledgeGraph:
    """People called like pages, on which all pages speak that have a word of theirs."""
    found = [
        (
            one.title,
            [other.path for other in documents if set(words(one.title)) & set(words(other.title))],
        )
        for one in documents
    ]
    return people(*found, about=[one.path for one in documents]) if found else NO_GRAPH


@_EXAMPLES
@given(rows=_ROWS, typed=_TYPED, published=st.booleans(), limit=st.integers(1, LIMIT))
def test_whoever_may_not_read_a_collection_is_told_what_there_is_without_it(
    rows: list[Row], typed: str, published: bool, limit: int
) -> None:
    documents = pages_of(rows)
    seen = [document for document in documents if document.collection != "shut"]
    request = SuggestRequest(typed, published_only=published, limit=limit)
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        whole = open_pages(
            Path(first), documents, graph_of(documents), graph_of(seen),
            collections=_COLLECTIONS, private=["shut"],
        )  # fmt: skip
        restricted = RestrictedIndex(whole, {"open", "wiki"})
        without = open_pages(Path(second), seen, graph_of(seen), collections=("open", "wiki"))
        assert suggest(restricted, request) == suggest(without, request)
        for index in (whole, restricted, without):
            index.connection.close()
