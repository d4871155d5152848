"""What is put under load: a server, the app in this process, or a searcher alone."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import httpx

from index_artifacts.errors import ConfigError, EdgewikiError
from index_artifacts.search import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from eval.workload import LoadQuery
    from index_artifacts.search import Searcher

# In process there is no address; httpx wants one all the same.
_NOWHERE = "http://127.0.0.1"


class Target(Protocol):
    """Something that answers. Its first answer may take longer: that is what ``cold`` is."""

    name: str

    async def ask(self, query: LoadQuery) -> str:
        """Answer a query; return an empty string, or in a few words why there is no answer."""

    async def close(self) -> None:
        """Let go of what is held."""


class HttpTarget:
    """``POST /search`` of a server, or of an ASGI app where a transport is given.

    Nothing is sent anywhere but to ``base_url``: no proxy unless it is remote, no redirect.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str = "",
        *,
        allow_remote: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Raises `ConfigError` for a URL that is none, or not loopback without permission."""
        remote = not check_host(base_url, allow_remote=allow_remote)
        self.name = base_url if transport is None else "the app in this process"
        self._client = httpx.AsyncClient(
            base_url=base_url,
            headers={"X-API-Key": api_key} if api_key else {},
            transport=transport,
            trust_env=remote,
            timeout=None,  # the runner has its own deadline, the same for every target
            limits=httpx.Limits(max_connections=None),
        )

    async def ask(self, query: LoadQuery) -> str:
        """Send one search."""
        body = {"query": query.text, "limit": query.limit, "mode": query.mode}
        try:
            response = await self._client.post("/search", json=body)
        except httpx.HTTPError as error:
            return type(error).__name__
        return "" if response.status_code == httpx.codes.OK else f"HTTP {response.status_code}"

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def app_target(app: Callable[..., object], api_key: str = "") -> HttpTarget:
    """An ASGI app, asked in this process."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]
    return HttpTarget(_NOWHERE, api_key, transport=transport)


class SearcherTarget:
    """A searcher without HTTP; ``open_searcher`` is called by the first question."""

    def __init__(self, open_searcher: Callable[[], Searcher]) -> None:
        self.name = "a searcher in this process"
        self._open = open_searcher
        self._searcher: Searcher | None = None

    async def ask(self, query: LoadQuery) -> str:
        """Search in a thread, as the app does."""
        if self._searcher is None:
            self._searcher = self._open()
        request = SearchRequest(query.text, limit=query.limit, mode=query.mode)
        try:
            await asyncio.to_thread(self._searcher.search, request)
        except EdgewikiError as error:
            return type(error).__name__
        return ""

    async def close(self) -> None:
        """There is nothing to close."""


def check_host(url: str, *, allow_remote: bool) -> bool:
    """True for an address of this machine.

    Raises `ConfigError` where ``url`` is no http URL, or another host's without permission: a
    load test is run against what one owns.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError(f"{url!r} is no http:// or https:// URL")
    loopback = _is_loopback(parts.hostname)
    if not loopback and not allow_remote:
        raise ConfigError(
            f"{parts.hostname} is not this machine: give --allow-remote to put load on a "
            "deployment of your own"
        )
    return loopback


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
