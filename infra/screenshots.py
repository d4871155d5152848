"""The README's pictures of the search page: ``python -m infra.screenshots STORE``.

They are taken of the demo wiki, as it is served, in the machine's own Chromium.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from playwright.sync_api import sync_playwright

from functions.local import create_local_app
from functions.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).with_name("pictures")
PORT = 8093
_DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1}

# Name, address, and the window that it is looked at in.
SHOTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "answer",
        "/?q=Kto viedol bakalársku prácu Jána Kvetoňa?",
        {**_DESK, "locale": "sk", "color_scheme": "light"},
    ),
    ("entity", "/?entity=person:peter-zelenak", {**_DESK, "locale": "en", "color_scheme": "dark"}),
    (
        "phone",
        "/?q=Сколько записей в корпусе Маяк?",
        {**_PHONE, "locale": "ru", "color_scheme": "light"},
    ),
)


def main(store: str) -> None:
    """Serve what ``store`` publishes, and write a PNG of each view."""
    app = create_local_app(Settings(store=store, allow_anonymous=True))
    config = uvicorn.Config(app, port=PORT, log_level="warning", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.05)
        FOLDER.mkdir(exist_ok=True)
        for path in _taken(f"http://127.0.0.1:{PORT}"):
            print(path)
    finally:
        server.should_exit = True
        thread.join()


def _taken(url: str) -> Iterator[Path]:
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        for name, address, window in SHOTS:
            page = browser.new_page(**window)
            page.goto(url + address)
            page.wait_for_load_state("networkidle")
            path = FOLDER / f"{name}.png"
            page.screenshot(path=path)
            page.close()
            yield path
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
