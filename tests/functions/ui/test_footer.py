"""What the page's footer says of the version and of the encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.ui.wording import words
from index_artifacts.version_store import channel_key
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from functions.settings import Settings
    from tests.functions.conftest import Watched


def footer(client: TestClient, **asked: str) -> str:
    response = client.get("/", params=asked, headers={"X-API-Key": KEY})
    assert response.status_code == 200
    return response.text.partition('<footer id="about">')[2].partition("</footer>")[0]


def test_the_encoder_that_was_used_is_named(client: TestClient) -> None:
    used = footer(client, q="printer")
    assert f"{words('en')['encoder']} <code>cooccurrence " in used
    assert words("en")["encoder"] not in footer(client, q="printer", mode="lexical")
    assert words("en")["encoder"] not in footer(client)


def test_a_refresh_that_failed_is_said_until_one_succeeds(
    settings: Callable[..., Settings], store: Watched
) -> None:
    app = create_local_app(settings(store=store.url, refresh_seconds=0))
    pointer = store.folder / channel_key("latest")
    kept = pointer.read_bytes()
    with TestClient(app) as client:
        assert words("en")["stale"] not in footer(client, q="printer")
        pointer.write_bytes(b"{}")
        said = footer(client, q="printer")
        assert words("en")["stale"] in said
        assert words("en")["version"] in said
        pointer.write_bytes(kept)
        assert words("en")["stale"] not in footer(client, q="printer")
