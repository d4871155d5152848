"""Summaries by a language model, kept in the store between builds.

An entry's key is the sha256 of the whole prompt, so of the page's content too; a folder belongs to
one model and one version of the prompt. A pack is JSON called by its own sha256: one that was
damaged is left aside, and its pages are asked for again.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from build.packs import Packs
from build.summaries.prompt import PROMPT_VERSION, Reply
from index_artifacts.manifest import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from index_artifacts.answers.chat_model import Message
    from index_artifacts.store import Store


def prompt_key(messages: Sequence[Message]) -> str:
    """The key of an exact prompt."""
    turns = [[message.role, message.content] for message in messages]
    return hashlib.sha256(json.dumps(turns).encode()).hexdigest()


class SummaryCache:
    """The summaries of one model in one store, read at once."""

    def __init__(self, store: Store, model: str) -> None:
        folder = hashlib.sha256(f"{PROMPT_VERSION}\n{model}".encode()).hexdigest()
        self._packs = Packs(store, f"cache/summaries/{folder}/", ".json")
        self._new: dict[str, Reply] = {}
        self._kept: dict[str, Reply] = {}
        for pack in self._packs.read():
            if pack.is_whole:
                self._kept.update(_entries(pack.data))

    def get(self, key: str) -> Reply | None:
        """Return what is kept for ``key``, or None."""
        return self._kept.get(key)

    def put(self, key: str, reply: Reply) -> None:
        """Keep a summary; `save` writes it to the store."""
        self._kept[key] = self._new[key] = reply

    def save(self) -> None:
        """Write what is new to the store."""
        if self._new:
            self._packs.add(lambda: _packed(self._new), lambda: _packed(self._kept))
            self._new = {}


def _packed(replies: Mapping[str, Reply]) -> bytes:
    return canonical_json(
        {key: {"summary": r.summary, "tags": r.tags} for key, r in replies.items()}
    )


def _entries(data: bytes) -> Iterator[tuple[str, Reply]]:
    for key, kept in json.loads(data).items():
        yield key, Reply(kept["summary"], tuple(kept["tags"]))
