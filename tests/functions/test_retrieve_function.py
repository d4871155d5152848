"""Evidence as one Markdown block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.rag.rules import wording
from tests.functions.conftest import KEY
from tests.functions.rag_wiki import WIDGET_KEY, gather, open_client
from tests.keys import entry, ring
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings


@pytest.fixture
def client(rag_store: Path, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    """A client over `PAGES`."""
    keys = ring(entry(KEY), entry(WIDGET_KEY, "widget", rag_profile="widget"))
    with open_client(settings(store=f"file://{rag_store}", api_keys=keys)) as client:
        yield client


def test_a_block_for_a_system_prompt_has_rules_evidence_and_sources(client: TestClient) -> None:
    answer = client.get("/retrieve", params={"q": "Ktorý učiteľ vedie printer?"}).json()
    found = gather(client, "Ktorý učiteľ vedie printer?")
    parts = answer["markdown"].split("\n\n", 1)
    assert parts[0] == "## Podklady z wiki"
    assert parts[1].startswith(wording("sk").grounding())
    assert found["context"] in answer["markdown"]
    lines = answer["markdown"].split("Zdroje:\n")[1].splitlines()
    assert lines[0].startswith("[1] ")
    assert len(lines) == len(found["sources"]) == len(answer["sources"])
    assert any(line.endswith(" https://wiki.test/printer") for line in lines)
    assert answer["answerable"]


def test_a_block_without_evidence_says_what_to_say(client: TestClient) -> None:
    for parameters in ({"q": "?"}, {"q": "printer", "rag_profile": "mute"}):
        answer = client.get("/retrieve", params=parameters).json()
        assert not answer["answerable"]
        assert answer["markdown"] == f"## Evidence from the wiki\n\n{wording('en').no_evidence}"
        assert answer["sources"] == []
        assert answer["reason"]


def test_a_block_has_seven_pieces_and_4000_characters_of_evidence_by_default(
    tmp_path: Path, settings: Callable[..., Settings]
) -> None:
    short = {f"p{n}.md": f"# Printer {n}\n\nPrinter {n} needs paper.\n" for n in range(10)}
    long = {name: text + "\nIt needs paper. " * 80 for name, text in short.items()}
    for name, pages in (("short", short), ("long", long)):
        build_and_publish(tmp_path / name / "store", tmp_path / name, pages)
    url = f"file://{tmp_path}"
    with open_client(settings(store=f"{url}/short/store")) as client:
        answer = client.get("/retrieve", params={"q": "printer"}).json()
        assert len(answer["sources"]) == 7
        assert len(client.get("/retrieve?q=printer&top_k=3").json()["sources"]) == 3
    with open_client(settings(store=f"{url}/long/store", cache_dir=tmp_path / "c")) as client:
        answer = client.get("/retrieve", params={"q": "printer"}).json()
        assert 0 < len(answer["sources"]) < 7
        assert answer["markdown"].count("⟦evidence ") - 1 == len(answer["sources"])  # one in rules
        assert answer["truncation_reasons"][-1] == "llm_context_budget"
        start, end = answer["markdown"].rfind("⟦evidence 1 "), answer["markdown"].rfind("⟧") + 1
        assert len(answer["markdown"][start:end]) <= 4_000
        everything = client.get("/retrieve?q=printer&max_chars=0").json()
        assert len(everything["sources"]) == 7


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "q: Field required"),
        ("q=x&top_k=0", "top_k: "),
        ("q=x&top_k=51", "top_k: "),
        ("q=x&max_chars=-1", "max_chars: "),
        ("q=x&limit=3", "limit: "),
        ("q=x&rag_profile=robot", "RAG profile 'robot' is unknown"),
        ("q=x&collections=teachers", "collection 'teachers' is unknown"),
        ("q=" + "x" * 10_000, "q: String should have at most 2000 characters"),
    ],
)
def test_a_wrong_parameter_is_refused_naming_it(
    client: TestClient, query: str, reason: str
) -> None:
    response = client.get(f"/retrieve?{query}")
    assert response.status_code == 422
    assert reason in response.json()["reason"]
