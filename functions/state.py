"""The version that a process serves: opened once, checked now and then, swapped when whole."""

from __future__ import annotations

import logging
import math
import threading
import time
from concurrent import futures
from concurrent.futures import Future
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from functions.budget import Budget
from functions.query_encoders import open_router
from functions.served_version import Lazily, ServedVersion
from index_artifacts.artifact import fetch_version
from index_artifacts.encoder import check_same_model
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import EdgewikiError, UnavailableError
from index_artifacts.graph.pickled import load_graph
from index_artifacts.index import Index
from index_artifacts.manifest import GRAPH_FILE, INDEX_FILE, MODEL_FOLDER
from index_artifacts.search import Searcher
from index_artifacts.store import open_store
from index_artifacts.version_store import channel_key, parse_pointer, read_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import networkx as nx

    from functions.settings import Settings
    from index_artifacts.artifact import Artifact
    from index_artifacts.encoder import Encoder
    from index_artifacts.language_model import LanguageModel
    from index_artifacts.manifest import Manifest
    from index_artifacts.store import Store
    from index_artifacts.version_store import Pointer

logger = logging.getLogger("edgewiki")

SEARCHED = (INDEX_FILE, MODEL_FOLDER)
"""What a search needs of a version."""


def model_files(manifest: Manifest) -> tuple[object, ...]:
    """What tells one model from another: its description, and its files by their hashes."""
    files = [entry for entry in manifest.files if entry.name.startswith(MODEL_FOLDER)]
    return manifest.encoder, files


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
        self._refreshing: Future[ServedVersion] | None = None
        self.max_tokens = settings.rag_llm_max_tokens
        """Tokens of all that a model receives from this process at most."""
        self.answer_seconds = settings.llm_deadline_seconds
        """How long an answer may take in all where a language model writes it."""
        self.budget = Budget(settings.answers_per_hour)
        self.refresh_error = ""
        """Why the last refresh failed; empty when it did not."""
        self.refresh_failures = 0
        """How many refreshes have failed."""
        self.opened = 0
        """How many versions this process has opened."""

    @cached_property
    def chat_model(self) -> LanguageModel | None:
        """The language model, None where none is configured; opened once, for it learns."""
        from functions.language_model import open_chat_model  # a search needs none of it

        return open_chat_model(self._settings)

    @property
    def served(self) -> ServedVersion | None:
        """The version that is served, without a look at the pointer; None before the first."""
        return self._served

    def version(self) -> ServedVersion:
        """Return the version to answer from, after a look at the pointer where one is due.

        Raises `EdgewikiError` only while no version was ever opened: a failed refresh keeps
        the version that is served, and says so in `refresh_error`.

        The look has a thread of its own, and a request waits for it within limits. On Lambda,
        threads stand still between two requests: one that nobody waits for would only creep
        on, so the request that began the look gives it the time that a healthy store needs.
        From a store that is slow or silent the old version is answered then, and the thread
        goes on, there and on a server, until it is done or the store's own limits end it.
        """
        served = self._served
        if served is not None and not self._is_due():
            return served
        refresh, began = self._join_refresh()
        settings = self._settings
        if served is None:
            wait = settings.open_wait_seconds
        else:  # one request waits; meanwhile the others go on with what there is
            wait = settings.refresh_wait_seconds if began else 0.0
        return self._awaited(refresh, wait)

    def reload(self) -> ServedVersion:
        """Look at the pointer now, due or not. Raises and keeps as `version` does."""
        self._checked_at = -math.inf
        refresh, _ = self._join_refresh()
        return self._awaited(refresh, self._settings.open_wait_seconds)

    def _awaited(self, refresh: Future[ServedVersion], seconds: float) -> ServedVersion:
        """What there is after ``seconds`` at most."""
        if seconds:
            futures.wait([refresh], seconds)
        if self._served is not None:
            return self._served
        if refresh.done():
            return refresh.result()
        raise UnavailableError(
            f"{self._settings.store}: no version could be fetched within {seconds:g} s"
        )

    def _join_refresh(self) -> tuple[Future[ServedVersion], bool]:
        """The refresh that is under way; True where it was begun by this call."""
        with self._lock:
            if self._refreshing is None or self._refreshing.done():
                self._refreshing = Future()
                threading.Thread(
                    target=self._run, args=(self._refreshing,), name="refresh", daemon=True
                ).start()
                return self._refreshing, True
            return self._refreshing, False

    def _run(self, refresh: Future[ServedVersion]) -> None:
        try:
            refresh.set_result(self._refresh())
        except BaseException as error:
            refresh.set_exception(error)

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
            self.refresh_failures += 1
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
        encoder = self._encoder_after(self._served, artifact)
        graph = Lazily(lambda: self._graph(store, pointer))
        router = open_router(settings, artifact, encoder, self._clock)
        searcher = Searcher(Index(artifact), router)
        self.opened += 1
        logger.info("serving version %s", artifact.manifest.version)
        return ServedVersion(pointer, etag, artifact, searcher, encoder, router, graph)

    def _encoder_after(self, served: ServedVersion | None, artifact: Artifact) -> Lazily[Encoder]:
        """What a replaced version had open, its successor has before it is served.

        One of the very same model is handed on: opening it takes longer than all the rest.
        """
        encoder = Lazily(lambda: self._encoder(artifact))
        if served is None or not served.encoder.opened:
            return encoder
        if model_files(artifact.manifest) == model_files(served.artifact.manifest):
            return Lazily(lambda: self._encoder(artifact), served.encoder())
        with suppress(EdgewikiError):  # the first question that needs it will say why
            encoder()
        return encoder

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
