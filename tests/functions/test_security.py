"""Who may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from functions.access import KeyRing, hash_of, parse_api_keys
from functions.local import create_local_app
from tests.functions.conftest import KEY
from tests.keys import entry, one_key, ring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from functions.settings import Settings

OTHER = "another-key-0123456789abcdef0123456789"


@pytest.fixture
def stranger(settings: Callable[..., Settings]) -> Iterator[TestClient]:
    with TestClient(
        create_local_app(settings(api_keys=ring(entry(KEY), entry(OTHER, "other"))))
    ) as client:
        yield client


@pytest.mark.parametrize(
    "headers",
    [
        {"X-API-Key": KEY},
        {"x-api-key": OTHER},
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": f"bearer  {OTHER} "},
    ],
)
def test_any_key_opens_by_either_header(stranger: TestClient, headers: dict[str, str]) -> None:
    assert stranger.get("/search?q=printer", headers=headers).status_code == 200
    assert stranger.post("/search", json={"query": "printer"}, headers=headers).is_success


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-API-Key": ""},
        {"X-API-Key": "wrong"},
        {"X-API-Key": KEY[:-1]},
        {"X-API-Key": f"{KEY}x"},
        {"X-API-Key": KEY.upper()},
        {"X-API-Key": f"{KEY},{OTHER}"},
        {"Authorization": KEY},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Token {KEY}"},
    ],
)
def test_anything_else_is_turned_away(stranger: TestClient, headers: dict[str, str]) -> None:
    for response in (
        stranger.get("/search?q=printer", headers=headers),
        stranger.post("/search", json={"query": "printer"}, headers=headers),
        stranger.post("/search", json={"nonsense": 1}, headers=headers),
    ):
        assert response.status_code == 401
        assert response.json()["status"] == "unauthorized"
        assert response.headers["www-authenticate"] == "Bearer"
        assert KEY not in response.text


@pytest.mark.parametrize("value", [b"\xff\xfe", "kľúč".encode(), b"\xc5\x81" * 20, b"\x80" * 40])
@pytest.mark.parametrize("name", [b"X-API-Key", b"Authorization"])
def test_bytes_that_are_no_text_are_just_a_wrong_key(
    stranger: TestClient, name: bytes, value: bytes
) -> None:
    sent = value if name == b"X-API-Key" else b"Bearer " + value
    response = stranger.get("/search?q=printer", headers=[(name, sent)])
    assert response.status_code == 401


def test_a_key_in_the_address_does_not_count(stranger: TestClient) -> None:
    assert stranger.get(f"/search?q=printer&api_key={KEY}").status_code == 401


def test_health_and_the_schema_need_no_key(stranger: TestClient) -> None:
    assert stranger.get("/health").status_code == 200
    assert stranger.get("/openapi.json").status_code == 200


def test_an_anonymous_installation_answers_anybody(settings: Callable[..., Settings]) -> None:
    app = create_local_app(settings(api_keys="", allow_anonymous=True))
    with TestClient(app) as client:
        assert client.get("/search?q=printer").status_code == 200


def test_a_wrong_key_is_refused_where_none_is_needed(settings: Callable[..., Settings]) -> None:
    with TestClient(create_local_app(settings(allow_anonymous=True))) as client:
        assert client.get("/search?q=printer").status_code == 200
        wrong = client.get("/search?q=printer", headers={"X-API-Key": OTHER})
        assert wrong.status_code == 401


def test_an_old_and_a_new_key_are_both_good_while_they_are_changed(
    settings: Callable[..., Settings],
) -> None:
    both = {**entry(KEY), "sha256": [hash_of(KEY), hash_of(OTHER)]}
    with TestClient(create_local_app(settings(api_keys=ring(both)))) as client:
        for key in (KEY, OTHER):
            assert client.get("/search?q=printer", headers={"X-API-Key": key}).is_success


def test_a_short_key_opens_nothing_whatever_hashes_are_listed(
    settings: Callable[..., Settings],
) -> None:
    with TestClient(create_local_app(settings(api_keys=one_key("hunter2")))) as client:
        assert client.get("/search?q=x", headers={"X-API-Key": "hunter2"}).status_code == 401


def test_every_key_is_compared_whichever_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(given: bytes, own: bytes) -> bool:
        compared.append(own)
        return given == own

    monkeypatch.setattr("functions.access.hmac.compare_digest", compare)
    keys = [f"{name}-key-0123456789abcdef0123456789" for name in ("first", "second", "third")]
    entries = [entry(key, f"name-{number}") for number, key in enumerate(keys)]
    door = KeyRing(parse_api_keys(ring(*entries)))
    for key in (keys[0], keys[2], OTHER):
        compared.clear()
        door.caller(key)
        assert len(set(compared)) == 3
