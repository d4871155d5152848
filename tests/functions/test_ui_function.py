"""The search page, as a browser without scripts gets it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.ui.wording import age, language_of, words
from tests.functions.conftest import KEY, WIKI
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from functions.settings import Settings

LANGUAGES = ("sk", "cs", "pl", "ru", "en")
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
        if tag not in {"meta", "link", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
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
    assert '<form action="/" method="get" role="search">' in html
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
        assert all(words(language).values())


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
            assert "<script" not in html and "<img" not in html and "javascript:" not in html
        assert "&lt;script&gt;" in shown(client, "walrus sings")


def test_what_a_browser_may_load_is_this_servers_alone(visitor: TestClient) -> None:
    response = visitor.get("/", params={"q": "printer"})
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; form-action 'self'")
    assert "set-cookie" not in response.headers
    assert response.headers["cache-control"] == "no-store"
    assert set(re.findall(r'(?:src|href)="([^"]*)"', response.text)) >= {"/", "/style.css"}
    style = visitor.get("/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "url(" not in style.text and "@import" not in style.text


def test_where_a_key_is_needed_the_page_says_so_and_shows_nothing(client: TestClient) -> None:
    response = client.get("/", params={"q": "printer"}, headers={"X-API-Key": ""})
    assert response.status_code == 401
    assert words("en")["needs_key"] in response.text
    assert "<article" not in response.text and "<footer" not in response.text
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


def test_addresses_begin_with_the_base_path(settings: Callable[..., Settings]) -> None:
    app = create_local_app(settings(api_keys="", allow_anonymous=True, base_path="/prod"))
    with TestClient(app) as client:
        html = client.get("/prod/", params={"q": "printer"}).text
    assert 'action="/prod/"' in html and 'href="/prod/style.css"' in html
