"""A published wiki with a history, and a real server of it on the loopback."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from functions.local import create_local_app
from functions.settings import Settings
from tests.functions.conftest import KEY
from tests.s3_server import unused_port
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
def serving(store: Path, cache: Path) -> Iterator[str]:
    """The URL of ``/mcp`` on a server that answers `KEY`."""
    settings = Settings(store=f"file://{store}", cache_dir=cache, api_keys=KEY)
    port = unused_port()
    config = uvicorn.Config(
        create_local_app(settings), port=port, log_level="error", ws="none", lifespan="off"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        thread.join()
