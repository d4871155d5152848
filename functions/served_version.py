"""A version that is open, and what of it a caller sees."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from index_artifacts.restricted import RestrictedIndex
from index_artifacts.search import Searcher

if TYPE_CHECKING:
    from collections.abc import Callable

    import networkx as nx

    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Encoder
    from index_artifacts.encoder_router import EncoderRouter
    from index_artifacts.version_store import Pointer

_MOST_VIEWS = 64

Made = TypeVar("Made")


class Lazily(Generic[Made]):
    """Opens what only some questions need for the first that does, once for all threads.

    An error is tried again by the next question.
    """

    def __init__(self, make: Callable[[], Made], made: Made | None = None) -> None:
        self._make = make
        self._made = made
        self._lock = threading.Lock()

    @property
    def opened(self) -> bool:
        """True once it is there."""
        return self._made is not None

    def __call__(self) -> Made:
        if self._made is None:
            with self._lock:
                if self._made is None:
                    self._made = self._make()
        return self._made


@dataclass(frozen=True, slots=True)
class ServedVersion:
    """An opened version and the pointer that led to it."""

    pointer: Pointer
    etag: str
    artifact: Artifact
    searcher: Searcher
    encoder: Lazily[Encoder]
    """Its own one, on this machine."""
    router: EncoderRouter
    """What is asked for a question's vector."""
    graph: Lazily[nx.MultiDiGraph[str]]
    """The pickled graph, for what needs an algorithm; facts are asked of the index."""
    restricted_to: frozenset[str] | None = None
    """The collections that are there for whoever asks, None for all."""
    views: dict[frozenset[str], ServedVersion] = field(default_factory=dict, compare=False)
    """What was opened of it for those who may read some of its collections."""

    @property
    def name(self) -> str:
        """The version's name."""
        return self.artifact.manifest.version

    def seen_by(self, collections: frozenset[str] | None) -> ServedVersion:
        """The version as one sees it who may read ``collections`` alone, None for all."""
        index = self.searcher.index
        if collections is None or all(c.name in collections for c in index.collections):
            return self
        names = frozenset(c.name for c in index.collections if c.name in collections)
        if names not in self.views:
            if len(self.views) >= _MOST_VIEWS:
                self.views.clear()
            searcher = Searcher(RestrictedIndex(index, names), self.router)
            self.views[names] = replace(self, searcher=searcher, restricted_to=names, views={})
        return self.views[names]
