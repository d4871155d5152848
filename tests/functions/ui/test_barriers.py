"""Whether anybody is kept out of the page: languages, phones, no scripts, and axe-core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from functions.ui.wording import words
from tests.functions.conftest import KEY
from tests.functions.ui.questions import BREAD, PORT, SAID
from tests.keys import one_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

    Served = Callable[..., AbstractContextManager[str]]
    Opened = Callable[..., Page]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("barriers")]


@pytest.mark.parametrize("language", ["sk", "cs", "pl", "ru", "en"])
def test_the_page_speaks_the_language_of_the_browser(
    served: Served, opened: Opened, language: str
) -> None:
    said = words(language)
    with served() as url:
        page = opened(f"{url}/?q={quote(PORT)}", locale=language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("button", name=said["search"], exact=True)).to_be_visible()
        panel = page.get_by_role("region", name=said["answer"])
        expect(panel.get_by_role("heading", level=3)).to_contain_text(said["evidence"])
        expect(page.locator("article.strong .strength").first).to_have_text(
            said["strengths"]["strong"]
        )


def test_a_phone_shows_all_of_it_without_scrolling_sideways(
    served: Served, opened: Opened, graph_store: Any
) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with served() as url, served(store=f"file://{graph_store}") as department:
        views = [f"{url}/?q={quote(PORT)}&language=sk", f"{department}/?entity=person:jan-kveton"]
        for address in views:
            page = opened(address, **phone)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            small = page.evaluate(
                "[...document.querySelectorAll('#q, select, #search button')]"
                ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 36).length"
            )
            assert small == 0


def test_without_scripts_the_form_and_its_links_still_work(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(url, java_script_enabled=False)
        page.get_by_label(SAID["question"]).fill("servre")
        page.get_by_role("button", name=SAID["search"]).click()
        assert (
            page.url == f"{url}/?q=servre&mode=&language=&author=&tag=&category="
            or "q=servre" in page.url
        )
        assert "Servery" in page.locator("article").first.inner_text()
        assert page.locator("button:visible").all_inner_texts() == [SAID["search"]]
        page.locator("details.fragment summary").first.click()
        page.locator("del").first.wait_for(state="attached")


VIEWS = {
    "form": "/",
    "results": "/?q=servery&mode=lexical",
    "answer": f"/?q={quote(PORT)}",
    "none": f"/?q={quote(BREAD)}",
    "wrong": "/?q=server&collection=moon",
}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_keeps_anybody_out(
    served: Served, opened: Opened, axe: str, view: str, dark: bool
) -> None:
    with served() as url:
        page = opened(
            url + VIEWS[view],
            expects_trouble=view == "wrong",
            color_scheme="dark" if dark else "light",
            bypass_csp=True,  # for the script that looks, not for the page
        )
        page.wait_for_load_state("networkidle")
        assert barriers(page, axe) == []


def test_neither_a_picture_nor_suggestions_nor_the_key_keep_anybody_out(
    served: Served, opened: Opened, axe: str, graph_store: Any
) -> None:
    with served(store=f"file://{graph_store}") as url:
        page = opened(f"{url}/?entity=person:jan-kveton", bypass_csp=True)
        assert barriers(page, axe) == []
        page.get_by_role("combobox").first.press_sequentially("ja")
        expect(page.locator("#suggestions li").first).to_be_visible()
        page.keyboard.press("ArrowDown")
        assert barriers(page, axe) == []
    with served(api_keys=one_key(KEY), allow_anonymous=False) as url:
        page = opened(f"{url}/?q=server", bypass_csp=True, expects_trouble=True)
        expect(page.locator("#key")).to_be_visible()
        assert barriers(page, axe) == []


def barriers(page: Page, axe: str) -> list[str]:
    """What axe-core finds, whatever its weight: nothing serious is a floor."""
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    return [
        f"{barrier['impact']} {barrier['id']}: {node['html'][:200]}"
        for barrier in found["violations"]
        for node in barrier["nodes"]
    ]


def test_a_barrier_would_be_found(served: Served, opened: Opened, axe: str) -> None:
    with served() as url:
        page = opened(url, bypass_csp=True)
        page.evaluate("document.querySelector('label[for=q]').remove()")
        assert any("label" in barrier for barrier in barriers(page, axe))
