"""Values that several settings are made of, and what is wrong with them."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import SecretStr


def http_address(value: str, example: str) -> str:
    """A base URL without a slash too many; raises `ValueError`, which shows the ``example``."""
    url = value.strip()
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError(f"give {example}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("a user, a password or a query is not part of a base URL")
    return url


def header_value(value: SecretStr) -> SecretStr:
    """A secret that a header can carry; raises `ValueError`."""
    key = value.get_secret_value().strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError("the key holds more than printable ASCII, and headers cannot")
    return SecretStr(key)
