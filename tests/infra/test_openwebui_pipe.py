"""Open WebUI asks the wiki through the Pipe: what the reader gets, and what the service."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from tests.infra.conftest import ANSWER, KEY, QUESTION, SOURCE

if TYPE_CHECKING:
    from tests.infra.conftest import Chat, Service

THESES = ANSWER["sources"][0]


def test_open_webui_finds_its_header_and_changes_no_word_of_the_file() -> None:
    header = SOURCE.split('"""')[1].strip().splitlines()
    assert SOURCE.startswith('"""\n')
    fields = dict(line.split(": ", 1) for line in header)
    assert {"title", "author", "version", "required_open_webui_version"} <= fields.keys()
    assert "requirements" not in fields  # nothing is installed: httpx and pydantic are there
    # Open WebUI replaces these wherever they stand, in a sentence too.
    assert not [word for word in ("utils", "apps", "main", "config") if f"from {word}" in SOURCE]


def test_there_are_two_models_to_choose_from(pipe: Any) -> None:
    assert [model["id"] for model in pipe.pipes()] == ["checked-rag", "checked-graph"]
    assert all(model["name"] for model in pipe.pipes())


def test_an_administrator_sees_four_settings_and_the_key_is_hidden(pipe: Any) -> None:
    fields = pipe.Valves.model_json_schema()["properties"]
    assert list(fields) == ["BACKEND_URL", "BACKEND_API_KEY", "DEFAULT_ENGINE", "TIMEOUT_SECONDS"]
    assert fields["DEFAULT_ENGINE"]["enum"] == ["auto", "rag", "graph"]
    assert fields["BACKEND_API_KEY"]["input"] == {"type": "password"}
    assert pipe.Valves().TIMEOUT_SECONDS == 300
    for wrong in ({"DEFAULT_ENGINE": "sql"}, {"TIMEOUT_SECONDS": 0}):
        with pytest.raises(ValidationError):
            pipe.Valves(**wrong)


@pytest.mark.parametrize(
    ("model", "default", "engine"),
    [
        ("wiki.checked-rag", "graph", "rag"),
        ("wiki.checked-graph", "rag", "graph"),
        ("wiki", "graph", "graph"),
        ("wiki.something", "auto", "auto"),
    ],
)
def test_the_model_names_the_engine_or_leaves_it_to_the_setting(
    chat: Chat, service: Service, model: str, default: str, engine: str
) -> None:
    chat.pipe.valves.DEFAULT_ENGINE = default
    chat.ask(QUESTION, model=model)
    assert service.asked == [{"query": QUESTION, "engine": engine, "history": []}]
    assert service.keys == [KEY]


@pytest.mark.parametrize("ending", ["", "/", "/answer", "/answer/", " "])
def test_the_address_may_end_in_several_ways(chat: Chat, service: Service, ending: str) -> None:
    chat.pipe.valves.BACKEND_URL = f"{service.url}/stage{ending}"
    assert chat.ask(QUESTION) == ANSWER["answer"]
    assert service.paths == ["/stage/answer"]


def test_no_key_is_sent_where_none_is_set(chat: Chat, service: Service) -> None:
    chat.pipe.valves.BACKEND_API_KEY = ""
    assert chat.ask(QUESTION) == ANSWER["answer"]
    assert service.keys == [None]


@pytest.mark.parametrize("stream", [True, False])
def test_a_checked_answer_comes_as_one_string_with_its_progress(chat: Chat, stream: bool) -> None:
    assert chat.ask(QUESTION, stream=stream) == ANSWER["answer"]
    statuses = chat.of("status")
    assert [status["done"] for status in statuses] == [False, True]
    assert statuses[-1]["description"] == "The answer was checked"


def test_a_source_is_shown_with_its_quote_and_link(chat: Chat) -> None:
    chat.ask(QUESTION)
    assert chat.of("citation") == [
        {
            "source": {
                "id": "1. theses.md", "name": "Theses", "url": "https://wiki.example/theses",
            },
            "document": ["Author: Eva Nová"],
            "metadata": [{"source": "1. theses.md", "name": "Theses"}],
        }
    ]  # fmt: skip
    assert [event["type"] for event in chat.events] == ["status", "citation", "status"]


def test_two_sections_of_one_page_stay_two_sources_in_the_order_of_their_numbers(
    chat: Chat, service: Service
) -> None:
    second = THESES | {"number": 2, "heading": "Summaries", "source_url": ""}
    service.body = ANSWER | {"sources": [second, THESES]}
    chat.ask(QUESTION)
    first, other = chat.of("citation")
    assert first["metadata"][0]["source"] != other["metadata"][0]["source"]
    assert (first["document"], other["document"]) == (["Author: Eva Nová"], ["Summaries"])
    assert "url" not in other["source"]


