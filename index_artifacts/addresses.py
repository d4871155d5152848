"""From what a page is asked for by to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from index_artifacts.errors import DocumentNotFoundError
from index_artifacts.schema import address_key

if TYPE_CHECKING:
    from index_artifacts.index import Index

_SIMILAR = 3
_SIMILAR_FROM = 60.0  # of 100, by rapidfuzz

_BY_PATH = "SELECT id FROM documents WHERE path = ? AND published >= ?"
_BY_ADDRESS = (
    "SELECT id FROM addresses JOIN documents ON documents.id = document_id "
    "WHERE address = ? AND published >= ? ORDER BY rank, id LIMIT 1"
)


def find_document(index: Index, address: str, *, published_only: bool = True) -> int:
    """The id of the page whose path, permalink, link or route ``address`` is.

    Case, percent encoding and outer slashes do not count; nor does what follows a ``#``, unless
    a path holds one. Raises `DocumentNotFoundError`, which names similar paths: of published
    pages alone, so that nobody learns of any other.
    """
    least = int(published_only)
    for query, key in (
        (_BY_PATH, address),
        (_BY_ADDRESS, address_key(address)),
        (_BY_ADDRESS, address_key(address.partition("#")[0])),
    ):
        # A lone surrogate is in no path, and SQLite takes none.
        row = index.connection.execute(query, (_sayable(key), least)).fetchone()
        if row is not None:
            return int(row[0])
    raise DocumentNotFoundError(f"there is no page {address[:200]!r}{_hint(index, address)}")


def similar_paths(index: Index, address: str) -> list[str]:
    """Up to three paths of published pages that look most like ``address``, likest first."""
    rows = index.connection.execute("SELECT path FROM documents WHERE published ORDER BY path")
    found = process.extract(
        address_key(address[:1000]),
        [path for (path,) in rows],
        scorer=fuzz.WRatio,
        processor=address_key,
        limit=_SIMILAR,
        score_cutoff=_SIMILAR_FROM,
    )
    return [path for path, _, _ in found]


def _hint(index: Index, address: str) -> str:
    paths = similar_paths(index, address)
    return f"; similar: {', '.join(map(repr, paths))}" if paths else ""


def _sayable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
