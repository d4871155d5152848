"""What a session opens, and for how long."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from functions.access import Caller, Role
from functions.local import create_local_app
from functions.sessions import Seal
from functions.ui.wording import words
from tests.functions.login.conftest import FROM_HERE, HOST, SESSION, SESSION_KEY, Person
from tests.keys import entry, ring
from tests.openid_provider import CLIENT, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings
    from tests.openid_provider import OpenIdProvider

NEW_KEY = "a-newer-session-key-0123456789abcdefgh"
KEY = "a-key-of-the-tests-0123456789abcdef"


def collections_of(response: Any) -> set[str]:
    return {hit["document"]["collection"] for hit in response.json()["hits"]}


@pytest.mark.parametrize(
    ("person_is", "fields", "found"),
    [
        ({"workspace": "wiki"}, {}, {"wiki"}),
        ({"workspace": ["notes"]}, {}, {"notes"}),
        ({"workspace": ["notes", "wiki"]}, {}, {"notes", "wiki"}),
        ({}, {}, set()),
        ({"role": "admin"}, {}, {"notes", "wiki"}),
        ({}, {"oidc_collections": "wiki"}, {"wiki"}),
        ({"workspace": "notes"}, {"oidc_collections": "wiki, other"}, {"notes", "wiki"}),
        ({"workspace": "notes"}, {"oidc_collections": "*"}, {"notes", "wiki"}),
        (
            {"groups": ["/lab"]},
            {"jwt_collections_claim": "groups", "jwt_workspaces": '{"/lab": "*"}'},
            {"notes", "wiki"},
        ),
    ],
)
def test_claims_decide_what_is_found_as_they_do_for_tokens(
    openid_provider: OpenIdProvider,
    arrive: Callable[..., Person],
    person_is: dict[str, Any],
    fields: dict[str, str],
    found: set[str],
) -> None:
    openid_provider.claims = person_is
    person = arrive(**{"oidc_collections": "", **fields})
    assert person.log_in().status_code == 303
    asked = person.client.post("/search", json={"query": "server"}, headers=FROM_HERE)
    assert asked.status_code == 200
    assert collections_of(asked) == found
    page = person.client.get("/?q=server").text
    assert ("Cellar" in page, "Server room" in page) == ("notes" in found, "wiki" in found)


def test_what_an_id_token_leaves_out_is_asked_of_the_user_info(
    openid_provider: OpenIdProvider, arrive: Callable[..., Person]
) -> None:
    openid_provider.user_info = {"sub": "eva-7", "workspace": "notes", "name": "Somebody"}
    person = arrive(oidc_collections="")
    person.log_in()
    found = person.client.post("/search", json={"query": "server"}, headers=FROM_HERE)
    assert collections_of(found) == {"notes"}
    assert "Eva Krátka" in person.client.get("/").text  # what is signed ranks above

    openid_provider.user_info = {"sub": "adam-1", "role": "admin"}
    refused = person.log_in()
    assert (refused.status_code, words("en")["login_failed"] in refused.text) == (502, True)
    openid_provider.faults["/userinfo"] = refuse(503)
    assert person.log_in().status_code == 503
    openid_provider.claims = {"role": "user", "workspace": "wiki"}  # then nothing is missing
    assert person.log_in().status_code == 303


def test_nobodys_login_is_somebodys_key_or_token(
    openid_provider: OpenIdProvider, arrive: Callable[..., Person], caplog: Any
) -> None:
    openid_provider.claims = {"sub": "tester"}
    person = arrive(api_keys=ring(entry(KEY, "tester")))
    person.log_in()
    with caplog.at_level("INFO"):
        for headers in ({"X-API-Key": KEY}, FROM_HERE):
            assert person.client.get("/search?q=server", headers=headers).status_code == 200
    lines = [record.fields for record in caplog.records if hasattr(record, "fields")]
    assert [line["caller"] for line in lines] == ["tester", "login:tester"]
    assert Caller("login:tester", Role.GUEST).shown == "tester"


def test_a_key_that_is_sent_counts_before_the_session(arrive: Callable[..., Person]) -> None:
    person = arrive(api_keys=ring(entry(KEY, collections=["wiki"])))
    person.log_in()
    asked = {**FROM_HERE, "X-API-Key": KEY}
    found = person.client.post("/search", json={"query": "server"}, headers=asked)
    assert collections_of(found) == {"wiki"}
    wrong = {**FROM_HERE, "X-API-Key": KEY[::-1]}
    assert person.client.post("/search", json={"query": "x"}, headers=wrong).status_code == 401


def flipped(value: str, at: int) -> str:
    return value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]


def test_a_cookie_that_was_altered_is_nobodys(
    openid_provider: OpenIdProvider, person: Person
) -> None:
    openid_provider.claims = {"workspace": "wiki"}
    person.log_in()
    value = person.cookies[SESSION]
    body, _, signature = value.rpartition(".")
    wrong = [flipped(value, at) for at in (0, len(body) // 2, len(body) + 3, len(value) - 3)]
    for altered in (
        *wrong,
        body,
        signature,
        f".{signature}",
        f"{body}.",
        "",
        "x.y",
        "é",
        value * 2,
    ):
        sent = {"Cookie": f"{SESSION}={altered}".encode()}
        fresh = TestClient(person.client.app, HOST)
        assert fresh.get("/?q=server", headers=sent).status_code == 401  # type: ignore[arg-type]
    assert person.client.get("/?q=server").status_code == 200


def sealed(settings: Settings, purpose: str = "session", ago: float = 0, **facts: Any) -> str:
    said = {"caller": "login:x", "name": "x", "role": "guest", "collections": None, **facts}
    return Seal(settings, purpose, lambda: time.time() - ago).closed(said, 3600)


def test_a_session_ends_in_time_and_is_of_one_key_provider_client_and_purpose(
    login_settings: Callable[..., Settings],
) -> None:
    own = login_settings()
    app = create_local_app(own)

    def status_with(cookie: str) -> int:
        sent = {"Cookie": f"{SESSION}={cookie}"}
        return TestClient(app, HOST).get("/?q=server", headers=sent).status_code

    assert status_with(sealed(own)) == 200
    assert status_with(sealed(own, ago=3599 - 5)) == 200
    assert status_with(sealed(own, ago=3601)) == 401
    assert status_with(sealed(own, "login")) == 401
    assert status_with(sealed(login_settings(session_key=NEW_KEY))) == 401
    assert status_with(sealed(login_settings(oidc_client_id="other"))) == 401
    assert status_with(sealed(login_settings(oidc_issuer="https://id.example.org"))) == 401


def test_a_session_lasts_as_long_as_is_set(arrive: Callable[..., Person]) -> None:
    back = arrive(session_hours=0.5).log_in()
    assert "Max-Age=1800;" in back.headers.get_list("set-cookie")[0]


def test_a_key_is_changed_without_logging_anybody_out(
    login_settings: Callable[..., Settings],
) -> None:
    old, both, new = (
        login_settings(session_key=key)
        for key in (SESSION_KEY, f"{SESSION_KEY}, {NEW_KEY}", NEW_KEY)
    )

    def believes(settings: Settings, cookie: str) -> bool:
        return Seal(settings, "session").opened(cookie) is not None

    assert believes(both, sealed(old)) and believes(both, sealed(both))
    assert believes(new, sealed(both))
    assert not believes(old, sealed(both))
    assert not believes(new, sealed(old))


def test_a_session_that_is_over_leaves_a_guest_where_guests_may_ask(
    arrive: Callable[..., Person], login_settings: Callable[..., Settings]
) -> None:
    person = arrive(allow_anonymous=True, anonymous_collections="wiki")
    assert "Log in" in person.client.get("/?q=server").text
    person.client.cookies.set(SESSION, sealed(login_settings(), ago=3601))
    page = person.client.get("/?q=server")
    assert page.status_code == 200 and "Cellar" not in page.text
    person.log_in()
    assert "Cellar" in person.client.get("/?q=server").text


def test_more_collections_than_a_cookie_holds_are_refused_and_told_the_administrator(
    openid_provider: OpenIdProvider, person: Person, arrive: Callable[..., Person], caplog: Any
) -> None:
    openid_provider.claims = {"workspace": [f"{n * 7919:x}" for n in range(1_000)]}
    response = arrive(oidc_collections="").log_in()
    assert response.status_code == 502
    assert "a session of 1000 collections cannot be kept" in caplog.text
    assert person.log_in().status_code == 303  # here everybody reads everything


def test_the_log_names_who_asked_and_no_secret_of_a_login(
    person: Person, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level("INFO"):
        back = person.at_the_provider(person.begin())
        person.client.get(back)
        person.client.get("/?q=server")
    lines = [getattr(record, "fields", {}) for record in caplog.records]
    assert "login:eva-7" in {line.get("caller") for line in lines}
    written = json.dumps(lines, default=str) + caplog.text + "".join(capsys.readouterr())
    ours = written.replace(back, "")  # the test's own client logs what it asks for
    for secret in (person.cookies[SESSION], SESSION_KEY):
        assert secret not in ours
    assert CLIENT not in json.dumps(lines)
