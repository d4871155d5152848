"""The version that a process serves: opened once, checked now and then, swapped when whole."""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from functions.budget import Budget
from index_artifacts.artifact import fetch_version
from index_artifacts.encoder import check_same_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import EdgewikiError
from index_artifacts.graph.pickled import load_graph
from index_artifacts.index import Index
from index_artifacts.manifest import GRAPH_FILE, INDEX_FILE, MODEL_FOLDER
from index_artifacts.restricted import RestrictedIndex
from index_artifacts.search import Searcher
from index_artifacts.store import open_store
from index_artifacts.version_store import channel_key, parse_pointer, read_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import networkx as nx

    from functions.language_model import LanguageModel
    from functions.settings import Settings
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Encoder
    from index_artifacts.store import Store
    from index_artifacts.version_store import Pointer

logger = logging.getLogger("edgewiki")

SEARCHED = (INDEX_FILE, MODEL_FOLDER)
"""What a search needs of a version."""

_MOST_VIEWS = 64

Made = TypeVar("Made")


class Lazily(Generic[Made]):
    """Opens what only some questions need for the first that does, once for all threads.

    An error is tried again by the next question.
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._made: Made | None = None
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
            searcher = Searcher(RestrictedIndex(index, names), self.encoder)
            self.views[names] = replace(self, searcher=searcher, restricted_to=names, views={})
        return self.views[names]


class State:
    """Holds the served version of one process. Safe for any number of threads."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        *,
        files: Collection[str] = SEARCHED,
    ) -> None:
        """``files`` are fetched with a version before its first answer."""
        self._settings, self._clock, self._files = settings, clock, files
        self._store: Store | None = None
        self._served: ServedVersion | None = None
        self._checked_at = 0.0
        self._lock = threading.Lock()
        self.max_tokens = settings.rag_llm_max_tokens
        """Tokens of all that a model receives from this process at most."""
        self.answer_seconds = settings.llm_deadline_seconds
        """How long an answer may take in all where a language model writes it."""
        self.budget = Budget(settings.answers_per_hour)
        self.refresh_error = ""
        """Why the last refresh failed; empty when it did not."""
        self.opened = 0
        """How many versions this process has opened."""

    @cached_property
    def chat_model(self) -> LanguageModel | None:
        """The language model, None where none is configured; opened once, for it learns."""
        from functions.language_model import open_chat_model  # a search needs none of it

        return open_chat_model(self._settings)

    def version(self) -> ServedVersion:
        """Return the version to answer from, after a look at the pointer where one is due.

        Raises `EdgewikiError` only while no version was ever opened: a failed refresh keeps
        the version that is served, and says so in `refresh_error`.
        """
        served = self._served
        if served is not None and not self._is_due():
            return served
        # One thread refreshes; meanwhile the others go on with what there is.
        if not self._lock.acquire(blocking=served is None):
            assert served is not None  # blocking waits for the first version
            return served
        try:
            return self._refresh()
        finally:
            self._lock.release()

    def reload(self) -> ServedVersion:
        """Look at the pointer now, due or not. Raises and keeps as `version` does."""
        with self._lock:
            self._checked_at = -math.inf
            return self._refresh()

    @property
    def checked_seconds_ago(self) -> float:
        """Since the pointer was looked at."""
        return self._clock() - self._checked_at

    def _is_due(self) -> bool:
        return self._clock() - self._checked_at >= self._settings.refresh_seconds

    def _refresh(self) -> ServedVersion:
        served = self._served
        if served is not None and not self._is_due():
            return served  # another thread was faster
        try:
            self._served = self._check(served)
            self.refresh_error = ""
        except Exception as error:  # whatever a new version does, the old one goes on
            if served is None:
                raise
            self.refresh_error = str(error) or type(error).__name__
            unforeseen = None if isinstance(error, EdgewikiError) else error
            logger.warning(
                "refresh failed, version %s stays: %s", served.name, error, exc_info=unforeseen
            )
        finally:
            self._checked_at = self._clock()
        assert self._served is not None  # else _check has raised
        return self._served

    def _check(self, served: ServedVersion | None) -> ServedVersion:
        settings = self._settings
        if self._store is None:
            self._store = open_store(settings.store)
        if served is None:
            pointer, etag = read_pointer(self._store, settings.channel)
        else:
            key = channel_key(settings.channel)
            changed = self._store.read_if_changed(key, served.etag)
            if changed is None:
                return served
            pointer, etag = parse_pointer(changed.data, key), changed.etag
        return self._open(self._store, pointer, etag)

    def _open(self, store: Store, pointer: Pointer, etag: str) -> ServedVersion:
        settings = self._settings
        artifact = fetch_version(
            store, pointer, settings.cache_dir, self._files, settings.signing_key_bytes
        )
        encoder = Lazily(lambda: self._encoder(artifact))
        graph = Lazily(lambda: self._graph(store, pointer))
        searcher = Searcher(Index(artifact), encoder)
        self.opened += 1
        logger.info("serving version %s", artifact.manifest.version)
        return ServedVersion(pointer, etag, artifact, searcher, encoder, graph)

    def _encoder(self, artifact: Artifact) -> Encoder:
        settings = self._settings
        encoder = open_encoder(
            artifact.model,
            threads=settings.encoder_threads,
            api_key=settings.embeddings_api_key.get_secret_value(),
        )
        check_same_model(encoder, artifact.manifest.encoder)
        return encoder

    def _graph(self, store: Store, pointer: Pointer) -> nx.MultiDiGraph[str]:
        """Fetch the pickle, verify its hash, and only then load it."""
        settings = self._settings
        artifact = fetch_version(
            store, pointer, settings.cache_dir, (GRAPH_FILE,), settings.signing_key_bytes
        )
        return load_graph(artifact.graph)
