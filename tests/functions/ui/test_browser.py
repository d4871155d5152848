"""The page in a real browser: what a person does and sees, scripts, keyboard and all."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser import until
from tests.functions.conftest import KEY
from tests.functions.ui.questions import BREAD, PORT, SAID
from tests.keys import one_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page, Route

    Served = Callable[..., AbstractContextManager[str]]
    Opened = Callable[..., Page]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("page")]


def search(page: Page, question: str) -> None:
    page.get_by_role("combobox", name=SAID["question"]).fill(question)
    page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile(re.escape(question)))


def test_a_search_shows_pages_without_loading_the_page_again(
    served: Served, opened: Opened
) -> None:
    with served() as url:
        page = opened(url)
        page.evaluate("window.isTheSame = true")
        search(page, "servre")
        expect(page.locator("article").first).to_contain_text("Servery")
        expect(page.locator("article.strong .strength").first).to_have_text("strong match")
        assert page.locator("mark").all_inner_texts()
        assert page.evaluate("window.isTheSame")
        expect(page.get_by_role("status")).to_contain_text("Pages found")
        # The box keeps the focus, so that the question can be mended.
        expect(page.get_by_role("combobox", name=SAID["question"])).to_be_focused()


def test_going_back_shows_what_was_there_before(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(url)
        search(page, "server")
        first = page.locator("article h3").first.inner_text()
        search(page, "chemistry")
        page.go_back()
        expect(page.get_by_role("combobox", name=SAID["question"])).to_have_value("server")
        expect(page.locator("article h3").first).to_have_text(first)
        page.go_forward()
        expect(page).to_have_title(re.compile("chemistry"))


def test_an_answer_cites_evidence_that_its_numbers_lead_to(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(f"{url}/?q={quote(PORT)}")
        panel = page.get_by_role("region", name=SAID["answer"])
        expect(panel.locator(".claims").first).to_be_visible()
        panel.get_by_role("link", name=f"{SAID['evidence']} 1").first.click()
        evidence = panel.locator("#evidence-1")
        expect(evidence).to_be_focused()
        expect(evidence).to_have_class("pointed")
        assert "#" not in page.url
        evidence.get_by_role("link", name=SAID["in_results"]).click()
        expect(page.locator("article.pointed")).to_be_focused()


def test_mere_words_are_answered_on_demand_alone(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(url)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        search(page, "servery")
        button = page.get_by_role("button", name=SAID["ask"])
        expect(button).to_be_visible()
        assert not [address for address in asked if address.endswith("/answer")]
        button.click()
        expect(page.locator("#answer .claims, #answer .refusal").first).to_be_visible()
        assert [address for address in asked if address.endswith("/answer")]


def test_an_answer_from_pages_that_may_not_answer_is_called_a_possible_one(
    served: Served, opened: Opened
) -> None:
    with served() as url:
        page = opened(f"{url}/?q={quote(PORT)}")
        expect(page.get_by_role("heading", name=SAID["answer"], exact=True)).to_be_visible()
        # The same answer, where the search was not sure.
        page.route("**/?q=*", uncertain)
        page.reload()
        expect(page.get_by_role("heading", name=SAID["maybe"])).to_be_visible()


def uncertain(route: Route) -> None:
    found = route.fetch()
    route.fulfill(
        response=found, body=found.text().replace("data-asks", "data-asks data-uncertain")
    )


def test_an_answer_heeds_the_filters_of_the_search(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(f"{url}/?q=servery&language=en&drafts=1&mode=lexical")
        with page.expect_request("**/answer") as asked:
            page.get_by_role("button", name=SAID["ask"]).click()
        assert json.loads(asked.value.post_data or "") == {
            "query": "servery", "mode": "lexical", "languages": ["en"], "published_only": False,
        }  # fmt: skip


def test_without_an_answer_the_nearest_page_alone_is_offered(
    served: Served, opened: Opened
) -> None:
    with served() as url:
        page = opened(f"{url}/?q={quote(BREAD)}")
        expect(page.locator("#verdict")).to_have_text(SAID["none"])
        expect(page.locator("#found")).to_have_text(SAID["nearest"])
        assert page.locator("article:visible").count() == 1
        assert page.locator("#answer").count() == 0
        page.locator("details.others > summary").click()
        assert page.locator("article:visible").count() > 1


def test_the_graph_shows_what_is_around_an_entity(
    served: Served, opened: Opened, graph_store: Any
) -> None:
    with served(store=f"file://{graph_store}") as url:
        page = opened(f"{url}/?q={quote('Kto viedol prácu Jána Kvetoňa?')}")
        card = page.locator(".card").first
        expect(card).to_contain_text("Vyhľadávanie odpovedí (2022)")
        card.get_by_role("link", name=re.compile(SAID["picture"])).click()
        expect(page.locator(".entity > h2")).to_contain_text("Ján Kvetoň")
        expect(page.locator("main")).to_be_focused()
        assert page.locator(".picture svg circle").count() > 3
        page.locator("main dd").get_by_role("link", name="Vyhľadávanie odpovedí").click()
        expect(page.locator(".entity > h2")).to_contain_text("thesis")
        page.go_back()
        expect(page.locator(".entity > h2")).to_contain_text("Ján Kvetoň")


def test_suggestions_are_chosen_with_the_keyboard(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(url)
        box = page.get_by_role("combobox", name=SAID["question"])
        box.press_sequentially("serv")
        options = page.locator("#suggestions li")
        expect(options.first).to_be_visible()
        expect(box).to_have_attribute("aria-expanded", "true")
        page.keyboard.press("ArrowDown")
        expect(options.first).to_have_attribute("aria-selected", "true")
        expect(box).to_have_attribute("aria-activedescendant", "suggestion-0")
        chosen = options.first.get_attribute("data-text") or ""
        expect(box).to_have_value(chosen)
        page.keyboard.press("Escape")
        expect(box).to_have_value("serv")
        expect(options).to_have_count(0)
        box.press_sequentially("e")
        expect(options.first).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page).to_have_title(re.compile(re.escape(chosen)))
        expect(options).to_have_count(0)


def test_a_suggestion_is_chosen_with_the_mouse(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(url)
        page.get_by_role("combobox", name=SAID["question"]).press_sequentially("serv")
        chosen = page.locator("#suggestions li").first
        name = chosen.get_attribute("data-text") or ""
        chosen.click()
        expect(page).to_have_title(re.compile(re.escape(name)))


def test_a_slash_goes_to_the_question(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(f"{url}/?q=server")
        page.locator("article a").first.focus()
        page.keyboard.press("/")
        box = page.get_by_role("combobox", name=SAID["question"])
        expect(box).to_be_focused()
        with page.expect_response("**/suggest?*"):
            page.keyboard.type("a/b")
        expect(box).to_have_value("a/b")


def test_an_id_and_an_address_are_copied(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(f"{url}/?q=servery", permissions=["clipboard-read", "clipboard-write"])
        article = page.locator('article[data-id="temy/servery.md"]')
        article.get_by_role("button", name=SAID["copy_id"]).click()
        expect(article.get_by_role("button", name=SAID["copied"])).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == "temy/servery.md"
        article.get_by_role("button", name=SAID["copy_link"]).click()
        until(page, "navigator.clipboard.readText().then((text) => text.startsWith('https://'))")


def test_a_wiki_with_keys_asks_for_one_and_forgets_it_with_the_tab(
    served: Served, opened: Opened
) -> None:
    with served(api_keys=one_key(KEY), allow_anonymous=False) as url:
        page = opened(f"{url}/?q={quote(PORT)}", expects_trouble=True)
        dialog = page.get_by_role("dialog", name=SAID["key"])
        expect(dialog).to_contain_text(SAID["needs_key"])
        dialog.get_by_label(SAID["key"]).last.fill("not-the-key-0123456789abcdef0123")
        page.keyboard.press("Enter")
        expect(dialog).to_contain_text(SAID["wrong_key"])
        dialog.get_by_label(SAID["key"]).last.fill(KEY)
        page.keyboard.press("Enter")
        expect(page.locator("article").first).to_be_visible()
        expect(page.locator("#answer .claims").first).to_be_visible()
        kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert kept == "[{},{}]"
        assert KEY not in page.content() and KEY not in page.url
        assert page.context.cookies() == []
        page.reload()
        expect(page.locator("#key")).to_be_visible()
        assert page.locator("article").count() == 0


def test_whoever_gives_no_key_is_left_alone(served: Served, opened: Opened) -> None:
    with served(api_keys=one_key(KEY), allow_anonymous=False) as url:
        page = opened(f"{url}/?q=server", expects_trouble=True)
        page.get_by_role("button", name=SAID["cancel"]).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("alert").first).to_have_text(SAID["needs_key"])


def test_a_server_that_is_gone_is_said_and_the_question_is_kept(
    served: Served, opened: Opened
) -> None:
    with served() as url:
        page = opened(f"{url}/?q=server", expects_trouble=True)
        page.route("**/*", lambda route: route.abort())
        box = page.get_by_role("combobox", name=SAID["question"])
        box.fill("toner")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text(SAID["no_server"])
        expect(box).to_have_value("toner")
        page.unroute("**/*")
        box.press("Enter")
        expect(page.locator("article").first).to_be_visible()


def test_an_answer_that_fails_can_be_asked_again(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(f"{url}/?q=servery", expects_trouble=True)
        too_many = {"status": "too_many_requests", "reason": "ask again later"}
        page.route("**/answer", lambda route: route.fulfill(status=429, json=too_many))
        button = page.get_by_role("button", name=SAID["ask"])
        button.click()
        expect(page.locator("#answer .message")).to_contain_text("ask again later")
        page.unroute("**/answer")
        button.click()
        expect(page.locator("#answer .claims, #answer .refusal").first).to_be_visible()
        expect(page.locator("#answer .message")).to_have_count(0)


def test_a_wrong_filter_is_said_on_the_page(served: Served, opened: Opened) -> None:
    with served() as url:
        page = opened(f"{url}/?q=server&collection=moon", expects_trouble=True)
        expect(page.get_by_role("alert")).to_contain_text("moon")
