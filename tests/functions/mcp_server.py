"""A published wiki with a history, and a real server of it on the loopback."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from functions.settings import Settings
from tests.functions.conftest import KEY
from tests.keys import one_key
from tests.serving import serving
from tests.tiny_wiki import PAGES, build_and_publish
from tests.wiki import commit_all, write_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = "# Long\n\n" + "The walrus counts its teeth every morning.\n" * 200
WIKI = {
    **PAGES,
    "docs/long.md": LONG,
    "docs/žltý kôň.md": "---\ntitle: Yellow horse\ntags: [animals]\n---\nIt likes carrots.\n",
    "secret.md": "---\npublished: false\n---\n# Secret\n\nThe treasure is under the oak.\n",
}


def publish_wiki(folder: Path) -> Path:
    """Publish `WIKI`, whose page printer.md was changed once, below ``folder``; its store."""
    commit_all(write_pages(folder / "wiki", {**WIKI, "printer.md": "old"}), author="Eva")
    commit_all(write_pages(folder / "wiki", WIKI), author="Ján", date="2026-02-01T12:00:00Z")
    build_and_publish(folder / "store", folder, WIKI, publication="mark")
    return folder / "store"


@contextmanager
def serving_mcp(store: Path, cache: Path) -> Iterator[str]:
    """The URL of ``/mcp`` on a server that answers `KEY`."""
    settings = Settings(store=f"file://{store}", cache_dir=cache, api_keys=one_key(KEY))
    with serving(settings) as url:
        yield f"{url}/mcp"
