"""Who asks, and what they may: roles, API keys as hashes, and the key ring.

Keys are random and long, so a plain SHA-256 of one is as good as a slow hash: there is nothing
to guess. Two hashes in one entry are an old and a new key while they are being changed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MIN_SECRET = 32
MOST_HASHES = 2
TOKEN = "token:"
"""What stands before a token's subject in its caller's name; no key can be called so."""
LOGIN = "login:"
"""The same of who logged in to the search page."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_FIELDS = {"name", "role", "sha256", "collections", "rag_profile"}


class Role(IntEnum):
    """What somebody may do; each may do what those before it may."""

    GUEST = 0
    """Reads and asks."""
    USER = 1
    """Adds pages and edits those that it added."""
    ADMIN = 2
    """Everything."""

    @classmethod
    def named(cls, name: object) -> Role:
        """The role called ``name``; raises `ValueError`, which lists them."""
        for role in cls:
            if role.name.lower() == name:
                return role
        there = ", ".join(role.name.lower() for role in cls)
        raise ValueError(f"role {str(name)[:64]!r} is unknown; there are: {there}")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. ``collections`` are what may be read, None for all; ``profile`` for RAG."""

    name: str
    role: Role
    collections: frozenset[str] | None = None
    profile: str = ""

    @property
    def shown(self) -> str:
        """The name as people know it. Of a key, a token and a login it may be the same."""
        return self.name.removeprefix(TOKEN).removeprefix(LOGIN)


ANYBODY = Caller("anonymous", Role.GUEST)
"""Somebody who showed nothing, where that is allowed."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An entry of the key ring: a caller, and the hashes of the keys that prove it."""

    caller: Caller
    sha256: tuple[str, ...]


class KeyRing:
    """The API keys of an installation."""

    def __init__(self, keys: Iterable[ApiKey]) -> None:
        self._callers = {bytes.fromhex(digest): key.caller for key in keys for digest in key.sha256}

    def caller(self, key: str) -> Caller | None:
        """Whose key ``key`` is, None for nobody's. Every hash is compared, equal or not."""
        given = hashlib.sha256(key.encode(errors="surrogateescape")).digest()
        found = None
        for digest, caller in self._callers.items():
            if hmac.compare_digest(given, digest):
                found = caller
        return found if len(key) >= MIN_SECRET else None


def new_key() -> str:
    """A random key of 43 characters."""
    return secrets.token_urlsafe(32)


def make_key(
    name: str, role: str, collections: Sequence[str] | None = None, rag_profile: str = ""
) -> tuple[str, dict[str, Any]]:
    """A new key, and the entry for ``EDGEWIKI_API_KEYS``. Raises `ConfigError`."""
    key = new_key()
    entry: dict[str, Any] = {"name": name, "role": role, "sha256": [hash_of(key)]}
    if collections:
        entry["collections"] = list(collections)
    if rag_profile:
        entry["rag_profile"] = rag_profile
    try:
        parse_api_keys(json.dumps([entry]))
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return key, entry


def hash_of(key: str) -> str:
    """How a key is written down."""
    return hashlib.sha256(key.encode()).hexdigest()


def parse_api_keys(text: str) -> tuple[ApiKey, ...]:
    """Read ``EDGEWIKI_API_KEYS``. Raises `ValueError`, which names the entry and never a hash."""
    if not text.strip():
        return ()
    try:
        entries = json.loads(text)
    except ValueError:
        raise ValueError(
            "not JSON: make an entry with `edgewiki key`, and list them in []"
        ) from None
    if not isinstance(entries, list):
        raise ValueError('give a list: [{"name": …, "role": …, "sha256": […]}, …]')
    keys = tuple(_entry(number, entry) for number, entry in enumerate(entries, 1))
    hashes = [digest for key in keys for digest in key.sha256]
    if len(set(hashes)) < len(hashes):
        raise ValueError("a key is used twice: every entry needs its own")
    names = [key.caller.name for key in keys]
    if len(set(names)) < len(names):
        raise ValueError("a name is used twice: each entry is somebody else")
    return keys


def _entry(number: int, entry: Any) -> ApiKey:
    if not isinstance(entry, dict):
        raise ValueError(f"entry {number} is no object")
    if unknown := sorted(set(entry) - _FIELDS):
        there = ", ".join(sorted(_FIELDS))
        raise ValueError(f"entry {number}: {unknown[0][:64]!r} is unknown; there are: {there}")
    name = entry.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"entry {number}: give a name of letters, digits and . _ @ -")
    try:
        caller = Caller(
            name,
            Role.named(entry.get("role", "guest")),
            _collections(entry.get("collections")),
            _text(entry, "rag_profile"),
        )
        return ApiKey(caller, _hashes(entry.get("sha256")))
    except ValueError as error:
        raise ValueError(f"entry {number} ({name}): {error}") from None


def _hashes(given: Any) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_HASHES:
        raise ValueError("sha256: give the hash of its key, or of the old and the new one")
    if not all(isinstance(digest, str) and _SHA256.fullmatch(digest) for digest in listed):
        raise ValueError("sha256: a hash is 64 lower-case hex digits; `edgewiki key` prints it")
    return tuple(listed)


def _collections(given: Any) -> frozenset[str] | None:
    if given is None:
        return None
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise ValueError("collections: give a list of names, or leave it out for all")
    return frozenset(given)


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name}: give a text")
    return value
