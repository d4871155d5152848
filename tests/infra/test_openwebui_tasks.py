"""Open WebUI has chats titled and tagged by the same Pipe: those are no questions to the wiki."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.infra.conftest import QUESTION

if TYPE_CHECKING:
    from tests.infra.conftest import Chat, Service

PROMPT = "### Task: Generate a concise title for the chat history {…}"
CONVERSATION = {
    "messages": [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": "Eva Nová. [1]"},
        {"role": "user", "content": [{"type": "text", "text": "And {who} about\nsummaries?"}]},
    ]
}


@pytest.mark.parametrize(
    ("task", "reply"),
    [
        ("title_generation", {"title": QUESTION}),
        ("TASKS.TITLE_GENERATION", {"title": QUESTION}),
        ("tags_generation", {"tags": []}),
        ("follow_up_generation", {"follow_ups": []}),
        ("query_generation", {"queries": ["And (who) about\nsummaries?"]}),
        ("autocomplete_generation", {"text": ""}),
    ],
)
def test_each_task_gets_the_json_that_open_webui_parses(
    chat: Chat, service: Service, task: str, reply: object
) -> None:
    said = chat.ask(PROMPT, __task__=task, __task_body__=CONVERSATION, stream=False)
    assert json.loads(said) == reply
    assert said.count("{") == said.count("}") == 1
    assert (service.asked, chat.events) == ([], [])  # the events would land at the last answer


@pytest.mark.parametrize("task", ["emoji_generation", "context_compaction", "memory_review", "new"])
def test_any_other_task_gets_nothing(chat: Chat, service: Service, task: str) -> None:
    assert chat.ask(PROMPT, __metadata__={"task": task}) == ""
    assert (service.asked, chat.events) == ([], [])


def test_a_title_is_short_and_in_one_line(chat: Chat) -> None:
    body = {"messages": [{"role": "user", "content": "Prečo\n" * 40}]}
    title = json.loads(chat.ask(PROMPT, __task__="title_generation", __task_body__=body))["title"]
    assert title.startswith("Prečo Prečo")
    assert len(title) <= 60


@pytest.mark.parametrize(
    "body", [None, {}, {"messages": None}, {"messages": 7}, {"messages": ["x", {"role": []}]}]
)
def test_a_task_about_no_conversation_gets_an_empty_title(chat: Chat, body: object) -> None:
    said = chat.ask(PROMPT, __task__="title_generation", __task_body__=body)
    assert json.loads(said) == {"title": ""}


def test_answers_of_other_models_are_not_merged(chat: Chat, service: Service) -> None:
    asked = {"prompt": QUESTION, "responses": ["Eva.", "Ivan."]}
    said = chat.ask(PROMPT, __task__="moa_response_generation", __task_body__=asked)
    assert "does not merge" in said
    assert service.asked == []
