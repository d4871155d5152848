"""Asking two versions the same, and holding their answers together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

ALL_KEY = "a-key-that-opens-everything-0123456789"
NO_KEY = "a-key-that-opens-no-collection-0123456789"


def told(response: Any) -> Any:
    """What a response says, but for the version's name and how long it took."""
    if not response.headers["content-type"].startswith("application/json"):
        return response.status_code, response.text
    return response.status_code, _plain(response.json())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        # How many tokens of evidence there are ("actual") counts those of the version's name.
        left_out = {"index_version", "milliseconds", "actual", "published_at", "age_seconds",
                    "checked_seconds_ago"}  # fmt: skip
        return {key: _plain(item) for key, item in value.items() if key not in left_out}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


def same(clients: dict[str, TestClient], method: str, path: str, **request: Any) -> Any:
    """Ask both versions with the reader's key, and hold the answers together."""
    headers = {"X-API-Key": KEY}
    both = {
        name: told(client.request(method, path, headers=headers, **request))
        for name, client in clients.items()
    }
    assert both["with"] == both["without"]
    return both["with"][1]
