"""Answers that a language model writes: repaired or refused where it gives no good claims."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from functions.settings import load_settings
from index_artifacts.rag.rules import wording
from tests.functions.answer_wiki import ask
from tests.functions.conftest import KEY
from tests.functions.rag_wiki import open_client
from tests.keys import one_key
from tests.llm_server import (
    as_json,
    broken_json,
    claim,
    claims,
    empty_body,
    filtered,
    hang,
    no_choices,
    null_content,
    prose,
    status,
    text,
    unclosed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from functions.settings import Settings
    from tests.llm_server import LlmServer, Reply, Request, Scripted

SUPERVISOR = "Who was the supervisor of Anna Noll?"
SUPERVISED = "Her supervisor was Peter Zelenák."
BACKUP = "How long are the copies of the backup kept?"
KEPT = "Its copies are kept for 30 days."
# Stands in what is wrong with a reply, and must then be nowhere in the response.
LIE = "Zirkonium"


@pytest.fixture
def with_model(
    answer_store: Path, settings: Callable[..., Settings], llm_server: LlmServer
) -> Callable[..., Settings]:
    """Settings with the scripted model, which is asked once and never waited for long."""

    def make(**fields: Any) -> Settings:
        model = {"llm_url": llm_server.url, "llm_model": "scripted", "llm_retries": 0}
        return settings(**{"store": f"file://{answer_store}", **model, **fields})

    return make


@pytest.fixture
def client(with_model: Callable[..., Settings]) -> Iterator[TestClient]:
    with open_client(with_model()) as client:
        yield client


def number_of(request: Request, phrase: str) -> int:
    """The number of the first piece of evidence that holds ``phrase``."""
    pieces = re.findall(r"⟦evidence (\d+) .*?⟧(.*?)⟦end of evidence", request.text, re.DOTALL)
    return next(int(number) for number, piece in pieces if phrase in piece)


def says(said: str, quote: str, *, cites: int = 0) -> Callable[[Request], Reply]:
    """One claim; it cites the evidence of its quote, or the number given."""

    def reply(request: Request) -> Reply:
        return claims(claim(said, cites or number_of(request, quote), quote=quote))

    return reply


RIGHT = says("The supervisor of Anna Noll was Peter Zelenák.", SUPERVISED)
EMPTY = claims()


def assert_refused(answer: dict[str, Any], llm_server: LlmServer) -> None:
    assert not answer["accepted_for_delivery"]
    assert answer["outcome"] in {"refused", "failed"}
    assert answer["answer"] == wording(answer["language"]).unverified
    assert (answer["claims"], answer["sources"]) == ([], [])
    assert answer["reason"]
    assert answer["attempts"] <= 2
    assert llm_server.left == 0


def test_a_paraphrase_with_an_exact_quote_is_delivered_in_the_questions_language(
    client: TestClient, llm_server: LlmServer
) -> None:
    price = "Tlač jedného plagátu stojí 4 eurá."
    llm_server.script(says("Jeden plagát stojí 4 eurá.", price))
    answer = ask(client, "Koľko stojí tlač plagátu?")
    assert answer["accepted_for_delivery"], answer["reason"]
    assert answer["answer"].startswith("Jeden plagát stojí 4 eurá. [1]\n\nZdroje:\n")
    assert answer["claims"][0]["quote"] == price
    assert (answer["generator"], answer["attempts"], answer["engine"]) == ("scripted", 1, "rag")
    assert answer["sources"][0]["path"] == "tlac.md"
    (request,) = llm_server.requests
    assert request.body["model"] == "scripted"
    assert "Koľko stojí tlač plagátu?" in request.text
    assert wording("sk").rules[0] in request.text


def test_the_model_is_found_by_the_variables_of_its_settings(
    answer_store: Path, llm_server: LlmServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWIKI_LLM_URL", llm_server.url)
    monkeypatch.setenv("EDGEWIKI_LLM_MODEL", "from-outside")
    monkeypatch.setenv("EDGEWIKI_API_KEYS", one_key(KEY))
    llm_server.script(RIGHT)
    chosen = load_settings(store=f"file://{answer_store}", cache_dir=tmp_path / "cache")
    with open_client(chosen) as client:
        assert ask(client, SUPERVISOR)["generator"] == "from-outside"


def test_a_model_that_finds_nothing_is_believed_at_once(
    client: TestClient, llm_server: LlmServer
) -> None:
    llm_server.script(EMPTY)
    answer = ask(client, SUPERVISOR)
    assert_refused(answer, llm_server)
    assert (answer["outcome"], answer["attempts"]) == ("refused", 1)
    assert answer["tokens"] == {"prompt": 20, "completion": 10}


def test_without_evidence_no_model_is_asked(client: TestClient, llm_server: LlmServer) -> None:
    answer = ask(client, "Aký vysoký je Kriváň?")
    assert answer["answer"] == wording("sk").refusal
    assert (answer["attempts"], answer["generator"]) == (0, "scripted")
    assert llm_server.requests == []


NO_CLAIMS: dict[str, Scripted] = {
    "prose": prose(f"It was {LIE}, as everybody knows."),
    "broken JSON": broken_json('{"claims": [{"text": "' + LIE + '", "cit'),
    "cut JSON": unclosed('{"claims": [{"text": "' + LIE),
    "another object": as_json({"answer": LIE}),
    "a claim that is no object": as_json({"claims": [LIE]}),
    "citations that are words": as_json(
        {"claims": [{"text": LIE, "citations": ["one"], "quote": SUPERVISED}]}
    ),
}


@pytest.mark.parametrize("kind", NO_CLAIMS)
def test_what_is_no_claim_is_asked_for_once_more_and_never_shown(
    client: TestClient, llm_server: LlmServer, kind: str
) -> None:
    llm_server.script(NO_CLAIMS[kind], RIGHT)
    answer = ask(client, SUPERVISOR)
    assert answer["accepted_for_delivery"], answer["reason"]
    assert answer["attempts"] == 2
    assert answer["tokens"] == {"prompt": 40, "completion": 20}
    assert LIE not in json.dumps(answer, ensure_ascii=False)

    llm_server.script(NO_CLAIMS[kind], NO_CLAIMS[kind])
    answer = ask(client, SUPERVISOR)
    assert_refused(answer, llm_server)
    assert answer["outcome"] == "failed"
    assert LIE not in json.dumps(answer, ensure_ascii=False)


def test_of_json_that_was_cut_a_whole_claim_counts(
    client: TestClient, llm_server: LlmServer
) -> None:
    def cut(request: Request) -> Reply:
        whole = claim("The supervisor was Peter Zelenák.", number_of(request, SUPERVISED))
        whole["quote"] = SUPERVISED
        start = json.dumps({"claims": [whole]}, ensure_ascii=False)[:-2]
        return unclosed(start + ', {"text": "' + LIE)

    llm_server.script(cut)
    answer = ask(client, SUPERVISOR)
    assert answer["accepted_for_delivery"], answer["reason"]
    assert [made["text"] for made in answer["claims"]] == ["The supervisor was Peter Zelenák."]
    assert LIE not in json.dumps(answer, ensure_ascii=False)


NOTHING: dict[str, tuple[Reply, str]] = {
    "an empty body": (empty_body(), "sent an empty body"),
    "no choices": (no_choices(), "sent an empty list of choices"),
    "no content": (null_content(), "sent no content"),
    "an empty text": (text(""), ""),
    "a filter": (filtered(), "content filter"),
    "a server that fails": (status(500), "answered 500"),
    "a server that is busy": (status(429), "answered 429"),
    "a wrong key": (status(401), "answered 401"),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_a_model_that_gives_nothing_is_a_refusal_that_says_why(
    client: TestClient, llm_server: LlmServer, kind: str
) -> None:
    reply, reason = NOTHING[kind]
    llm_server.default = reply
    answer = ask(client, SUPERVISOR)
    assert_refused(answer, llm_server)
    assert (answer["status"], answer["outcome"]) == ("failed", "failed")
    assert reason in answer["reason"]
    assert "127.0.0.1" not in json.dumps(answer)


def test_a_server_that_is_busy_for_a_moment_is_asked_again(
    with_model: Callable[..., Settings], llm_server: LlmServer
) -> None:
    llm_server.script(status(429), RIGHT)
    with open_client(with_model(llm_retries=1)) as client:
        answer = ask(client, SUPERVISOR)
    assert answer["accepted_for_delivery"], answer["reason"]
    assert answer["attempts"] == 1
    assert len(llm_server.requests) == 2


@pytest.mark.parametrize("first", [[], [claims(claim(f"{LIE}.", 9, quote=LIE))]])
def test_a_server_that_hangs_is_left_when_the_deadline_has_come(
    with_model: Callable[..., Settings], llm_server: LlmServer, first: list[Reply]
) -> None:
    llm_server.script(*first)
    llm_server.default = hang()
    with open_client(with_model(llm_deadline_seconds=1.5, llm_retries=5)) as client:
        answer = ask(client, SUPERVISOR)
    assert_refused(answer, llm_server)
    assert (answer["outcome"], answer["attempts"]) == ("failed", 1 + len(first))
    assert "did not answer within" in answer["reason"]
    assert llm_server.hung_up.wait(30)
    assert len(llm_server.requests) == 1 + len(first)  # no time is left for another


def test_a_repair_is_told_the_reasons_and_what_passed_is_kept(
    client: TestClient, llm_server: LlmServer
) -> None:
    def half_right(request: Request) -> Reply:
        number = number_of(request, KEPT)
        return claims(
            claim("The copies are kept for 30 days.", number, quote=KEPT),
            claim(f"The copies are kept in {LIE}.", number, quote=KEPT),
        )

    llm_server.script(half_right, EMPTY)
    answer = ask(client, BACKUP)
    assert [made["text"] for made in answer["claims"]] == ["The copies are kept for 30 days."]
    assert answer["attempts"] == 2
    assert answer["tokens"] == {"prompt": 40, "completion": 20}
    assert answer["checked"] >= 2
    assert sum(check["refused"] for check in answer["checks"]) == 1
    assert LIE not in json.dumps(answer, ensure_ascii=False)
    first, second = llm_server.requests
    assert second.text.startswith(first.text)
    assert f'"The copies are kept in {LIE}."' in second.body["messages"][-1]["content"]
    assert "30 days" not in second.body["messages"][-1]["content"]


@pytest.mark.slow
def test_a_paraphrase_in_another_language_than_its_page_is_delivered(
    small_store: str, with_model: Callable[..., Settings], llm_server: LlmServer
) -> None:
    listens = "server počúva na porte 2222"
    llm_server.script(
        says("The servers listen on port 2222.", listens),
        says(f"The server listens on {LIE} 2223.", listens),
    )
    with open_client(with_model(store=small_store)) as client:
        answer = ask(client, "On which port does the server listen?")
    assert answer["accepted_for_delivery"], answer["reason"]
    assert answer["answer"].startswith("The servers listen on port 2222. [1]\n\nSources:\n[1] ")
    assert answer["sources"][0]["path"] == "temy/servery.md"
    assert LIE not in json.dumps(answer)
