"""A login under the real Lambda runtime client: begun, ended and used by functions of their own."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from eval.lambda_runtime import lambda_process
from tests.functions.login.conftest import FROM_HERE, SESSION_KEY
from tests.functions.test_lambda import body_of, environ, load
from tests.openid_provider import CLIENT, SECRET

if TYPE_CHECKING:
    from pathlib import Path

    from tests.openid_provider import OpenIdProvider

HOST = "https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"


def page_event(path: str, query: str = "", *cookies: str) -> dict[str, Any]:
    """What the HTTP API makes of a browser's GET: cookies lie in a list of their own."""
    event = load("page")
    event["rawPath"] = event["requestContext"]["http"]["path"] = path
    event["rawQueryString"], event["cookies"] = query, list(cookies)
    del event["headers"]["x-api-key"], event["queryStringParameters"]
    return event


def search_event(*cookies: str, **headers: str) -> dict[str, Any]:
    event = load("http-api")
    event["cookies"] = list(cookies)
    del event["headers"]["x-api-key"]
    event["headers"] |= {name.lower(): value for name, value in headers.items()}
    return event


def kept(answer: dict[str, Any]) -> list[str]:
    """The cookies that a browser keeps of an answer, as it sends them back."""
    assert "set-cookie" not in answer["headers"]
    morsels = [morsel for each in answer["cookies"] for morsel in SimpleCookie(each).values()]
    return [f"{each.key}={each.value}" for each in morsels if each["max-age"] != "0"]


def test_one_function_begins_another_process_ends_and_a_third_one_answers(
    openid_provider: OpenIdProvider, two_collections: str, tmp_path: Path
) -> None:
    openid_provider.claims = {"workspace": "wiki"}
    variables = environ(
        two_collections, tmp_path, EDGEWIKI_API_KEYS="", EDGEWIKI_SESSION_KEY=SESSION_KEY,
        EDGEWIKI_OIDC_ISSUER=openid_provider.url, EDGEWIKI_OIDC_CLIENT_ID=CLIENT,
        EDGEWIKI_OIDC_CLIENT_SECRET=SECRET,
    )  # fmt: skip
    page = "functions.ui.handler.handler"
    with lambda_process(tmp_path, variables, page) as ui:
        for _ in range(2):
            begun = ui.invoke(page_event("/login", "next=%2F%3Fq%3Dserver"))
            assert begun["statusCode"] == 303
    back = urlsplit(httpx.get(begun["headers"]["location"]).headers["location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{HOST}/login/callback"

    with lambda_process(tmp_path, variables, page) as ui:
        ended = ui.invoke(page_event(back.path, back.query, *kept(begun), "other=1"))
        assert (ended["statusCode"], ended["headers"]["location"]) == (303, "/?q=server")
        assert len(ended["cookies"]) == 2  # the session, and the end of its beginning
        session = kept(ended)
        assert len(session) == 1
        html = ui.invoke(page_event("/", "q=server", *session))
        assert html["statusCode"] == 200 and "Eva Krátka" in html["body"]
        left = ui.invoke({**page_event("/logout", "", *session), **posted("/logout")})
        assert left["statusCode"] == 303 and kept(left) == []

    with lambda_process(tmp_path, variables) as search:
        for _ in range(2):
            answer = search.invoke(search_event("other=1", *session, **FROM_HERE))
            assert answer["statusCode"] == 200
            hits = body_of(answer)["hits"]
            assert {hit["document"]["collection"] for hit in hits} == {"wiki"}
        foreign = search_event(*session, **{"Sec-Fetch-Site": "cross-site"})
        assert search.invoke(foreign)["statusCode"] == 401
        assert search.invoke(search_event(**FROM_HERE))["statusCode"] == 401


def posted(path: str) -> dict[str, Any]:
    event = page_event(path)
    event["requestContext"]["http"]["method"] = "POST"
    event["headers"] |= {name.lower(): value for name, value in FROM_HERE.items()}
    return {"requestContext": event["requestContext"], "headers": event["headers"]}
