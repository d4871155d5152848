"""Pages as the caller may see them, from the version that is served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

from functions.documents.paths import collision_key
from functions.documents.places import place_for_writing, places_of, seen_places
from functions.tools.documents import ListBody, ListResponse, run_list
from index_artifacts.documents import document_history, read_document
from index_artifacts.errors import DocumentNotFoundError, ForbiddenError, QueryError

if TYPE_CHECKING:
    from functions.access import Caller
    from functions.documents.places import Place
    from functions.state import ServedVersion, State
    from index_artifacts.documents import History, Reading
    from index_artifacts.index import Index


@dataclass(frozen=True, slots=True)
class Counts:
    """What a caller sees of a version, or of one of its collections."""

    documents: int
    chunks: int
    tokens: int


class Reader:
    """A caller before a version."""

    def __init__(self, state: State, caller: Caller) -> None:
        """Raises `EdgewikiError` where there is no version; `ForbiddenError` for no collection."""
        self.state, self.caller = state, caller
        self.served: ServedVersion = state.version()
        self.places = places_of(self.served.artifact.manifest)
        self.seen = seen_places(self.places, caller)
        if not self.seen:
            raise ForbiddenError("none of this wiki's collections is open to you")

    @property
    def index(self) -> Index:
        """The version's database."""
        return self.served.searcher.index

    def listing(self, body: ListBody) -> ListResponse:
        """List pages. Raises `QueryError` for a collection that is not there to be seen."""
        names = [place.name for place in self.seen]
        for name in body.collections:
            if name not in names:
                raise QueryError(f"collection {name!r} is unknown; there are: {', '.join(names)}")
        asked = body.model_copy(update={"collections": body.collections or names})
        return run_list(asked, self.state)

    def page(
        self, address: str, *, published_only: bool, offset: int, most: int
    ) -> tuple[Reading, History]:
        """A page, or a part of its text, and its commits.

        Raises `DocumentNotFoundError`, `QueryError`.
        """
        try:
            history = document_history(self.index, address, published_only=published_only)
        except DocumentNotFoundError:
            if self.caller.collections is None:
                raise
            # Similar paths are not named: they may be of pages that this caller does not see.
            raise _no_page(address) from None
        if history.document.collection not in {place.name for place in self.seen}:
            raise _no_page(address)
        reading = read_document(
            self.index, address, offset=offset, max_characters=most, published_only=published_only
        )
        return reading, history

    def place(self, path: str) -> Place:
        """The collection that a page at ``path`` is written to. Raises `ForbiddenError`."""
        return place_for_writing(path, self.places, self.caller)

    def known(self, path: str) -> bool:
        """Whether the caller sees a page at just this path."""
        return self._paths([path]) == {path}

    def look_alikes(self, path: str) -> set[str]:
        """Paths of pages that some file systems would take for ``path``, and that are not."""
        key = collision_key(path)
        return {other for other in self._paths([]) if collision_key(other) == key} - {path}

    def counts(self, *places: Place) -> Counts:
        """Pages, chunks and tokens in ``places``, by default in all that are seen."""
        names = tuple(place.name for place in places or self.seen)
        chosen = f"SELECT id FROM collections WHERE name IN ({_marks(names)})"
        pages = f"SELECT id FROM documents WHERE collection_id IN ({chosen})"
        (documents,) = self.index.connection.execute(f"SELECT count(*) FROM ({pages})", names)
        (chunks,) = self.index.connection.execute(
            f"SELECT count(*), coalesce(sum(tokens), 0) FROM chunks WHERE document_id IN ({pages})",
            names,
        )
        return Counts(documents[0], *chunks)

    def languages(self) -> dict[str, int]:
        """How many pages there are in each language."""
        names = tuple(place.name for place in self.seen)
        rows = self.index.connection.execute(
            "SELECT language, count(*) FROM documents WHERE collection_id IN "
            f"(SELECT id FROM collections WHERE name IN ({_marks(names)})) "
            "GROUP BY language ORDER BY language",
            names,
        )
        return dict(rows.fetchall())

    def _paths(self, chosen: list[str]) -> set[str]:
        names = tuple(place.name for place in self.seen)
        rows = self.index.connection.execute(
            "SELECT path FROM documents WHERE collection_id IN "
            f"(SELECT id FROM collections WHERE name IN ({_marks(names)}))"
            + (f" AND path IN ({_marks(chosen)})" if chosen else ""),
            (*names, *chosen),
        )
        return {path for (path,) in rows}


def reader_of(request: Request) -> Reader:
    """Who sent ``request``, before the version. A FastAPI dependency, after authentication."""
    return Reader(request.app.state.version_state, request.state.caller)


def _no_page(address: str) -> DocumentNotFoundError:
    return DocumentNotFoundError(f"there is no page {address[:200]!r}")


def _marks(values: tuple[str, ...] | list[str]) -> str:
    return ", ".join("?" * len(values))
