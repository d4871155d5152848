"""Pages as the caller may see them, from the version that is served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends

from functions.asker import Asker, asker_of
from functions.documents.paths import collision_key
from functions.documents.places import place_for_writing, places_of, seen_places
from functions.tools.documents import ListBody, ListResponse, run_list
from index_artifacts.documents import document_history, read_document
from index_artifacts.errors import ForbiddenError

if TYPE_CHECKING:
    from functions.documents.places import Place
    from functions.served_version import ServedVersion
    from index_artifacts.documents import History, Reading
    from index_artifacts.index import Index


@dataclass(frozen=True, slots=True)
class Counts:
    """What a caller sees of a version, or of one of its collections."""

    documents: int
    chunks: int
    tokens: int


class Reader:
    """A caller before a version, in which only the collections exist that it may read."""

    def __init__(self, asker: Asker) -> None:
        """Raises `EdgewikiError` where there is no version; `ForbiddenError` for no collection."""
        self.asker, self.state, self.caller = asker, asker.state, asker.caller
        self.served: ServedVersion = asker.version()
        self.places = places_of(self.served.artifact.manifest)
        self.seen = seen_places(self.places, self.caller)
        if not self.seen:
            raise ForbiddenError("none of this wiki's collections is open to you")

    @property
    def index(self) -> Index:
        """The version's database."""
        return self.served.searcher.index

    def listing(self, body: ListBody) -> ListResponse:
        """List pages. Raises `QueryError` for a collection that is not there to be seen."""
        return run_list(body, self.asker)

    def page(
        self, address: str, *, published_only: bool, offset: int, most: int
    ) -> tuple[Reading, History]:
        """A page, or a part of its text, and its commits.

        Raises `DocumentNotFoundError`, `QueryError`.
        """
        history = document_history(self.index, address, published_only=published_only)
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
        chosen = f"SELECT id FROM collections WHERE name IN ({', '.join('?' * len(names))})"
        pages = f"SELECT id FROM documents WHERE collection_id IN ({chosen})"
        (documents,) = self.index.connection.execute(f"SELECT count(*) FROM ({pages})", names)
        (chunks,) = self.index.connection.execute(
            f"SELECT count(*), coalesce(sum(tokens), 0) FROM chunks WHERE document_id IN ({pages})",
            names,
        )
        return Counts(documents[0], *chunks)

    def words(self) -> int:
        """How many different words its published pages hold."""
        (count,) = self.index.connection.execute("SELECT count(*) FROM vocabulary").fetchone()
        return int(count)

    def languages(self) -> dict[str, int]:
        """How many pages there are in each language."""
        rows = self.index.connection.execute(
            "SELECT language, count(*) FROM documents GROUP BY language ORDER BY language"
        )
        return dict(rows.fetchall())

    def _paths(self, chosen: list[str]) -> set[str]:
        where = f"WHERE path IN ({', '.join('?' * len(chosen))})" if chosen else ""
        rows = self.index.connection.execute(f"SELECT path FROM documents {where}", chosen)
        return {path for (path,) in rows}


def reader_of(asker: Annotated[Asker, Depends(asker_of)]) -> Reader:
    """Who asks, before the version. A FastAPI dependency, after authentication."""
    return Reader(asker)
