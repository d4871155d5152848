"""What is suggested while typing gives no collection away: names, their order, how many, by SQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from functions.access import Caller, Role
from functions.asker import Asker
from index_artifacts.suggestions import SuggestRequest, suggest
from tests.functions.access.held_together import ALL_KEY, NO_KEY, same
from tests.functions.access.test_hidden_collections import ENTITIES, PATHS, QUESTIONS
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from index_artifacts.index import Index

READER = Caller("reader", Role.GUEST, frozenset(["students", "wiki"]))
HIDDEN = re.compile(r"kormor|pivnica|tehl|krtk|šifr|skryt|tmav|medzera|xaver|výklad|cellar", re.I)
"""What only names of the hidden collection have."""
LETTERS = [*"abcdefghijklmnopqrstuvwxyzжя0123456789"]


def typed() -> list[str]:
    """Every letter, and each name as it grows while somebody types it, with one word or two."""
    names = [*ENTITIES, *QUESTIONS, *PATHS, "Zelenák Peter", "Hlbina Xaver", "Tmavá Dora", "tema"]
    grown = {name[:length] for name in names for length in (2, 3, 5, len(name))}
    return [*LETTERS, *sorted(grown)]


def seen_by(client: TestClient, caller: Caller) -> Index:
    state = client.app.state.version_state  # type: ignore[attr-defined]
    return Asker(state, caller).version().searcher.index


def test_names_their_order_and_whether_there_are_more_are_the_same(
    clients: dict[str, TestClient],
) -> None:
    told = 0
    for text in typed():
        for asked in ({"limit": 2}, {"published_only": False}):
            answer = same(clients, "GET", "/suggest", params={"q": text, **asked})
            told += len(answer["suggestions"])
            assert not HIDDEN.search(str(answer["suggestions"])), text
    assert told > 100


@pytest.mark.parametrize("collections", [["wiki"], ["students"], ["cellar"], ["celar"]])
def test_filters_and_their_errors_are_the_same(
    clients: dict[str, TestClient], collections: list[str]
) -> None:
    for text in [*LETTERS, *ENTITIES]:
        same(clients, "GET", "/suggest", params={"q": text, "collections": collections})


def test_those_who_may_read_everything_are_suggested_it(clients: dict[str, TestClient]) -> None:
    asked: dict[str, Any] = {"headers": {"X-API-Key": ALL_KEY}}
    client = clients["with"]
    for text, name, kind in (
        ("operacia k", "Operácia Kormorán", "title"),
        ("skry", "Karol Skrytý", "person"),
        ("hlbina", "Xaver Hlbina", "person"),
        ("korm", "kormoran", "keyword"),
    ):
        found = client.get("/suggest", params={"q": text}, **asked).json()["suggestions"]
        assert (name, kind) in [(one["text"], one["kind"]) for one in found]


def test_whoever_may_read_nothing_is_suggested_nothing(clients: dict[str, TestClient]) -> None:
    for text in LETTERS:
        answer = (
            clients["with"]
            .get("/suggest", params={"q": text}, headers={"X-API-Key": NO_KEY})
            .json()
        )
        assert (answer["status"], answer["suggestions"], answer["truncated"]) == (
            "no_hits", [], False,
        )  # fmt: skip


def test_the_rows_that_a_connection_has_are_those_of_a_version_without(
    clients: dict[str, TestClient],
) -> None:
    rows = {}
    for name, client in clients.items():
        client.get("/health")
        found = seen_by(client, READER).connection.execute(
            "SELECT collections.name, suggestion_lists.published, source, suggestions.name, kind, "
            "uses, path FROM suggestions JOIN suggestion_lists ON suggestion_lists.id = list_id "
            "JOIN collections ON collections.id = suggestion_lists.collection_id "
            "LEFT JOIN documents ON documents.id = document_id "
            "WHERE source <> 'public' ORDER BY suggestions.id"
        )
        rows[name] = found.fetchall()
    assert len(rows["with"]) > 40
    assert rows["with"] == rows["without"]


@pytest.mark.parametrize("text", ["k", "kormoran", "Karol Skrytý", "xaver hl", "zzz", "p"])
def test_the_same_statements_are_run_over_its_own_lists_alone(
    clients: dict[str, TestClient], text: str
) -> None:
    ran = {}
    for name, client in clients.items():
        index = seen_by(client, READER)
        statements: list[str] = []
        index.connection.set_trace_callback(statements.append)
        suggest(index, SuggestRequest(text))
        index.connection.set_trace_callback(None)
        own = {number for (number,) in index.connection.execute("SELECT id FROM suggestion_lists")}
        used = {int(n) for text in statements for n in re.findall(r"\bsuggest_(\d+)", text)}
        assert used
        assert used <= own
        # Numbers are those of rows and lists, which a hidden collection moves.
        ran[name] = [re.sub(r"'\[[\d,\s]*\]'|\d+", "#", statement) for statement in statements]
    assert ran["with"] == ran["without"]


def test_a_key_for_some_collections_is_suggested_their_names(
    clients: dict[str, TestClient],
) -> None:
    answer = (
        clients["with"].get("/suggest", params={"q": "kveton"}, headers={"X-API-Key": KEY}).json()
    )
    (found,) = answer["suggestions"]
    assert (found["text"], found["kind"]) == ("Ján Kvetoň", "person")
    assert found["path"].startswith("students/")
