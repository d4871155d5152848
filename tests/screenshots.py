"""The README's pictures of the search page: ``python -m tests.screenshots STORE``.

They are taken of the demo wiki, as it is served, in the machine's own Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from functions.settings import Settings
from tests.browser import FLAGS, find_chromium
from tests.serving import serving

FOLDER = Path(__file__).parents[1] / "infra" / "pictures"
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
        "/?q=Сколько занимает архив корпуса Маяк?",
        {**_PHONE, "locale": "ru", "color_scheme": "light"},
    ),
)


def main(store: str) -> None:
    """Serve what ``store`` publishes, and write a PNG of each view."""
    program = find_chromium()
    with serving(Settings(store=store, allow_anonymous=True)) as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        for name, address, window in SHOTS:
            page = browser.new_page(**window)
            page.goto(url + address)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
