"""API keys as the settings want them."""

from __future__ import annotations

import json
from typing import Any

from functions.access import hash_of


def entry(key: str, name: str = "tester", role: str = "guest", **more: Any) -> dict[str, Any]:
    """The entry of ``key``."""
    return {"name": name, "role": role, "sha256": [hash_of(key)], **more}


def ring(*entries: dict[str, Any]) -> str:
    """The setting that holds ``entries``."""
    return json.dumps(list(entries))


def one_key(key: str, **more: Any) -> str:
    """The setting that holds one key."""
    return ring(entry(key, **more))
