"""Summaries by a language model, kept in the store between builds.

An entry's key is the sha256 of the whole prompt, so of the page's content too; a folder belongs to
one model and one version of the prompt. A pack is JSON called by its own sha256: one that was
damaged is left aside, and its pages are asked for again.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from build.summaries.prompt import PROMPT_VERSION, Reply
from index_artifacts.errors import NotFoundError
from index_artifacts.manifest import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from index_artifacts.answers.chat_model import Message
    from index_artifacts.store import Store

# Above this many packs, a build writes them together into one.
_MAX_PACKS = 8


def prompt_key(messages: Sequence[Message]) -> str:
    """The key of an exact prompt."""
    turns = [[message.role, message.content] for message in messages]
    return hashlib.sha256(json.dumps(turns).encode()).hexdigest()


class SummaryCache:
    """The summaries of one model in one store, read at once."""

    def __init__(self, store: Store, model: str) -> None:
        self._store = store
        folder = hashlib.sha256(f"{PROMPT_VERSION}\n{model}".encode()).hexdigest()
        self._prefix = f"cache/summaries/{folder}/"
        self._packs: list[str] = []
        self._new: dict[str, Reply] = {}
        self._kept: dict[str, Reply] = dict(self._load())

    def get(self, key: str) -> Reply | None:
        """Return what is kept for ``key``, or None."""
        return self._kept.get(key)

    def put(self, key: str, reply: Reply) -> None:
        """Keep a summary; `save` writes it to the store."""
        self._kept[key] = self._new[key] = reply

    def save(self) -> None:
        """Write what is new as one more pack; many packs become one."""
        if not self._new:
            return
        if len(self._packs) < _MAX_PACKS:
            self._packs.append(self._write(self._new))
        else:
            merged = self._write(self._kept)
            for pack in self._packs:
                if pack != merged:
                    self._store.delete(pack)
            self._packs = [merged]
        self._new = {}

    def _write(self, replies: Mapping[str, Reply]) -> str:
        entries = {key: {"summary": r.summary, "tags": r.tags} for key, r in replies.items()}
        data = canonical_json(entries)
        name = f"{self._prefix}{hashlib.sha256(data).hexdigest()}.json"
        self._store.write_new(name, data)
        return name

    def _load(self) -> Iterator[tuple[str, Reply]]:
        for entry in self._store.list(self._prefix):
            self._packs.append(entry.key)
            try:
                data = self._store.read(entry.key).data
            except NotFoundError:  # another build has just written the packs together
                continue
            if entry.key == f"{self._prefix}{hashlib.sha256(data).hexdigest()}.json":
                for key, kept in json.loads(data).items():
                    yield key, Reply(kept["summary"], tuple(kept["tags"]))
