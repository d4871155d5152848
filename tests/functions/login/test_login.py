"""Logging in to the search page, at a real provider on the loopback."""

from __future__ import annotations

import re
import subprocess
import sys
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from functions.ui.login import local_path
from functions.ui.wording import words
from tests.functions.login.conftest import ATTEMPT, FROM_HERE, HOST, SESSION, Person
from tests.serving import serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings
    from tests.openid_provider import OpenIdProvider


def test_who_logs_in_searches_the_page_until_they_log_out(person: Person) -> None:
    assert person.client.get("/?q=walrus").status_code == 401
    page = person.client.get("/")
    assert f'<a href="/login">{words("en")["login_log_in"]}</a>' in page.text

    landed = person.log_in("/?q=walrus")
    assert (landed.status_code, landed.headers["location"]) == (303, "/?q=walrus")
    assert set(person.cookies) == {SESSION}
    found = person.client.get(landed.headers["location"])
    assert "<mark>walrus</mark>" in found.text
    assert words("en")["login_name"].format(name="Eva Krátka") in found.text
    answered = person.client.post("/search", json={"query": "walrus"}, headers=FROM_HERE)
    assert answered.json()["hits"][0]["document"]["id"] == "notes/cellar.md"

    left = person.client.post("/logout", headers=FROM_HERE)
    assert (left.status_code, left.headers["location"]) == (303, "/")
    assert person.cookies == {}
    assert person.client.get("/?q=walrus").status_code == 401


def test_the_provider_is_asked_for_a_code_with_state_nonce_and_a_challenge(person: Person) -> None:
    first, second = (parse_qs(urlsplit(person.begin()).query) for _ in range(2))
    assert first["redirect_uri"] == [f"{HOST}/login/callback"]
    assert first["scope"] == ["openid profile"]
    assert first["code_challenge_method"] == ["S256"]
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) >= 43
        assert first[name] != second[name]


def attributes(header: str) -> tuple[str, dict[str, Any]]:
    """The name of a cookie as it is set, and its attributes that say something."""
    ((name, morsel),) = SimpleCookie(header).items()
    return name, {key: value for key, value in morsel.items() if value != ""}


def test_cookies_are_for_this_host_for_tls_for_no_script_and_no_foreign_form(
    person: Person,
) -> None:
    begun = person.client.get("/login")
    kept = {"path": "/", "samesite": "lax", "secure": True, "httponly": True}
    assert attributes(begun.headers["set-cookie"]) == (ATTEMPT, {**kept, "max-age": "600"})
    back = person.client.get(person.at_the_provider(begun.headers["location"]))
    assert [attributes(each) for each in back.headers.get_list("set-cookie")] == [
        (SESSION, {**kept, "max-age": "28800"}),
        (ATTEMPT, {**kept, "max-age": "0"}),
    ]
    for response in (begun, back):
        assert response.headers["cache-control"] == "no-store"


def test_a_cookie_holds_no_token_of_the_provider(person: Person) -> None:
    from itsdangerous import URLSafeSerializer

    person.log_in()
    _, facts = URLSafeSerializer("any").loads_unsafe(person.cookies[SESSION])
    assert set(facts) == {"caller", "name", "role", "collections", "expires"}
    assert (facts["caller"], facts["role"]) == ("login:eva-7", "guest")


def test_below_a_base_path_everything_is_there(arrive: Callable[..., Person]) -> None:
    person = arrive(base_path="/prod")
    begun = person.client.get("/prod/login?next=/%3Fq%3Dwalrus")
    name, kept = attributes(begun.headers["set-cookie"])
    assert (name, kept["path"]) == ("__Secure-edgewiki_login", "/prod")
    back = person.at_the_provider(begun.headers["location"])
    assert back.startswith("/prod/login/callback?")
    landed = person.client.get(back)
    assert landed.headers["location"] == "/prod/?q=walrus"
    page = person.client.get(landed.headers["location"]).text
    assert "<mark>walrus</mark>" in page and 'action="/prod/logout"' in page
    assert person.client.post("/prod/logout", headers=FROM_HERE).headers["location"] == "/prod/"


def test_the_public_address_is_where_the_provider_sends_people_back(
    arrive: Callable[..., Person],
) -> None:
    person = arrive(public_url="https://lab.example.org/wiki")
    asked = parse_qs(urlsplit(person.begin()).query)
    assert asked["redirect_uri"] == ["https://lab.example.org/wiki/login/callback"]


@pytest.mark.parametrize("host", ["evil.example.org/x", "a b", "", "[::1", "x@y"])
def test_a_host_that_is_none_leads_nowhere(person: Person, host: str) -> None:
    response = person.client.get("/login", headers={"Host": host})
    asked = parse_qs(urlsplit(response.headers["location"]).query)
    assert asked["redirect_uri"] == ["https://invalid/login/callback"]


