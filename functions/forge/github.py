"""GitHub, and GitHub Enterprise Server."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from functions.forge.exchange import Exchange
from functions.forge.repository import (
    Change,
    ForgeRepository,
    PathCommit,
    brought,
    checked,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

API_VERSION = "2022-11-28"
_PAGE = 100


class GitHub(ForgeRepository):
    """A repository on GitHub."""

    @staticmethod
    def exchange(root: str, token: str, **limits: float) -> Exchange:
        """What speaks to its API at ``root``."""
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "X-GitHub-Api-Version": API_VERSION,
        }
        return Exchange(root, headers, **limits)

    def _method(self, change: Change) -> str:
        return "DELETE" if change.content is None else "PUT"

    def _large(self, file: Mapping[str, Any], _: str) -> bytes:
        """Files over 1 MB are listed without their content; the blob has it, up to 100 MB."""
        reply = self._api.get(f"{self._root}/git/blobs/{text_of(file, 'sha')}")
        return base64.b64decode(text_of(checked(reply), "content"))

    def _page(self) -> tuple[int, Mapping[str, str]]:
        return _PAGE, {"per_page": str(_PAGE)}

    def _came(self, commit: PathCommit, path: str) -> bool | None:
        """Only a commit's own page lists its files; of a very large one, the first 300."""
        page = checked(self._api.get(f"{self._root}/commits/{commit.sha}"))
        return brought(page.get("files"), path, ("added", "renamed", "copied"))
