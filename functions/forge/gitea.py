"""Gitea (1.20 or newer; workflows need 1.23) and Forgejo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from functions.forge.exchange import Exchange
from functions.forge.repository import Change, ForgeRepository, PathCommit, brought, text_of
from index_artifacts.errors import ForgeError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAGE = 50  # the most that it lists unless its administrator allows more


class Gitea(ForgeRepository):
    """A repository on Gitea or Forgejo."""

    @staticmethod
    def exchange(root: str, token: str, **limits: float) -> Exchange:
        """What speaks to its API at ``root``, which ends in ``/api/v1``."""
        headers = {"Accept": "application/json", "Authorization": f"token {token}"}
        return Exchange(root, headers, **limits)

    def _method(self, change: Change) -> str:
        if change.content is None:
            return "DELETE"
        return "PUT" if change.sha else "POST"

    def _large(self, file: Mapping[str, Any], revision: str) -> bytes:
        """Beyond 10 MB, unless set otherwise, content is only to be had raw."""
        path = quote(text_of(file, "path"), safe="/")
        reply = self._api.get(f"{self._root}/raw/{path}", {"ref": revision or self._branch})
        if not reply.ok:
            raise ForgeError(f"the forge answered {reply.status}: {reply.words}")
        return reply.body

    def _page(self) -> tuple[int, Mapping[str, str]]:
        # Verifying signatures and counting lines takes it long, and nobody asks.
        more = {"stat": "false", "verification": "false", "files": "true"}
        return _PAGE, {"limit": str(_PAGE), **more}

    def _came(self, commit: PathCommit, path: str) -> bool | None:
        return brought(commit.raw.get("files"), path, ("added",))
