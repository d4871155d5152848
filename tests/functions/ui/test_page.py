"""The search page, as a browser without scripts gets it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.ui.assets import revision
from functions.ui.entities import CALLED
from functions.ui.wording import age, language_of, words
from index_artifacts.graph.model import ATTRIBUTES, ENTITY_TYPES, RELATIONS
from index_artifacts.search import MODES
from tests.functions.conftest import KEY, WIKI
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from functions.settings import Settings

LANGUAGES = ("sk", "cs", "pl", "ru", "en")
OWN_SCRIPTS = ['type="module"', 'type="application/json"']
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def visitor(settings: Callable[..., Settings]) -> Iterator[TestClient]:
    """Somebody without a key, where none is needed."""
    app = create_local_app(settings(api_keys="", allow_anonymous=True))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


class _Balance(HTMLParser):
    """Notes elements that are opened and never closed, or closed and never opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag not in {"meta", "link", "input", "br", "path", "circle"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in {"path", "circle"}:  # which close themselves
            assert self.open.pop() == tag


def shown(client: TestClient, question: str = "", **headers: str) -> str:
    response = client.get("/", params={"q": question} if question else {}, headers=headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    balance = _Balance()
    balance.feed(response.text)
    assert balance.open == []
    return response.text


def test_a_question_shows_pages_with_what_matches_marked(visitor: TestClient) -> None:
    html = shown(visitor, "printer toner")
    assert html.index("Printer") < html.index("</article>")
    assert "<mark>toner</mark>" in html
    assert 'value="printer toner"' in html
    assert re.search(r"Version <code>\w+-\w+</code>|Version <code>[\w.-]+</code>", html)


def test_without_a_question_there_is_the_form_alone(visitor: TestClient) -> None:
    html = shown(visitor)
    assert '<form id="search" action="/" method="get" role="search">' in html
    assert "<article" not in html and "autofocus" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_the_language_of_the_browser(visitor: TestClient, language: str) -> None:
    html = shown(visitor, "qqqqqq wwwwww", **{"Accept-Language": f"xx,{language};q=0.8,en;q=0.1"})
    assert f'<html lang="{language}">' in html
    assert words(language)["title"] in html
    assert words(language)["nothing"] in html


def test_every_language_says_everything() -> None:
    for language in LANGUAGES:
        assert words(language).keys() == words("en").keys()
        for name, said in words("en").items():
            told = words(language)[name]
            assert told
            if isinstance(said, dict):
                assert told.keys() == said.keys() and all(told.values())
            elif isinstance(said, str):
                fields = [re.findall(r"\{\w+\}", text) for text in (told, said)]
                assert fields[0] == fields[1]


def test_every_mode_and_every_thing_of_the_graph_has_a_name() -> None:
    assert tuple(words("en")["modes"]) == MODES
    assert tuple(sorted(words("en")["types"])) == tuple(sorted(ENTITY_TYPES))
    assert {*words("en")["attributes"], "title"} == {*ATTRIBUTES}
    called = {name for pair in CALLED.values() for name in pair}
    assert {*words("en")["relations"]} == called
    assert {*CALLED} <= {*RELATIONS}


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"), ("*", "en"), ("de", "en"), ("sk", "sk"), ("SK-sk", "sk"),
        ("de, cs;q=0.5", "cs"),
        ("en;q=0.2, pl;q=0.9", "pl"), ("ru;q=0", "en"), ("ru;q=x, sk", "sk"), (";;,,=", "en"),
    ],
)  # fmt: skip
def test_the_browsers_order_of_languages_counts(accepted: str, language: str) -> None:
    assert language_of(accepted) == language


def test_an_age_is_told_in_one_unit() -> None:
    assert [age(seconds, "en") for seconds in (-1, 5, 3599, 7200, 172_800)] == [
        "", "1 min", "59 min", "2 h", "2 days",
    ]  # fmt: skip


