"""Who may ask for a job, report on one, and look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from functions.sync.service import SyncService
from tests.functions.sync.conftest import (
    ADMIN_KEY,
    GUEST_KEY,
    SYNC_KEY,
    client_of,
    with_sync_key,
)
from tests.functions.sync.test_sync_function import look

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi.testclient import TestClient

    from functions.settings import Settings

ROUTES = [
    ("POST", "/sync"), ("POST", "/sync/jobs/x"), ("GET", "/sync/jobs/x"), ("GET", "/sync/status"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("key", ["", "wrong", SYNC_KEY[:-1], SYNC_KEY + "0", SYNC_KEY.upper()])
def test_without_the_key_nothing_is_told(
    client: TestClient, method: str, path: str, key: str
) -> None:
    headers = {"X-API-Key": key} if key else {}
    answer = client.request(method, path, json={}, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_guest_learns_nothing_and_an_admin_may_look(
    client: TestClient, method: str, path: str
) -> None:
    guest = client.request(method, path, json={}, headers={"X-API-Key": GUEST_KEY})
    admin = client.request(method, path, json={}, headers={"X-API-Key": ADMIN_KEY})
    assert guest.status_code == (403 if method == "GET" else 401)
    assert admin.status_code in ({200, 404} if method == "GET" else {401})


def test_a_key_that_is_no_text_is_turned_away(client: TestClient) -> None:
    for value in (b"\xff\xfe", b"\xed\xa0\x80", "ключ".encode()):
        answer = client.post("/sync", json={}, headers={b"X-API-Key": value})
        assert answer.status_code == 401


def test_without_a_sync_key_requests_are_not_taken_but_an_admin_may_look(
    sync_settings: Callable[..., Settings], caplog: pytest.LogCaptureFixture
) -> None:
    client = client_of(SyncService(sync_settings(sync_key="")))
    for headers in ({}, {"X-API-Key": ""}, with_sync_key(), {"X-API-Key": ADMIN_KEY}):
        assert client.post("/sync", json={}, headers=headers).status_code == 404
    assert "EDGEWIKI_SYNC_KEY is empty" in caplog.text
    assert client.get("/sync/status").status_code == 401
    assert look(client)["running"] == []


def test_anybody_who_may_search_may_not_look_at_jobs(
    sync_settings: Callable[..., Settings],
) -> None:
    client = client_of(SyncService(sync_settings(allow_anonymous=True)))
    assert client.get("/sync/status").status_code == 401


def test_a_method_that_a_path_lacks_is_405_and_names_those_it_has(client: TestClient) -> None:
    for path, methods in (("/sync/jobs/x", "GET, POST"), ("/sync", "POST"), ("/health", "GET")):
        answer = client.put(path)
        assert (answer.status_code, answer.headers["Allow"]) == (405, methods)
