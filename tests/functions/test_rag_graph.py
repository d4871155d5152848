"""Evidence that the graph's facts are joined to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.graph.search import ANSWERED, NOT_UNDERSTOOD
from index_artifacts.rag.facts import ASKED_FOR, NOT_BY_GRAPH, REASONS
from tests.functions.conftest import KEY
from tests.functions.rag_wiki import gather, open_client
from tests.keys import entry, ring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings

SUPERVISOR = "Kto viedol diplomovú prácu Jána Kvetoňa?"
LED = "Ktoré diplomové práce viedol Peter Zelenák?"
WIDGET_KEY = "a-key-of-a-widget-0123456789abcdef"


@pytest.fixture
def client(graph_store: Path, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    keys = ring(entry(KEY), entry(WIDGET_KEY, "widget", rag_profile="widget"))
    with open_client(settings(store=f"file://{graph_store}", api_keys=keys)) as client:
        yield client


def test_a_question_about_facts_has_them_first_under_the_page_that_states_them(
    client: TestClient,
) -> None:
    found = gather(client, SUPERVISOR)
    assert (found["engine"], found["engine_reason"]) == ("joined", REASONS[ANSWERED])
    assert found["answerable"]
    first = found["sources"][0]
    assert (first["number"], first["path"]) == (1, "students/2019/jan_kveton/README.md")
    block = found["context"].partition("⟦evidence 1 ")[2].partition("⟦evidence 2 ")[0]
    assert "Peter Zelenák" in block and "Generovanie odpovedí" in block
    assert [source["number"] for source in found["sources"]] == list(
        range(1, len(found["sources"]) + 1)
    )


def test_the_pages_alone_can_be_asked_for(client: TestClient) -> None:
    found = gather(client, SUPERVISOR, engine="rag")
    assert (found["engine"], found["engine_reason"]) == ("rag", ASKED_FOR)
    assert "- " not in found["context"].partition("⟦evidence 1 ")[2].partition("⟦evidence 2 ")[0]


def test_another_question_is_answered_from_pages_and_says_why(client: TestClient) -> None:
    found = gather(client, "Ako sa lúpe zemiak?")
    assert (found["engine"], found["engine_reason"]) == ("rag", NOT_BY_GRAPH[NOT_UNDERSTOOD])


def test_facts_count_against_the_budget_and_what_did_not_fit_is_told(client: TestClient) -> None:
    whole = gather(client, LED)
    assert whole["engine"] == "joined"
    least = gather(client, LED, max_tokens=whole["context_budget"]["actual"] - 60)
    assert least["context_budget"]["actual"] < whole["context_budget"]["actual"]
    assert least["context_budget"]["actual"] <= least["context_budget"]["limit"]
    assert least["truncated"]


def test_a_profile_hears_no_fact_from_a_page_that_it_may_not_see(client: TestClient) -> None:
    found = gather(client, SUPERVISOR, rag_profile="widget")
    assert found["engine"] == "rag"
    assert not any(source["path"].startswith("students/") for source in found["sources"])
    assert gather(client, SUPERVISOR, rag_profile="mute")["engine"] == "rag"
