"""A browser sends its session with whatever page makes it ask: only this wiki's own may use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from functions.ui.wording import words
from tests.functions.login.conftest import FROM_HERE, HOST, Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.openid_provider import OpenIdProvider

LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
WRITING = [
    ("POST", "/search"), ("POST", "/answer"), ("POST", "/rag"), ("POST", "/graph/search"),
    ("POST", "/mcp"), ("PUT", "/documents/new.md"), ("DELETE", "/documents/server.md"),
    ("POST", "/documents/upload"), ("PUT", "/collections/new"), ("POST", "/reload"),
]  # fmt: skip


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": HOST},
        {"Sec-Fetch-Site": "same-site", "Origin": "https://evil.example.org"},
        {"Sec-Fetch-Site": "none"},
        LINK,
        {"Origin": "https://evil.example.org"},
        {"Origin": "http://wiki.example.org"},
        {"Origin": "https://wiki.example.org:8443"},
        {"Origin": "https://wiki.example.org.evil.example.org"},
        {"Origin": "null"},
        {},
    ],
)
def test_a_foreign_page_writes_and_asks_nothing_with_a_session(
    openid_provider: OpenIdProvider,
    arrive: Callable[..., Person],
    headers: dict[str, str],
) -> None:
    openid_provider.claims = {"role": "admin"}
    person = arrive(
        forge="gitea", forge_url="http://127.0.0.1:9/api/v1", forge_repository="a/b",
        forge_token="a-token-of-the-tests-0123456789abcdef01",
    )  # fmt: skip
    person.log_in()
    body = {"query": "server", "content": "# New", "name": "x", "path": "x"}
    for method, path in WRITING:
        foreign = person.client.request(method, path, json=body, headers=headers)
        assert foreign.status_code == 401, (method, path)
        ours = person.client.request(method, path, json=body, headers=FROM_HERE)
        assert ours.status_code not in {401, 404, 405}, (method, path)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (FROM_HERE, 200), ({"Sec-Fetch-Site": "none"}, 200), (LINK, 200), ({}, 200),
        ({"Origin": HOST}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 401), ({"Sec-Fetch-Site": "same-site"}, 401),
        ({**LINK, "Sec-Fetch-Dest": "iframe"}, 401), ({**LINK, "Sec-Fetch-Mode": "cors"}, 401),
        ({"Origin": "https://evil.example.org"}, 401),
    ],
)  # fmt: skip
def test_a_link_from_elsewhere_is_followed_and_what_a_foreign_page_loads_is_not(
    person: Person, headers: dict[str, str], status: int
) -> None:
    person.log_in()
    for path in ("/search?q=server", "/?q=server"):
        assert person.client.get(path, headers=headers).status_code == status


def test_a_browser_that_tells_its_origin_alone_is_believed(person: Person) -> None:
    person.log_in()
    body = {"query": "server"}
    assert person.client.post("/search", json=body, headers={"Origin": HOST}).status_code == 200


@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example.org"}]
)
def test_a_foreign_page_logs_nobody_out(person: Person, headers: dict[str, str]) -> None:
    person.log_in()
    response = person.client.post("/logout", headers=headers)
    assert response.status_code == 403
    assert words("en")["login_foreign"] in response.text
    assert "set-cookie" not in response.headers
    assert person.client.get("/?q=server").status_code == 200
    assert person.client.get("/logout").status_code == 405
