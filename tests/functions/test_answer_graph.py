"""Questions about pages as such: answered by what the version lists, in /answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.rag.facts import REASONS
from index_artifacts.rag.rules import wording
from tests.functions.answer_wiki import ask
from tests.functions.rag_wiki import open_client
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings

COUNT = "How many pages did Eva Malá write?"


@pytest.fixture
def client(answer_store: Path, settings: Callable[..., Settings]) -> Iterator[TestClient]:
    with open_client(settings(store=f"file://{answer_store}")) as client:
        yield client


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (COUNT, ["Number of pages: 2 [1][2]"]),
        ("Koľko stránok napísala Eva Malá?", ["Počet stránok: 2 [1][2]"]),
        (
            "Které stránky mají štítek thesis?",
            ["- Stránka: Anna Noll [1]", "- Stránka: Bob Reed [2]"],
        ),
        ("Ile stron napisała Eva Malá?", ["Liczba stron: 2 [1][2]"]),
        ("Сколько страниц написала Ева Мала?", ["Число страниц: 2 [1][2]"]),
    ],
)
def test_pages_are_counted_and_listed_in_the_questions_language(
    client: TestClient, question: str, lines: list[str]
) -> None:
    for engine in ("auto", "graph"):
        answer = ask(client, question, engine=engine)
        assert answer["answer"].startswith("\n".join(lines))
        assert answer["accepted_for_delivery"]
        assert [s["path"] for s in answer["sources"]] == ["people/anna.md", "people/bob.md"]
        assert answer["answer"].endswith("[2] Bob Reed — https://wiki.test/people/bob")
        assert len(answer["claims"]) == len(lines)
        assert {n for claim in answer["claims"] for n in claim["citations"]} == {1, 2}
        assert (answer["engine"], answer["generator"], answer["complete"]) == (
            "graph", "facts", True,
        )  # fmt: skip
        reason = REASONS["answered"] if engine == "auto" else "asked for"
        assert answer["engine_reason"] == reason


def test_what_is_no_question_about_pages_is_answered_from_them(client: TestClient) -> None:
    answer = ask(client, "Who waters the garden?")
    assert answer["engine"] == "rag"
    assert answer["engine_reason"] == "no question about facts that the graph lists"
    assert ask(client, "Who waters the garden?", engine="rag")["engine_reason"] == "asked for"


@pytest.mark.parametrize(
    "question", ["Who waters the garden?", "Which pages have the tag nothing?", "", "???"]
)
def test_what_the_graph_does_not_understand_is_refused_by_it(
    client: TestClient, question: str
) -> None:
    answer = ask(client, question, engine="graph")
    assert (answer["status"], answer["outcome"]) == ("refused", "refused")
    assert answer["reason"]
    assert answer["answer"] == wording(answer["language"]).refusal
    assert (answer["engine"], answer["engine_reason"]) == ("graph", "asked for")
    assert not answer["accepted_for_delivery"]


def test_filters_and_collections_hold_for_facts_too(client: TestClient) -> None:
    by_eva = {"query": COUNT}
    assert "Number of pages: 2 " in ask(client, **by_eva, tags=["thesis"])["answer"]
    assert "Number of pages: 2 " in ask(client, **by_eva, collections=["people"])["answer"]
    for nothing in ({"tags": ["other"]}, {"collections": ["wiki"]}, {"years": [1999]}):
        assert ask(client, **by_eva, **nothing)["engine"] == "rag"
    # Two authors are alternatives to a filter: whether Eva's pages are Nora's it cannot say.
    assert ask(client, **by_eva, authors=["Nora Tichá"])["engine"] == "rag"


def test_only_what_may_be_seen_is_counted(client: TestClient) -> None:
    question = "Which pages have the tag myth?"
    assert not ask(client, question, engine="graph")["accepted_for_delivery"]
    shown = ask(client, question, engine="graph", published_only=False)
    assert [source["path"] for source in shown["sources"]] == ["draft.md"]


def test_of_a_long_list_the_count_is_whole_and_the_answer_says_that_it_is_cut(
    tmp_path: Path, settings: Callable[..., Settings]
) -> None:
    page = "---\ntaxonomy:\n  tag: [diary]\n---\n# Day {n}\n\nOn day {n} it rained.\n"
    pages = {f"day{n:02}.md": page.format(n=n) for n in range(23)}
    build_and_publish(tmp_path / "store", tmp_path, pages)
    with open_client(settings(store=f"file://{tmp_path / 'store'}")) as client:
        answer = ask(client, "How many pages have the tag diary?")
    assert answer["answer"].startswith("Number of pages: 23 [1][2]")
    assert len(answer["sources"]) == 20
    assert (answer["complete"], answer["truncated"]) == (False, True)
    assert answer["truncation_reasons"] == ["limit"]