def test_a_real_server_and_a_real_client_go_the_whole_way_on_the_loopback(
    login_settings: Callable[..., Settings],
) -> None:
    with (
        serving(login_settings()) as url,
        httpx.Client(base_url=url, follow_redirects=True) as browser,
    ):
        page = browser.get("/login", params={"next": "/?q=walrus"})
        assert [response.status_code for response in page.history] == [303, 302, 303]
        assert str(page.url) == f"{url}/?q=walrus"
        assert "<mark>walrus</mark>" in page.text
        assert set(browser.cookies) == {"edgewiki_session"}  # no TLS here, so no prefix of it
        old_browser = {"Origin": url}
        assert browser.post("/logout", headers=old_browser).status_code == 200
        assert not browser.cookies


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("/", "/"), ("/?q=a%20b&x=%2F%2Fevil", "/?q=a%20b&x=%2F%2Fevil"),
        ("/?q=стол", "/?q=%D1%81%D1%82%D0%BE%D0%BB"), ("/graph/stats", "/graph/stats"),
        ("", "/"), ("//evil.example.org", "/"), ("/\\evil.example.org", "/"),
        ("\\\\evil.example.org", "/"), ("https://evil.example.org", "/"),
        ("https:evil.example.org", "/"), ("javascript:alert(1)", "/"), ("evil.example.org", "/"),
        ("/\t/evil.example.org", "/"), ("/\n/evil.example.org", "/"), (" //evil.example.org", "/"),
        ("/x\r\nSet-Cookie: a=b", "/"), ("///evil.example.org", "/"), ("/x\\..\\y", "/"),
        ("/login", "/"), ("/login?next=/login", "/"), ("/login/callback?code=1", "/"),
        ("/logout/", "/"), ("/?q=" + "x" * 2_000, "/"),
    ],
)  # fmt: skip
def test_a_login_leads_on_to_a_path_of_this_wiki_and_nowhere_else(
    person: Person, wanted: str, path: str
) -> None:
    assert local_path(wanted) == path
    assert person.log_in(wanted).headers["location"] == path


def test_what_leads_nowhere_else_is_a_page_of_this_host_to_a_browser() -> None:
    for wanted in ("/..//evil.example.org", "/.//evil.example.org", "/%2F%2Fevil.example.org"):
        there = httpx.URL(HOST).join(local_path(wanted))
        assert there.host == "wiki.example.org"


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": None, "preferred_username": "eva"}, "eva"),
        ({"name": "  ", "email": "eva@example.org"}, "eva@example.org"),
        ({"name": None}, "eva-7"),
        ({"name": "<b>Eva</b>\x1b[2J"}, "&lt;b&gt;Eva&lt;/b&gt;[2J"),
    ],
)
def test_people_are_shown_by_the_best_name_that_the_provider_knows(
    openid_provider: OpenIdProvider, person: Person, claims: dict[str, Any], name: str
) -> None:
    openid_provider.claims = claims
    person.log_in()
    assert f"<span>Logged in as {name}</span>" in person.client.get("/").text


@pytest.mark.parametrize("ways", [["client_secret_post"], ["client_secret_basic"], None])
def test_the_client_proves_itself_as_the_provider_wants_it(
    openid_provider: OpenIdProvider, person: Person, ways: list[str] | None
) -> None:
    if ways:
        openid_provider.metadata = {"token_endpoint_auth_methods_supported": ways}
    assert SESSION in person.log_in().headers["set-cookie"]


def test_a_public_client_has_no_secret_to_show(
    openid_provider: OpenIdProvider, arrive: Callable[..., Person]
) -> None:
    openid_provider.secret = ""
    assert SESSION in arrive(oidc_client_secret="").log_in().headers["set-cookie"]


def test_what_the_provider_says_of_itself_is_asked_for_once(
    openid_provider: OpenIdProvider, person: Person
) -> None:
    for _ in range(3):
        assert person.log_in().status_code == 303
    asked = openid_provider.asked
    assert asked.count("GET /.well-known/openid-configuration") == asked.count("GET /jwks") == 1


def test_where_nobody_can_log_in_there_is_no_login_and_nothing_of_it_is_imported(
    arrive: Callable[..., Person],
) -> None:
    off = arrive(oidc_issuer="", allow_anonymous=True)
    for method, path in (("GET", "/login"), ("GET", "/login/callback"), ("POST", "/logout")):
        response = off.client.request(method, path)
        assert response.status_code == 404
        assert words("en")["login_off"] in response.text
    assert "login" not in off.client.get("/").text
    code = (
        "import sys, functions.ui.handler;"
        "print(*[m for m in ('authlib', 'itsdangerous', 'httpx2', 'jwt') if m in sys.modules])"
    )
    environ = {"EDGEWIKI_ALLOW_ANONYMOUS": "true", "PYTHONPATH": ":".join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.split()) == (0, []), ran.stderr


def test_authlib_is_imported_by_the_first_login(login_settings: Callable[..., Settings]) -> None:
    chosen = login_settings()
    environ = {
        "EDGEWIKI_OIDC_ISSUER": chosen.oidc_issuer, "EDGEWIKI_OIDC_CLIENT_ID": "x",
        "EDGEWIKI_SESSION_KEY": chosen.session_key.get_secret_value(),
        "PYTHONPATH": ":".join(filter(None, sys.path)),
    }  # fmt: skip
    code = (
        "import sys, functions.ui.handler;"
        "print(*[m for m in ('authlib', 'itsdangerous', 'httpx2', 'jwt') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.split()) == (0, ["itsdangerous"]), ran.stderr


@pytest.mark.parametrize("language", ["sk", "cs", "pl", "ru", "en"])
def test_errors_are_pages_in_the_language_of_the_browser(person: Person, language: str) -> None:
    response = person.client.get("/login/callback", headers={"Accept-Language": language})
    assert response.status_code == 400
    assert f'<html lang="{language}">' in response.text
    assert words(language)["login_over"] in response.text
    assert re.search(r'<a href="/login\?next=%2F">', response.text)
    assert "script" not in response.headers["content-security-policy"]
