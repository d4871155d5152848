"""A real server of every function, on the loopback."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from functions.local import create_local_app
from tests.s3_server import unused_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

    from functions.settings import Settings


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """Its URL, until the block ends."""
    with serving_app(create_local_app(settings)) as url:
        yield url


@contextmanager
def serving_app(app: FastAPI) -> Iterator[str]:
    """The URL of this very app."""
    port = unused_port()
    config = uvicorn.Config(app, port=port, log_level="error", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
