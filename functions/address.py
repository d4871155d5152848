"""Where a browser reaches this installation, and whether it asks from there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from index_artifacts.loopback import is_loopback

if TYPE_CHECKING:
    from fastapi import Request

_HOST = re.compile(r"(?:\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?")
_SAFE = {"GET", "HEAD"}


@dataclass(frozen=True, slots=True)
class Address:
    """The origin as browsers write it, and the path below which everything lies, or nothing."""

    origin: str
    base: str

    @property
    def is_secure(self) -> bool:
        """Whether cookies go over TLS alone: everywhere but on this machine."""
        return not (self.origin.startswith("http:") and is_loopback(self.origin))


def address_of(request: Request) -> Address:
    """As set by EDGEWIKI_PUBLIC_URL, else by the host that was asked for.

    Over http only on the loopback: elsewhere a proxy in front has the TLS, whether it says so
    or not. A host that is none makes an origin that no browser has.
    """
    settings = request.app.state.settings
    if settings.public_url:
        parts = urlsplit(settings.public_url)
        return Address(f"{parts.scheme}://{parts.netloc}".lower(), parts.path.rstrip("/"))
    host = request.headers.get("host", "").lower()
    if not _HOST.fullmatch(host):
        return Address("https://invalid", settings.base_path)
    scheme = request.url.scheme if is_loopback(f"http://{host}") else "https"
    return Address(f"{scheme}://{host}", settings.base_path)


def asked_from_here(request: Request, address: Address) -> bool:
    """Whether a page of ``address`` asks, or, to read alone, a person who followed a link.

    By the browser's Fetch Metadata; by ``Origin`` where it sends none (before 2023), for anything
    but reading. This is the order of the OWASP cheat sheet on cross-site request forgery.
    """
    site = request.headers.get("sec-fetch-site", "")
    reads = request.method in _SAFE
    if site:
        return site == "same-origin" or (reads and (site == "none" or _is_followed_link(request)))
    origin = request.headers.get("origin", "")
    return origin == address.origin or (reads and not origin)


def _is_followed_link(request: Request) -> bool:
    mode, destination = (request.headers.get(f"sec-fetch-{name}", "") for name in ("mode", "dest"))
    return mode == "navigate" and destination == "document"
