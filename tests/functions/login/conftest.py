"""A person with a browser, before a wiki of two collections where people log in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient

from functions.local import create_local_app
from functions.settings import Settings
from tests.openid_provider import CLIENT, SECRET
from tests.tiny_wiki import PAGES, build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.openid_provider import OpenIdProvider

HOST = "https://wiki.example.org"
SESSION_KEY = "a-session-key-of-the-tests-0123456789"
SESSION, ATTEMPT = "__Host-edgewiki_session", "__Host-edgewiki_login"
FROM_HERE = {"Sec-Fetch-Site": "same-origin"}
COLLECTIONS = """[[collections]]
name = "notes"
path = "notes"
[[collections]]
name = "wiki"
"""


class Person:
    """Follows what a browser follows, and keeps the cookies that it would keep."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.name: str(cookie.value) for cookie in self.client.cookies.jar}

    def begin(self, wanted: str = "/") -> str:
        """Ask to log in; the address at the provider that the browser is sent to."""
        response = self.client.get("/login", params={"next": wanted})
        assert response.status_code == 303, response.text
        return str(response.headers["location"])

    def at_the_provider(self, url: str) -> str:
        """Log in there; the path that the browser comes back to."""
        response = httpx.get(url)
        assert response.status_code == 302, response.text
        back = urlsplit(response.headers["location"])
        assert f"{back.scheme}://{back.netloc}" == HOST
        return f"{back.path}?{back.query}"

    def log_in(self, wanted: str = "/") -> Any:
        """The whole way; what the wiki answers at its end."""
        return self.client.get(self.at_the_provider(self.begin(wanted)))

    def status_of(self, method: str, path: str, body: Any = None, **headers: str) -> int:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return int(self.client.request(method, path, json=body, headers=sent).status_code)


@pytest.fixture(scope="session")
def two_collections(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a store with the tiny wiki, and one page in the collection ``notes``."""
    folder = tmp_path_factory.mktemp("two")
    note = {"notes/cellar.md": "# Cellar\n\nThe server of the cellar is a walrus.\n"}
    build_and_publish(folder / "store", folder, {**PAGES, **note, "edgewiki.toml": COLLECTIONS})
    return f"file://{folder / 'store'}"


@pytest.fixture
def login_settings(
    two_collections: str, openid_provider: OpenIdProvider, tmp_path: Path
) -> Callable[..., Settings]:
    """Make settings where people log in at the provider, and keys open nothing."""

    def make(**fields: Any) -> Settings:
        defaults = {
            "store": two_collections,
            "cache_dir": tmp_path / "cache",
            "oidc_issuer": openid_provider.url,
            "oidc_client_id": CLIENT,
            "oidc_client_secret": SECRET,
            "session_key": SESSION_KEY,
            "oidc_collections": "*",
        }
        return Settings(**{**defaults, **fields})

    return make


@pytest.fixture
def arrive(login_settings: Callable[..., Settings]) -> Callable[..., Person]:
    """Make a person, before an installation of such settings."""

    def made(**fields: Any) -> Person:
        app = create_local_app(login_settings(**fields))
        return Person(TestClient(app, HOST, follow_redirects=False, raise_server_exceptions=False))

    return made


@pytest.fixture
def person(arrive: Callable[..., Person]) -> Iterator[Person]:
    yield arrive()
