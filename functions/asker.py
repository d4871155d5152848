"""Who asks which version: what every tool is given beside its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

from functions.access import Caller, Role
from functions.served_version import ServedVersion
from functions.state import State
from index_artifacts.rag.profiles import resolve_profile

if TYPE_CHECKING:
    from index_artifacts.rag.profiles import Profile


@dataclass(frozen=True, slots=True)
class Asker:
    """A caller before the version that this process holds."""

    state: State
    caller: Caller

    @classmethod
    def owner(cls, state: State) -> Asker:
        """Whoever has the store itself: nothing is hidden from them."""
        return cls(state, Caller("owner", Role.ADMIN))

    def version(self) -> ServedVersion:
        """The version as the caller may see it. Raises what `State.version` does."""
        return self.state.version().seen_by(self.caller.collections)

    def profile(self, served: ServedVersion, requested: str) -> Profile:
        """The RAG profile of a request: the one it names, else the key's. Raises `QueryError`."""
        collections = [collection.name for collection in served.searcher.index.collections]
        everything = collections if self.caller.collections is not None else None
        return resolve_profile(
            served.artifact.manifest.config, requested, self.caller.profile, everything
        )


def asker_of(request: Request) -> Asker:
    """Who sent ``request``. A FastAPI dependency, after `functions.security.require_caller`."""
    return Asker(request.app.state.version_state, request.state.caller)
