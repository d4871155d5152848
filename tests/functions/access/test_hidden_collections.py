"""To whoever may not read a collection, a version answers as if it had never been in it.

Two versions are built, one of them without the collection, and every function is asked the same
of both: whatever differs, tells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.functions.access.held_together import ALL_KEY, NO_KEY, same, told
from tests.functions.conftest import KEY

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

QUESTIONS = [
    "Kormorán", "operacia kormoran", "kormorna", "tehly", "zlatých tehál", "Kde ležia zlaté tehly?",
    '"Zlaté tehly ležia"', "Na akom porte počúva server?", "port 31337", "krtkov", "krtokv",
    "kľúče od pivnice", "pivnica", "papier", "nlp", "Detekcia", "anotácia prispevkov", "šifrovanie",
    "Kto je Dora Tmavá?", "Tmavá", "Hlbina", "hlbnia", "vyhľadávanie", "printer", "Gustáv Medzera",
]  # fmt: skip
FACTS = [
    "Ktoré práce viedol Peter Zelenák?", "Koľko prác viedol Peter Zelenák?",
    "Kto viedol diplomovú prácu Jána Kvetoňa?", "Ktoré práce napísal Ján Kvetoň?",
    "Kto viedol diplomovú prácu Dory Tmavej?", "Ktoré práce viedol Xaver Hlbina?",
    "Ktoré práce viedol Xaver Hlbnia?", "Kto písal o tehlách?", "Ktoré diplomové práce sú z 2025?",
    "Kto viedol najviac prác?", "Ktoré stránky majú kľúčové slovo kormoran?",
    "Ktoré stránky napísal Peter Zelenák?", "Koľko študentov začalo v roku 2018?",
    "Viedol Peter Zelenák prácu Dory Tmavej?", "Kto viedol prácu Gustáva Medzeru?",
    "Ktoré práce sú o téme Operácia Kormorán?", "Koľko diplomových prác je z roku 2023?",
]  # fmt: skip
PATHS = [
    "cellar/plan/README.md", "cellar/plan", "Pivnica", "https://wiki.test/cellar/plan",
    "cellar/plam", "cellar/2018/dora_tma/README.md", "cellar/nothing.md", "topics/rag/README.md",
]  # fmt: skip
ENTITIES = [
    "Ján Kvetoň", "Dora Tmavá", "Dora Tmava", "Xaver Hlbina", "Operácia Kormorán", "kormoran",
    "Peter Zelenák", "Detekcia krtkov", "Tehla", "cellar", "Anotácia príspevkov", "Gustáv Medzera",
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_finds_corrects_counts_and_scores_the_same(
    clients: dict[str, TestClient], question: str
) -> None:
    for mode in ("hybrid", "lexical", "vector", "cascade", "flat"):
        body = {"query": question, "mode": mode, "published_only": mode != "lexical"}
        found = same(clients, "POST", "/search", json=body)
        assert "cellar" not in str([hit["document"]["collection"] for hit in found["hits"]])


@pytest.mark.parametrize("question", QUESTIONS[::3] + FACTS[::3])
def test_evidence_and_answers_are_the_same(clients: dict[str, TestClient], question: str) -> None:
    same(clients, "POST", "/rag", json={"query": question, "include_diagnostics": False})
    same(clients, "POST", "/rag", json={"query": question, "rag_profile": "widget"})
    same(clients, "GET", "/retrieve", params={"q": question})
    for engine in ("auto", "rag", "graph"):
        same(clients, "POST", "/answer", json={"query": question, "engine": engine})


@pytest.mark.parametrize("question", FACTS)
def test_facts_counts_and_their_completeness_are_the_same(
    clients: dict[str, TestClient], question: str
) -> None:
    same(clients, "POST", "/graph/search", json={"query": question})


@pytest.mark.parametrize("name", ENTITIES)
def test_entities_their_neighbours_and_paths_are_the_same(
    clients: dict[str, TestClient], name: str
) -> None:
    for looked_up in ({"name": name}, {"prefix": name[:4]}, {"prefix": name.lower()[:3]}):
        found = same(clients, "GET", "/graph/entities", params=looked_up)
        for entity in found["entities"][:5]:
            same(clients, "GET", f"/graph/entities/{entity['id']}")
    for count in ("1", "5"):
        ends = {"from": name, "to": "Peter Zelenák", "paths": count}
        same(clients, "GET", "/graph/path", params=ends)


def test_what_only_the_hidden_graph_has_is_not_found_by_its_id(
    clients: dict[str, TestClient],
) -> None:
    whole = clients["with"].get(
        "/graph/entities", params={"limit": 500}, headers={"X-API-Key": ALL_KEY}
    )
    keys = [entity["id"] for entity in whole.json()["entities"]]
    assert len(keys) > 40
    for key in keys:
        same(clients, "GET", f"/graph/entities/{key}")


def test_statistics_and_lists_are_the_same(clients: dict[str, TestClient]) -> None:
    same(clients, "GET", "/graph/stats")
    same(clients, "GET", "/graph/stats", params={"published_only": False})
    for type_ in ("Person", "Thesis", "Topic", "Document", "Collection", "Keyword", "Section"):
        same(clients, "GET", "/graph/entities", params={"type": type_, "limit": 500})


@pytest.mark.parametrize(
    "fields",
    [
        {"collections": ["cellar"]}, {"collections": ["celar"]}, {"collections": ["wiki"]},
        {"tags": ["kormoran"]}, {"authors": ["Peter Zelenák"]}, {"years": [2025]},
    ],
)  # fmt: skip
def test_filters_and_their_errors_are_the_same(
    clients: dict[str, TestClient], fields: dict[str, Any]
) -> None:
    for path in ("/search", "/rag", "/answer", "/graph/search"):
        same(clients, "POST", path, json={"query": "práce o nlp", **fields})


@pytest.mark.parametrize("profile", ["cellar", "celar", "widget"])
def test_profiles_and_their_errors_are_the_same(
    clients: dict[str, TestClient], profile: str
) -> None:
    # Their names are the owner's: what a profile that is hidden gives is nothing.
    for path in ("/rag", "/answer", "/graph/search"):
        body = {"query": "práce o nlp", "rag_profile": profile}
        answers = [
            told(client.post(path, json=body, headers={"X-API-Key": KEY}))
            for client in clients.values()
        ]
        assert "tehl" not in str(answers)
        if profile != "cellar":
            assert answers[0] == answers[1]


def call(clients: dict[str, TestClient], method: str, **params: Any) -> Any:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return same(clients, "POST", "/mcp", json=message)


@pytest.mark.parametrize("path", PATHS)
def test_a_hidden_page_is_one_that_does_not_exist(
    clients: dict[str, TestClient], path: str
) -> None:
    for tool in ("read_document", "document_history"):
        for published_only in (True, False):
            arguments = {"path": path, "published_only": published_only}
            found = call(clients, "tools/call", name=tool, arguments=arguments)
            assert found["result"]["isError"] == (path != "topics/rag/README.md")
    call(clients, "resources/read", uri=f"wiki:///{path}")


def test_lists_of_pages_are_the_same(clients: dict[str, TestClient]) -> None:
    for arguments in ({}, {"prefix": "cellar"}, {"tags": ["nlp"]}, {"published_only": False}):
        call(clients, "tools/call", name="list_documents", arguments=arguments)
    call(clients, "resources/list")


def test_documents_collections_and_statistics_are_the_same(clients: dict[str, TestClient]) -> None:
    for parameters in ({}, {"prefix": "cellar"}, {"collections": "cellar"}, {"limit": 3}):
        same(clients, "GET", "/documents", params=parameters)
    for path in PATHS:
        same(clients, "GET", f"/documents/{path}")
        body = {"content": "# Mine\n", "message": "add"}
        same(clients, "PUT", f"/documents/{path}", json=body)
        same(clients, "DELETE", f"/documents/{path}", params={"sha": "0" * 40})
    same(clients, "GET", "/collections")
    same(clients, "GET", "/stats")


def test_tools_of_mcp_answer_the_same(clients: dict[str, TestClient]) -> None:
    for question in [*QUESTIONS[::4], *FACTS[::4]]:
        for tool in ("search", "rag", "answer", "graph"):
            found = call(clients, "tools/call", name=tool, arguments={"query": question})
            assert not re.search(r"krtk|31337|Hlbin(?!a\b)", str(found["result"]["content"])) or (
                "31337" in question
            )


def test_those_who_may_read_everything_do(clients: dict[str, TestClient]) -> None:
    found = (
        clients["with"]
        .post("/search", json={"query": "zlaté tehly"}, headers={"X-API-Key": ALL_KEY})
        .json()
    )
    assert found["hits"][0]["document"]["collection"] == "cellar"


def test_whoever_may_read_nothing_is_told_nothing_and_no_error(
    clients: dict[str, TestClient],
) -> None:
    client, headers = clients["with"], {"X-API-Key": NO_KEY}
    for path in ("/search", "/rag", "/answer", "/graph/search"):
        response = client.post(path, json={"query": "kľúče od pivnice"}, headers=headers)
        assert response.status_code == 200, response.text
        assert response.json()["sources"] == []
    assert client.get("/graph/stats", headers=headers).json()["entities"] == {}


def test_a_hidden_page_costs_the_same_statements_as_none(
    clients: dict[str, TestClient],
) -> None:
    from functions.access import Caller, Role
    from functions.asker import Asker

    state = clients["with"].app.state.version_state  # type: ignore[attr-defined]
    caller = Caller("reader", Role.GUEST, frozenset(["students", "wiki"]))
    index = Asker(state, caller).version().searcher.index
    from index_artifacts.documents import read_document
    from index_artifacts.errors import DocumentNotFoundError

    ran: list[list[str]] = []
    for path in ("cellar/plan/README.md", "cellar/none/README.md"):
        statements: list[str] = []
        index.connection.set_trace_callback(statements.append)
        with pytest.raises(DocumentNotFoundError):
            read_document(index, path)
        index.connection.set_trace_callback(None)
        ran.append([re.sub(r"'[^']*'", "?", statement) for statement in statements])
    assert ran[0] == ran[1]
