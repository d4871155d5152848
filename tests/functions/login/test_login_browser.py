"""A real browser logs in and out, and a page beside the wiki tries to make use of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser import until
from tests.serving import serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings
    from tests.browser import Window

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
# Another port of this machine is another origin of the same site: cookies go along.
TRAP = """<!doctype html><title>trap</title>
<form id="out" action="{wiki}/logout" method="post"><button>Win</button></form>
<script>
const body = new Blob(['{{"query": "server"}}'], {{type: 'text/plain'}});
fetch('{wiki}/search', {{method: 'POST', mode: 'no-cors', credentials: 'include', body}})
  .then(() => document.title = 'sent', () => document.title = 'failed');
</script>"""


def test_a_browser_logs_in_reads_and_logs_out_and_no_page_beside_does_it_instead(
    open_window: Callable[..., Window],
    login_settings: Callable[..., Settings],
    file_server: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = open_window().page
    with serving(login_settings()) as wiki:
        (tmp_path / "served" / "trap.html").write_text(TRAP.format(wiki=wiki))
        page.goto(f"{wiki}/?q=walrus")
        assert "Cellar" not in page.evaluate("document.body.textContent")
        page.click('a[href*="/login"]')
        until(page, "document.querySelector('mark')?.textContent === 'walrus'")
        assert page.evaluate("location.href") == f"{wiki}/?q=walrus"
        assert page.evaluate("document.cookie") == ""  # no script reads it

        with caplog.at_level("INFO", "edgewiki.requests"):
            page.goto(f"{file_server}/trap.html")
            until(page, "document.title === 'sent'")
            page.click("#out button")
            until(page, f"location.href === '{wiki}/logout'")
        lines = [record.fields for record in caplog.records if hasattr(record, "fields")]
        asked = {(line["route"], line["status"]) for line in lines if line["method"] == "POST"}
        assert asked == {("/search", 401), ("/logout", 403)}

        page.goto(f"{wiki}/?q=walrus")
        until(page, "document.querySelector('mark')?.textContent === 'walrus'")
        page.click('form[action$="/logout"] button')
        until(page, "document.querySelector('a[href*=\"/login\"]') !== null")
        assert page.evaluate("location.href") == f"{wiki}/"
        page.goto(f"{wiki}/?q=walrus")
        assert page.evaluate("document.querySelector('mark')") is None
