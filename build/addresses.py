"""What a page can be asked for by: its path, permalink, link and route, in any spelling."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from build.links import route, stands_for_folder
from index_artifacts.schema import address_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlite_utils import Database

    from index_artifacts.records import Document

PATH, PERMALINK, LINK, ROUTE = 1, 2, 3, 4
"""Ranks: of two pages with one address, the one that says so more surely is meant."""


def write_addresses(database: Database, documents: Sequence[Document]) -> None:
    """Write the table ``addresses``."""
    database.execute(
        "CREATE TABLE addresses (address TEXT, rank INTEGER, document_id INTEGER "
        "REFERENCES documents(id), PRIMARY KEY (address, rank, document_id)) WITHOUT ROWID"
    )
    links = Counter(document.source_url for document in documents)
    rows = sorted(
        {
            (address_key(address), rank, number)
            for number, document in enumerate(documents, 1)
            for address, rank in _addresses(document)
            # A template without a page's name in it gives all pages one link: it means none.
            if rank != LINK or links[address] == 1
        }
    )
    database.conn.executemany("INSERT INTO addresses VALUES (?, ?, ?)", rows)


def _addresses(document: Document) -> Iterator[tuple[str, int]]:
    path = document.path
    yield path, PATH
    if document.permalink:
        yield document.permalink, PERMALINK
    if document.source_url:
        yield document.source_url, LINK
    yield route(path), ROUTE
    yield str(PurePosixPath(path).with_suffix("")), ROUTE
    if "/" not in path and stands_for_folder(path):
        yield "", ROUTE  # the root's own page
