"""A real browser before a real server of every function."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from functions.local import create_local_app
from tests.browser import find_chromium
from tests.serving import serving_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Browser, Page

    from functions.settings import Settings

# The last ones keep it from asking anybody for anything.
_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium, driven by Playwright."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium is installed; EDGEWIKI_CHROMIUM can name one")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        yield browser
        browser.close()


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
def opened(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page in a window of its own; what the page complains of fails the test."""
    trouble: list[str] = []
    contexts = []

    def open_page(address: str, *, expects_trouble: bool = False, **options: object) -> Page:
        context = chromium.new_context(**{"locale": "en", "reduced_motion": "reduce", **options})  # type: ignore[arg-type]
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        if not expects_trouble:
            page.on("console", lambda said: trouble.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that looks for barriers."""
    script = Path(__file__).parents[3] / ".edgewiki/axe/node_modules/axe-core/axe.min.js"
    if not script.exists():
        pytest.skip("axe-core is not installed: run `make axe`")
    return script.read_text("utf-8")
