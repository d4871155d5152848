"""Which collection a path belongs to, by the configuration that the version was built with.

Decided before anything is looked up, and told in the same words whether a page is there or not:
who may not read a collection learns nothing of what it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from functions.documents.paths import collision_key
from index_artifacts.errors import ForbiddenError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from functions.access import Caller
    from index_artifacts.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Place:
    """A collection: every page below ``path``, unless an earlier one holds it."""

    name: str
    path: str
    source_url: str

    def holds(self, path: str) -> bool:
        """True where the page at ``path`` belongs here."""
        return not self.path or path == self.path or path.startswith(f"{self.path}/")

    def nearly_holds(self, path: str) -> bool:
        """The same for a file system to which case and accents' form are nothing."""
        own, other = collision_key(self.path), collision_key(path)
        return not own or other == own or other.startswith(f"{own}/")


def places_of(manifest: Manifest) -> tuple[Place, ...]:
    """The collections of a version, in their order."""
    return tuple(
        Place(entry["name"], entry["path"], entry["source_url"])
        for entry in manifest.config["collections"]
    )


def seen_places(places: Sequence[Place], caller: Caller) -> tuple[Place, ...]:
    """Those of ``places`` that ``caller`` may read."""
    chosen = caller.collections
    return tuple(place for place in places if chosen is None or place.name in chosen)


def place_for_writing(path: str, places: Sequence[Place], caller: Caller) -> Place:
    """The collection that ``path`` belongs to. Raises `ForbiddenError` where it is not the
    caller's, where there is none, or where a checkout could put it into another one.
    """
    exact = next((place for place in places if place.holds(path)), None)
    nearly = next((place for place in places if place.nearly_holds(path)), None)
    own = seen_places(places, caller)
    if exact is None or exact is not nearly or exact not in own:
        there = ", ".join(f"{p.name} ({p.path or '.'})" for p in own) or "none"
        raise ForbiddenError(
            f"{path[:200]!r} is in no collection that you may write to; these are: {there}"
        )
    return exact