def test_nothing_that_is_typed_or_written_becomes_markup(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    pages = {
        **WIKI,
        "evil.md": f"---\ntitle: Walrus {EVIL}\n---\n\n# {EVIL} walrus\n\n"
        f"The walrus {EVIL} sings.\n",
    }
    build_and_publish(tmp_path / "store", tmp_path, pages, source_url="javascript:alert({path})")
    chosen = settings(store=f"file://{tmp_path / 'store'}", api_keys="", allow_anonymous=True)
    with TestClient(create_local_app(chosen)) as client:
        for question in ("walrus", EVIL, '"><img src=x onerror=alert(1)>', "walrus\x00\ud83d"):
            html = shown(client, question.encode("utf-8", "replace").decode())
            # The page's own: one to load, one that is data.
            own = ['<script type="module"', '<script type="application/json"']
            assert [
                tag for tag in re.findall(r"<script[^>]*", html) if not tag.startswith(tuple(own))
            ] == []
            assert html.count("<script") == 2
            assert "<img" not in html and "javascript:" not in html
        assert "&lt;script&gt;" in shown(client, "walrus sings")


def test_what_a_browser_may_load_is_this_servers_alone(visitor: TestClient) -> None:
    response = visitor.get("/", params={"q": "printer"})
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
    assert "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "set-cookie" not in response.headers
    assert response.headers["referrer-policy"] == "same-origin"
    assert response.headers["cache-control"] == "no-store"
    assert " style=" not in response.text and " on" not in re.findall(
        r"<[^>]* on\w+=", response.text
    )
    loaded = re.findall(r'(?:src|href)="(/assets/[^"]*)"', response.text)
    assert {address.rpartition("/")[2] for address in loaded} == {
        "icon.svg",
        "page.css",
        "page.mjs",
    }
    for address in loaded:
        asset = visitor.get(address)
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "url(" not in asset.text and "@import" not in asset.text
        assert asset.headers["x-content-type-options"] == "nosniff"


def test_a_script_gets_the_scripts_of_its_own_revision(visitor: TestClient) -> None:
    page = f"/assets/{revision()}/page.mjs"
    imported = re.findall(r'from "\./([^"]+)"', visitor.get(page).text)
    assert imported
    for name in imported:
        found = visitor.get(f"/assets/{revision()}/{name}")
        assert found.headers["content-type"] == "text/javascript; charset=utf-8"
    old = visitor.get("/assets/000000000000/page.mjs")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")


@pytest.mark.parametrize("name", ["page.html", "..", "%2e%2e%2fpage.py", "none.css"])
def test_there_is_no_other_file_to_be_had(visitor: TestClient, name: str) -> None:
    assert visitor.get(f"/assets/{revision()}/{name}").status_code == 404


def test_where_a_key_is_needed_the_page_says_so_and_shows_nothing(client: TestClient) -> None:
    response = client.get("/", params={"q": "printer"}, headers={"X-API-Key": ""})
    assert response.status_code == 401
    assert words("en")["needs_key"] in response.text
    for hidden in ("<article", "Version", "<datalist", "Ada Noll"):
        assert hidden not in response.text
    form = client.get("/", headers={"X-API-Key": ""})
    assert form.status_code == 200
    assert "Version" not in form.text and "Ada Noll" not in form.text
    wrong = client.get("/", headers={"X-API-Key": "of-somebody-else-0123456789abcdef"})
    assert wrong.status_code == 401
    assert "<mark>" in shown(client, "printer", **{"X-API-Key": KEY})


def test_errors_are_pages_too(settings: Callable[..., Settings], tmp_path: Path) -> None:
    chosen = settings(store=f"file://{tmp_path / 'no'}", api_keys="", allow_anonymous=True)
    with TestClient(create_local_app(chosen)) as client:
        unavailable = client.get("/", params={"q": "printer"})
        assert unavailable.status_code == 503
        assert "no version is published yet" in unavailable.text
        too_long = client.get("/", params={"q": "printer " * 300})
        assert too_long.status_code == 422
        assert words("en")["too_long"] in too_long.text


def test_a_wiki_is_called_by_its_name(settings: Callable[..., Settings], tmp_path: Path) -> None:
    build_and_publish(tmp_path / "store", tmp_path, WIKI, title="Wiki <katedry>")
    chosen = settings(store=f"file://{tmp_path / 'store'}", api_keys="", allow_anonymous=True)
    with TestClient(create_local_app(chosen)) as client:
        html = shown(client, "printer")
    assert "<title>printer – Wiki &lt;katedry&gt;</title>" in html
    assert ">Wiki &lt;katedry&gt;</a></h1>" in html


def test_addresses_begin_with_the_base_path(settings: Callable[..., Settings]) -> None:
    app = create_local_app(settings(api_keys="", allow_anonymous=True, base_path="/prod"))
    with TestClient(app) as client:
        html = client.get("/prod/", params={"q": "printer"}).text
    assert 'action="/prod/"' in html
    addresses = re.findall(r'(?:src|href|action)="(/[^"]*)"', html)
    assert addresses and all(address.startswith("/prod/") for address in addresses)


def test_a_mode_and_filters_stay_in_the_form_and_narrow_what_is_found(visitor: TestClient) -> None:
    page = visitor.get(
        "/", params={"q": "printer", "mode": "lexical", "year": "2024", "drafts": ""}
    )
    assert re.findall(r'data-id="([^"]*)"', page.text) == ["report.md"]
    assert '<option value="lexical" selected>' in page.text
    assert '<option value="2024" selected>' in page.text
    assert '<details class="filters" open>' in page.text
    assert (
        visitor.get("/", params={"q": "printer", "author": "Ada Noll"}).text.count("<article") == 1
    )


def test_what_is_typed_into_a_filter_is_answered_in_words(visitor: TestClient) -> None:
    year = visitor.get("/", params={"q": "printer", "year": "soon"})
    assert year.status_code == 422 and "years" in year.text
    mode = visitor.get("/", params={"q": "printer", "mode": "magic"})
    assert mode.status_code == 422 and "mode" in mode.text
    nowhere = visitor.get("/", params={"q": "printer", "collection": "moon"})
    assert nowhere.status_code == 422 and "moon" in nowhere.text


def test_a_corrected_word_can_be_searched_for_as_it_was_typed(visitor: TestClient) -> None:
    html = shown(visitor, "printr toner")
    assert "<del>printr</del> <ins>printer</ins>" in html
    assert 'href="/?q=%22printr%22"' in html


def test_a_page_without_an_address_such_as_a_mail_has_its_id_to_copy(visitor: TestClient) -> None:
    html = shown(visitor, "printer toner")
    assert "<h3>Printer</h3>" in html and "data-address" not in html
    assert '<button type="button" class="plain" data-copy="printer.md" hidden>' in html
