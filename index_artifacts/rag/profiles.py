"""RAG profiles: what ``edgewiki.toml`` says of the evidence for a bot, a widget or a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ALL, SELECTED, NONE = "all", "selected", "none"
DEFAULT_NAME = "default"


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile as the manifest holds it. Limits of 0 are not set; ``rules`` come after ours."""

    name: str = ""
    mode: str = ALL
    collections: tuple[str, ...] = ()
    limit: int = 0
    max_tokens: int = 0
    max_chars: int = 0
    rules: tuple[str, ...] = ()

    def narrow(self, collections: Sequence[str]) -> tuple[str, ...]:
        """The collections to ask where a request names ``collections``; empty: all of them.

        Raises `QueryError` where the request names one outside of the profile.
        """
        if self.mode != SELECTED:
            return tuple(collections)
        for name in collections:
            if name not in self.collections:
                raise QueryError(
                    f"collection {name!r} is not in the RAG profile {self.name!r}, "
                    f"which has: {', '.join(self.collections)}"
                )
        return tuple(collections) or self.collections


def resolve_profile(
    config: Mapping[str, Any],
    requested: str,
    of_key: str,
    visible: Sequence[str] | None = None,
) -> Profile:
    """The profile that a request names, else its key's, else the one called ``default``.

    ``config`` is a manifest's. ``visible`` are the collections that the caller may read, None for
    all: a profile keeps those of its own that are among them, and one that has none searches
    nothing. Raises `QueryError` for a name that the version does not know.
    """
    known = {fields["name"]: fields for fields in config.get("rag_profiles", ())}
    name = requested or of_key or (DEFAULT_NAME if DEFAULT_NAME in known else "")
    if not name:
        return Profile()
    if name not in known:
        # A profile's name may tell of a collection that the caller is not to know of.
        there = ", ".join(sorted(known)) or "none"
        shown = f"; this version has: {there}" if visible is None else ""
        raise QueryError(f"RAG profile {name!r} is unknown{shown}")
    fields = known[name]
    mode, collections = fields["mode"], tuple(fields["collections"])
    if visible is not None and mode == SELECTED:
        collections = tuple(collection for collection in collections if collection in visible)
        mode = SELECTED if collections else NONE
    return Profile(
        name=name,
        mode=mode,
        collections=collections,
        limit=fields["limit"],
        max_tokens=fields["max_tokens"],
        max_chars=fields["max_chars"],
        rules=tuple(fields["rules"]),
    )
