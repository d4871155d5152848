"""The search page of whoever may not read a collection is that of a version without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.functions.access.held_together import ALL_KEY, told
from tests.functions.access.test_hidden_collections import ENTITIES, FACTS, QUESTIONS
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

# The footer names the version and says how old it is.
_FOOTER = re.compile(r'<footer id="about">.*?</footer>', re.DOTALL)


@pytest.mark.parametrize("question", ["", *QUESTIONS[::2], *FACTS[::2]])
def test_filters_hits_corrections_and_entities_are_the_same(
    clients: dict[str, TestClient], question: str
) -> None:
    html = page(clients, q=question)
    for told_by_a_filter in (">cellar<", 'value="kormoran"'):
        assert told_by_a_filter not in html
    page(clients, q=question, drafts="1", mode="lexical", language="sk")


def test_whoever_reads_everything_is_shown_what_the_others_are_not(
    clients: dict[str, TestClient],
) -> None:
    html = clients["with"].get("/", params={"q": "tehly"}, headers={"X-API-Key": ALL_KEY}).text
    assert ">cellar<" in html and 'value="kormoran"' in html


@pytest.mark.parametrize("collection", ["cellar", "gone", "wiki"])
def test_a_hidden_collection_is_as_unknown_as_one_that_never_was(
    clients: dict[str, TestClient], collection: str
) -> None:
    page(clients, q="printer", collection=collection)


def test_entities_and_their_pictures_are_the_same(clients: dict[str, TestClient]) -> None:
    everything = {"X-API-Key": ALL_KEY}
    known = set()
    for name in ENTITIES:
        _, found = told(
            clients["with"].get("/graph/entities", params={"name": name}, headers=everything)
        )
        known |= {entity["id"] for entity in found.get("entities", ())}
    assert any("kormoran" in key for key in known)
    for key in sorted(known):
        page(clients, entity=key)


def page(clients: dict[str, TestClient], **asked: str) -> str:
    """The reader's page without its footer, the same of both versions."""
    held = {}
    for name, client in clients.items():
        status, text = told(client.get("/", params=asked, headers={"X-API-Key": KEY}))
        held[name] = (status, _FOOTER.sub("", text))
    assert held["with"] == held["without"]
    return held["with"][1]
