"""A real browser before a real server of every function."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from functions.local import create_local_app
from tests.serving import serving_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

    from functions.settings import Settings
    from tests.browser import Window


@pytest.fixture
def served(
    settings: Callable[..., Settings], small_store: str
) -> Callable[..., AbstractContextManager[str]]:
    """Serve the small wiki, compiled with the real model; keyword arguments are settings."""

    @contextmanager
    def serve(**fields: object) -> Iterator[str]:
        open_to_all = {"store": small_store, "api_keys": "", "allow_anonymous": True}
        with serving_app(create_local_app(settings(**{**open_to_all, **fields}))) as url:
            yield url

    return serve


@pytest.fixture
def opened(open_window: Callable[..., Window]) -> Iterator[Callable[..., Page]]:
    """Open a page in a window of its own; what the page complains of fails the test."""
    watched: list[Window] = []

    def open_page(address: str, *, expects_trouble: bool = False, **options: object) -> Page:
        window = open_window(**options)
        if not expects_trouble:
            watched.append(window)
        window.page.goto(address)
        return window.page

    yield open_page
    assert [line for window in watched for line in window.trouble] == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that looks for barriers."""
    script = Path(__file__).parents[3] / ".edgewiki/axe/node_modules/axe-core/axe.min.js"
    if not script.exists():
        pytest.skip("axe-core is not installed: run `make axe`")
    return script.read_text("utf-8")
