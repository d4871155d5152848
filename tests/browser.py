"""Headless Chromium, the machine's own one, driven by Playwright."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, Request

# The last ones keep it from asking anybody for anything.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--force-color-profile=srgb", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
_MILLISECONDS = 60_000  # on a busy machine


def find_chromium() -> str | None:
    """The browser's program, or None where this machine has none."""
    named = os.environ.get("EDGEWIKI_CHROMIUM")
    known = ("chromium", "chromium-browser", "google-chrome")
    return named or next((path for name in known if (path := shutil.which(name))), None)


# For each module anew: while Playwright runs, no test of its thread can run a loop of its own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium on this machine: install Debian's, or name one: EDGEWIKI_CHROMIUM")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


def until(page: Page, script: str) -> None:
    """Wait until an expression is true; Playwright's own waiting needs a page that allows eval."""
    end = time.monotonic() + _MILLISECONDS / 1000
    while not page.evaluate(script):
        assert time.monotonic() < end, f"never true: {script}"
        page.wait_for_timeout(20)


class Window:
    """A page in a context of its own. ``trouble`` is what it complained of, ``requests`` are the
    addresses that it asked for beside its own.
    """

    def __init__(self, context: BrowserContext) -> None:
        context.set_default_timeout(_MILLISECONDS)
        self.page: Page = context.new_page()
        self.trouble: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda said: self.trouble.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        if not request.is_navigation_request():
            self.requests.append(request.url)


@pytest.fixture
def open_window(chromium: Browser) -> Iterator[Callable[..., Window]]:
    """Open a window; keyword arguments are options of Playwright's contexts."""
    contexts: list[BrowserContext] = []

    def call(**options: object) -> Window:
        chosen = {"locale": "en", "reduced_motion": "reduce", **options}
        contexts.append(chromium.new_context(**chosen))  # type: ignore[arg-type]
        return Window(contexts[-1])

    yield call
    for context in contexts:
        context.close()
