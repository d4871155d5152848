"""What ends a login: forged, replayed, late or foreign answers, and a provider that is down."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from functions.sessions import Seal
from functions.tokens import AGAIN_SECONDS, KEPT_SECONDS
from functions.ui.provider import Attempt, Provider
from functions.ui.wording import words
from index_artifacts.errors import ProviderDownError
from tests.functions.conftest import Clock
from tests.functions.login.conftest import ATTEMPT, SESSION, Person
from tests.openid_provider import SECRET, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings
    from tests.openid_provider import OpenIdProvider

NOW = int(time.time())


def assert_refused(response: Any, status: int, word: str) -> None:
    """An error page of that status, and nobody is logged in."""
    assert (response.status_code, words("en")[word] in response.text) == (status, True)
    cookies = response.headers.get_list("set-cookie")
    assert not [each for each in cookies if SESSION in each]
    assert SECRET not in response.text


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"}, {"nonce": None}, {"nonce": ["x"]},
        {"aud": "another-client"}, {"aud": None}, {"aud": ["wiki-page", "other"]},
        {"aud": ["wiki-page", "other"], "azp": "other"}, {"azp": "other"},
        {"iss": "https://id.example.org"}, {"iss": None},
        {"exp": NOW - 60}, {"exp": None}, {"iat": None}, {"iat": NOW + 3600},
        {"sub": None}, {"sub": ""}, {"sub": "x" * 256}, {"padding": "x" * 20_000},
    ],
)  # fmt: skip
def test_an_id_token_that_is_not_of_this_login_is_refused(
    openid_provider: OpenIdProvider, person: Person, claims: dict[str, Any]
) -> None:
    openid_provider.claims = claims
    assert_refused(person.log_in(), 502, "login_failed")
    openid_provider.claims = {"aud": ["wiki-page", "other"], "azp": "wiki-page"}
    assert person.log_in().status_code == 303


def unsigned(nonce: str, provider: OpenIdProvider) -> str:
    return jwt.encode(said(nonce, provider), "", "none", headers={"kid": "first"})


def signed_with_the_clients_secret(nonce: str, provider: OpenIdProvider) -> str:
    key = SECRET.ljust(32, "x")
    return jwt.encode(said(nonce, provider), key, "HS256", headers={"kid": "first"})


def signed_with_another_key(nonce: str, provider: OpenIdProvider) -> str:
    foreign = ec.generate_private_key(ec.SECP256R1())
    return jwt.encode(said(nonce, provider), foreign, "ES256", headers={"kid": "first"})


def signed_with_an_unknown_key(nonce: str, provider: OpenIdProvider) -> str:
    return jwt.encode(said(nonce, provider), provider.keys["first"], "ES256", {"kid": "second"})


def said(nonce: str, provider: OpenIdProvider) -> dict[str, Any]:
    claims = {"iss": provider.url, "aud": "wiki-page", "iat": NOW, "exp": NOW + 300}
    return {**claims, "nonce": nonce, "sub": "eva-7", "role": "admin"}


@pytest.mark.parametrize(
    "make",
    [
        unsigned, signed_with_the_clients_secret, signed_with_another_key,
        signed_with_an_unknown_key, lambda *_: "", lambda *_: "a.b.c",
    ],
)  # fmt: skip
def test_an_id_token_that_the_provider_did_not_sign_is_refused(
    openid_provider: OpenIdProvider,
    person: Person,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[str, OpenIdProvider], str],
) -> None:
    monkeypatch.setattr(openid_provider, "id_token", lambda nonce: make(nonce, openid_provider))
    assert_refused(person.log_in(), 502, "login_failed")


def test_an_algorithm_that_is_not_listed_is_refused(arrive: Callable[..., Person]) -> None:
    assert_refused(arrive(jwt_algorithms="RS256").log_in(), 502, "login_failed")


def test_a_login_ends_in_the_browser_that_began_it(
    person: Person, arrive: Callable[..., Person]
) -> None:
    """Else a link would log somebody in as whoever made it."""
    back = person.at_the_provider(person.begin())
    assert_refused(arrive().client.get(back), 400, "login_over")
    other = arrive()
    other.begin()
    assert_refused(other.client.get(back), 400, "login_over")


@pytest.mark.parametrize("state", ["", "x", "é", None])
def test_a_state_of_another_login_is_refused_and_the_login_goes_on(
    person: Person, state: str | None
) -> None:
    right = person.at_the_provider(person.begin())
    back = urlsplit(right)
    query = {name: values[0] for name, values in parse_qs(back.query).items()}
    query = {**query, "state": state or ""} if state is not None else {"code": query["code"]}
    assert_refused(person.client.get(f"{back.path}?{urlencode(query)}"), 400, "login_over")
    assert person.client.get(right).status_code == 303


def test_an_answer_of_the_provider_is_good_once(
    openid_provider: OpenIdProvider, person: Person
) -> None:
    back = person.at_the_provider(person.begin())
    kept = person.cookies[ATTEMPT]
    assert person.client.get(back).status_code == 303
    person.client.cookies.clear()
    assert_refused(person.client.get(back), 400, "login_over")
    # Even with the cookie of its beginning: the provider knows the code.
    person.client.cookies.set(ATTEMPT, kept)
    assert_refused(person.client.get(back), 400, "login_over")
    assert openid_provider.asked.count("POST /token") == 2


def test_a_code_that_was_stolen_is_worth_nothing_without_its_verifier(
    person: Person, arrive: Callable[..., Person]
) -> None:
    stolen = parse_qs(urlsplit(person.at_the_provider(person.begin())).query)["code"][0]
    thief = arrive()
    own = parse_qs(urlsplit(thief.begin()).query)["state"][0]
    query = urlencode({"code": stolen, "state": own})
    assert_refused(thief.client.get(f"/login/callback?{query}"), 400, "login_over")


def test_a_login_that_takes_too_long_or_was_altered_is_over(
    person: Person, login_settings: Callable[..., Settings]
) -> None:
    back = person.at_the_provider(person.begin())
    kept = person.cookies[ATTEMPT]
    state = parse_qs(urlsplit(back).query)["state"][0]
    facts = {**Attempt(state, "n", "v").facts(), "wanted": "/"}
    late = Seal(login_settings(), "login", lambda: time.time() - 601).closed(facts, 600)
    foreign = Seal(login_settings(session_key="x" * 40), "login").closed(facts, 600)
    session = Seal(login_settings(), "session").closed(facts, 600)
    for wrong in (late, foreign, session, kept[:-2], f"e30{kept}", "x", ""):
        person.client.cookies.clear()
        person.client.cookies.set(ATTEMPT, wrong)
        assert_refused(person.client.get(back), 400, "login_over")


@pytest.mark.parametrize(
    ("error", "status", "word"),
    [
        ("access_denied", 403, "login_denied"), ("server_error", 503, "login_down"),
        ("temporarily_unavailable", 503, "login_down"), ("invalid_scope", 502, "login_failed"),
        ("<script>", 502, "login_failed"),
    ],
)  # fmt: skip
def test_a_provider_that_logs_nobody_in_is_told_apart(
    openid_provider: OpenIdProvider, person: Person, error: str, status: int, word: str
) -> None:
    openid_provider.error = error
    response = person.log_in("/?q=walrus")
    assert_refused(response, status, word)
    assert "<script>" not in response.text
    assert 'href="/login?next=%2F%3Fq%3Dwalrus"' in response.text
    assert person.cookies == {}


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/jwks"])
@pytest.mark.parametrize(
    ("reply", "status"), [(refuse(503), 503), (refuse(404), 502), (refuse(200), 502)]
)
def test_a_provider_that_fails_is_a_page_and_the_next_login_may_succeed(
    openid_provider: OpenIdProvider,
    person: Person,
    path: str,
    reply: Callable[[], Any],
    status: int,
) -> None:
    openid_provider.faults[path] = reply
    response = person.client.get("/login")
    if response.status_code == 303:
        response = person.client.get(person.at_the_provider(response.headers["location"]))
    # Without its keys, an ID token is as good as forged.
    expected = (502, "login_failed") if path == "/jwks" or status == 502 else (503, "login_down")
    assert_refused(response, *expected)
    openid_provider.faults.clear()
    if path != "/jwks":  # keys are asked for again half a minute later
        assert person.log_in().status_code == 303


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token"])
def test_a_provider_that_hangs_is_not_waited_for(
    openid_provider: OpenIdProvider, person: Person, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("functions.ui.provider.ANSWER_SECONDS", 0.2)
    openid_provider.faults[path] = openid_provider.hang
    response = person.client.get("/login")
    if response.status_code == 303:
        response = person.client.get(person.at_the_provider(response.headers["location"]))
    assert_refused(response, 503, "login_down")
    assert not openid_provider.released.is_set()


def test_a_client_that_the_provider_does_not_know_is_refused(
    openid_provider: OpenIdProvider, person: Person
) -> None:
    openid_provider.secret = "changed there and not here"
    assert_refused(person.log_in(), 502, "login_failed")


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://id.example.org"}, {"issuer": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://id.example.org/authorize"},
        {"token_endpoint": "ftp://127.0.0.1/"}, {"token_endpoint": None},
        {"jwks_uri": "https://[::1"}, {"jwks_uri": 7}, {"userinfo_endpoint": "//127.0.0.1"},
    ],
)  # fmt: skip
def test_a_provider_that_describes_another_one_or_unsafe_addresses_is_refused(
    openid_provider: OpenIdProvider, person: Person, metadata: dict[str, Any]
) -> None:
    openid_provider.metadata = metadata
    assert_refused(person.client.get("/login"), 502, "login_failed")


def test_the_provider_is_described_anew_and_an_outage_of_that_is_survived(
    openid_provider: OpenIdProvider, login_settings: Callable[..., Settings]
) -> None:
    clock = Clock()
    provider = Provider(login_settings(), clock)
    attempt, discovery = Attempt("s", "n", "v"), "/.well-known/openid-configuration"

    def where() -> str:
        return provider.login_url(attempt, "https://wiki.example.org/login/callback")

    openid_provider.faults[discovery] = refuse(503)
    with pytest.raises(ProviderDownError, match="does not answer"):
        where()
    openid_provider.faults.clear()
    assert where().startswith(f"{openid_provider.url}/authorize?")
    openid_provider.metadata = {"authorization_endpoint": f"{openid_provider.url}/new"}
    assert where().startswith(f"{openid_provider.url}/authorize?")
    clock.now += KEPT_SECONDS
    openid_provider.faults[discovery] = refuse(503)
    asked = len(openid_provider.asked)
    assert where().startswith(f"{openid_provider.url}/authorize?")
    assert where().startswith(f"{openid_provider.url}/authorize?")
    assert len(openid_provider.asked) == asked + 1  # not for every login
    openid_provider.faults.clear()
    clock.now += AGAIN_SECONDS
    assert where().startswith(f"{openid_provider.url}/new?")


def test_a_provider_may_change_its_keys(
    openid_provider: OpenIdProvider, login_settings: Callable[..., Settings], person: Person
) -> None:
    clock = Clock()
    desk_of = person.client.app.state  # type: ignore[attr-defined]
    assert person.log_in().status_code == 303
    desk_of.login_desk._provider = Provider(login_settings(), clock)
    assert person.log_in().status_code == 303
    openid_provider.keys["second"] = ec.generate_private_key(ec.SECP256R1())
    openid_provider.header = {"kid": "second"}
    clock.now += AGAIN_SECONDS
    assert person.log_in().status_code == 303
