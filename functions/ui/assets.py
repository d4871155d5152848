"""The page's style, scripts and icon: read once, and kept by browsers for as long as they fit."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """Content and media type by name."""
    files = sorted(Path(__file__).with_name("assets").iterdir())
    return {file.name: (file.read_bytes(), _TYPES[file.suffix]) for file in files}


@cache
def revision() -> str:
    """A name for what all of them are now: under it they never change.

    It stands before their names, so that a script that imports another gets one that fits.
    """
    digest = sha256()
    for name, (content, _) in assets().items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]


def assets_below(base: str) -> str:
    """The address before their names, where the page is below ``base``."""
    return f"{base}/assets/{revision()}"
