"""A real browser logs in and out, and a page beside the wiki tries to make use of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser import Browser, find_chromium
from tests.serving import serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from functions.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
PROGRAM = find_chromium()
# Another port of this machine is another origin of the same site: cookies go along.
TRAP = """<!doctype html><title>trap</title>
<form id="out" action="{wiki}/logout" method="post"><button>Win</button></form>
<script>
const body = new Blob(['{{"query": "server"}}'], {{type: 'text/plain'}});
fetch('{wiki}/search', {{method: 'POST', mode: 'no-cors', credentials: 'include', body}})
  .then(() => document.title = 'sent', () => document.title = 'failed');
</script>"""


@pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here")
def test_a_browser_logs_in_reads_and_logs_out_and_no_page_beside_does_it_instead(
    login_settings: Callable[..., Settings],
    file_server: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert PROGRAM is not None
    with serving(login_settings()) as wiki, Browser(PROGRAM, tmp_path / "profile") as browser:
        (tmp_path / "served" / "trap.html").write_text(TRAP.format(wiki=wiki))
        browser.open(f"{wiki}/?q=walrus")
        assert "Cellar" not in browser.run("document.body.textContent")
        browser.click_on('a[href*="/login"]')
        browser.wait_for("document.querySelector('mark')?.textContent === 'walrus'")
        assert browser.run("location.href") == f"{wiki}/?q=walrus"
        assert browser.run("document.cookie") == ""  # no script reads it

        with caplog.at_level("INFO", "edgewiki.requests"):
            browser.open(f"{file_server}/trap.html")
            browser.wait_for("document.title === 'sent'")
            browser.click_on("#out button")
            browser.wait_for(f"location.href === '{wiki}/logout'")
        lines = [record.fields for record in caplog.records if hasattr(record, "fields")]
        asked = {(line["route"], line["status"]) for line in lines if line["method"] == "POST"}
        assert asked == {("/search", 401), ("/logout", 403)}

        browser.open(f"{wiki}/?q=walrus")
        browser.wait_for("document.querySelector('mark')?.textContent === 'walrus'")
        browser.click_on('form[action$="/logout"] button')
        browser.wait_for("document.querySelector('a[href*=\"/login\"]') !== null")
        assert browser.run("location.href") == f"{wiki}/"
        browser.open(f"{wiki}/?q=walrus")
        assert browser.run("document.querySelector('mark')") is None