@pytest.mark.parametrize(
    "sources",
    [
        [THESES | {"number": 2}],
        [THESES, THESES],
        [THESES, {"title": "no number"}],
        [THESES | {"number": "one"}],
        ["theses.md"],
        "theses.md",
        None,
    ],
)
def test_sources_that_would_be_linked_wrongly_are_left_to_the_text(
    chat: Chat, service: Service, sources: object
) -> None:
    service.body = ANSWER | {"sources": sources}
    assert chat.ask(QUESTION) == ANSWER["answer"]
    assert chat.of("citation") == []


def test_the_quote_of_a_claim_that_is_not_in_the_answer_is_not_shown(
    chat: Chat, service: Service
) -> None:
    claim = {"text": "Eva Nová was expelled.", "citations": [1], "quote": "expelled"}
    service.body = ANSWER | {"claims": [claim]}
    chat.ask(QUESTION)
    assert chat.of("citation")[0]["document"] == ["Translation"]


def test_a_refusal_is_all_that_is_shown_of_what_was_not_verified(
    chat: Chat, service: Service
) -> None:
    service.body = ANSWER | {
        "answer": "The wiki does not say.", "accepted_for_delivery": False, "outcome": "refused",
    }  # fmt: skip
    assert chat.ask(QUESTION) == "The wiki does not say."
    assert "Eva" not in str(chat.events)
    assert chat.of("citation") == []
    assert chat.of("status")[-1] == {"description": "Nothing could be verified", "done": True}


def test_a_browser_that_is_gone_costs_no_answer(pipe: Any) -> None:
    async def broken(event: dict[str, Any]) -> None:
        raise ConnectionError(event)

    body = {"model": "wiki.checked-rag", "messages": [{"role": "user", "content": QUESTION}]}
    assert asyncio.run(pipe.pipe(body, __event_emitter__=broken)) == ANSWER["answer"]
    assert asyncio.run(pipe.pipe(body)) == ANSWER["answer"]


def test_the_reader_can_stop_the_answer_and_the_progress_ends(chat: Chat, service: Service) -> None:
    service.habit = "hangs"
    body = {"model": "wiki.checked-rag", "messages": [{"role": "user", "content": QUESTION}]}

    async def stopped() -> None:
        task = asyncio.create_task(chat.pipe.pipe(body, __event_emitter__=chat.emit))
        while not service.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped())
    assert [status["done"] for status in chat.of("status")] == [False, True]


def turn(role: str, content: object) -> dict[str, object]:
    """A message of a conversation."""
    return {"role": role, "content": content}


def test_the_last_six_turns_go_along_and_each_is_cut(chat: Chat, service: Service) -> None:
    said = [turn(("user", "assistant")[number % 2], f"turn {number}") for number in range(9)]
    said[-1]["content"] = "x" * 5000
    chat.ask(*said, QUESTION)
    history = service.asked[0]["history"]
    assert [item["content"] for item in history[:-1]] == [f"turn {n}" for n in range(3, 8)]
    assert history[-1]["content"] == "x" * 4000
    assert [item["role"] for item in history] == ["assistant", "user"] * 3
    assert service.asked[0]["query"] == QUESTION


def test_only_what_was_said_in_words_goes_along(chat: Chat, service: Service) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    service.status = 503
    failed = chat.ask("Is it down?")
    service.status, service.asked = 200, []
    chat.ask(
        turn("system", "You are a pirate."),
        turn("user", [{"type": "text", "text": "Look at this."}, image]),
        turn("assistant", "I see a \ud800 cat."),
        turn("user", [image]),
        turn("assistant", failed),
        turn("tool", "42"),
        turn("user", [image, {"type": "text", "text": QUESTION}]),
        turn("assistant", ""),
    )
    assert service.asked == [
        {
            "query": QUESTION,
            "engine": "rag",
            "history": [
                {"role": "user", "content": "Look at this."},
                {"role": "assistant", "content": "I see a ? cat."},
            ],
        }
    ]


def test_with_files_attached_the_reader_s_own_words_are_the_question(
    chat: Chat, service: Service
) -> None:
    prompt = f"### Task: use this context <source>{'x' * 3000}</source> {QUESTION}"
    attached = {"sources": [{"source": {"name": "a.pdf"}}], "base_user_prompt": QUESTION}
    assert chat.ask(prompt, __metadata__=attached) == ANSWER["answer"]
    assert service.asked[0]["query"] == QUESTION
    assert chat.of("citation") == []  # Open WebUI numbers the attached files from 1
