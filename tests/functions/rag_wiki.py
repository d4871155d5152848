"""A wiki of two collections, two RAG profiles and an unpublished page, to gather evidence from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.testclient import TestClient

from functions.local import create_local_app
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from functions.settings import Settings

WIDGET_KEY = "a-key-of-a-widget-0123456789abcdef"
PAGES = {
    "edgewiki.toml": """
[wiki]
publication = "mark"
source_url = "https://wiki.test/{route}"
[[collections]]
name = "people"
path = "people"
[[collections]]
name = "wiki"
[[rag_profiles]]
name = "widget"
mode = "selected"
collections = ["people"]
limit = 1
max_tokens = 3000
max_chars = 900
rules = ["Answer in one sentence."]
[[rag_profiles]]
name = "mute"
mode = "none"
""",
    "people/ada.md": "---\nauthor: Eva Noll\n---\n# Ada Noll\n\nAda supervises the printer.\n",
    "people/bob.md": "# Bob\n\nBob feeds the printer with paper.\n",
    "printer.md": "# Printer\n\nThe printer needs paper and toner.\n\n## Place\n\n"
    "The printer stands in room 12.\n",
    "draft.md": "---\npublished: false\n---\n# Chimera\n\nThe chimera replaces the printer.\n",
}


def open_client(settings: Settings) -> TestClient:
    app = create_local_app(settings)
    return TestClient(app, headers={"X-API-Key": KEY}, raise_server_exceptions=False)


def gather(client: TestClient, query: str = "printer paper", **fields: Any) -> dict[str, Any]:
    response = client.post("/rag", json={"query": query, **fields})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer
