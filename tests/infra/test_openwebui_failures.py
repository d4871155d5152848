"""Whatever goes wrong, the reader is told what, in one sentence, and never reads the key."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from tests.infra.conftest import ANSWER, KEY, QUESTION

if TYPE_CHECKING:
    from tests.infra.conftest import Chat, Service

SLOVAK_QUESTION = "Kto písal o strojovom preklade?"


def assert_failed(chat: Chat, said: str, *words: str) -> None:
    """A notice with these words, no source, progress that ended, and no key anywhere."""
    assert all(word in said for word in words), said
    assert said.startswith("⚠️ ")
    assert chat.of("citation") == []
    assert chat.of("status")[-1]["done"] is True
    assert KEY not in said + str(chat.events)
    assert ANSWER["answer"] not in said


@pytest.mark.parametrize(
    ("status", "english", "slovak"),
    [
        (401, "refused the key", "odmietla kľúč"),
        (403, "refused the key", "odmietla kľúč"),
        (404, "BACKEND_URL", "BACKEND_URL"),
        (405, "BACKEND_URL", "BACKEND_URL"),
        (413, "too large", "príliš veľký"),
        (422, "did not accept the question", "otázku neprijala"),
        (429, "Try again soon", "Skúste to o minútu"),
        (500, "failed", "zlyhala"),
        (503, "Try again soon", "Skúste to o minútu"),
    ],
)
def test_each_refusal_of_the_service_has_its_sentence_in_two_languages(
    chat: Chat, service: Service, status: int, english: str, slovak: str
) -> None:
    service.status = status
    assert_failed(chat, chat.ask(QUESTION), f"HTTP {status}", english)
    assert_failed(chat, chat.ask(SLOVAK_QUESTION), f"HTTP {status}", slovak)


@pytest.mark.parametrize("status", [422, 429, 503])
def test_the_reason_of_the_service_is_repeated_without_the_key(
    chat: Chat, service: Service, status: int
) -> None:
    service.status = status
    service.body = {
        "status": "x",
        "reason": f"limit: must\nbe <= 50, not {{7}} ({KEY}) {'x' * 999}",
    }
    said = chat.ask(QUESTION)
    assert_failed(chat, said, "limit: must be <= 50, not {7} (***)")
    assert len(said) < 500


@pytest.mark.parametrize("status", [401, 404, 500])
def test_other_words_of_the_service_are_not_repeated(
    chat: Chat, service: Service, status: int
) -> None:
    service.status, service.body = status, {"reason": "internal stuff"}
    assert "internal stuff" not in chat.ask(QUESTION)


def test_a_redirect_is_not_followed_with_the_key(chat: Chat, service: Service) -> None:
    service.status, service.headers = 307, {"Location": f"{service.url}/elsewhere"}
    assert_failed(chat, chat.ask(QUESTION), "HTTP 307", "BACKEND_URL")
    assert service.paths == ["/answer"]


@pytest.mark.parametrize("habit", ["hangs", "drips"])
def test_an_answer_that_takes_too_long_is_not_waited_for(
    chat: Chat, service: Service, habit: str
) -> None:
    service.habit, chat.pipe.valves.TIMEOUT_SECONDS = habit, 0.3
    assert_failed(chat, chat.ask(QUESTION), "within 0.3 seconds")


@pytest.mark.parametrize("habit", ["hangs up", "stops half-way"])
def test_half_an_answer_is_none(chat: Chat, service: Service, habit: str) -> None:
    service.habit = habit
    assert_failed(chat, chat.ask(QUESTION), "broke off")


def test_a_service_that_does_not_run_is_told_from_one_that_is_slow(chat: Chat) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        chat.pipe.valves.BACKEND_URL = f"http://127.0.0.1:{taken.getsockname()[1]}"
    assert_failed(chat, chat.ask(QUESTION), "cannot be reached")
    assert_failed(chat, chat.ask(SLOVAK_QUESTION), "nedá spojiť")


@pytest.mark.parametrize(
    "body",
    [
        b"<html>Welcome to nginx</html>",
        b"\xff\xfe\x00",
        b"",
        [ANSWER],
        {},
        {"answer": "The claim that nobody checked."},
        ANSWER | {"accepted_for_delivery": "true"},
        ANSWER | {"accepted_for_delivery": 1},
        ANSWER | {"answer": None},
        ANSWER | {"answer": " \n"},
        ANSWER | {"answer": ["a"]},
    ],
)
def test_what_is_no_answer_is_not_shown(chat: Chat, service: Service, body: object) -> None:
    service.body = body
    said = chat.ask(QUESTION)
    assert_failed(chat, said, "not the wiki service")
    assert "nobody checked" not in said
    assert "nginx" not in said


@pytest.mark.parametrize("url", ["", "  ", "ftp://127.0.0.1", "127.0.0.1:8080", "http://[::1", "x"])
def test_an_address_that_is_none_is_named_as_the_setting(chat: Chat, url: str) -> None:
    chat.pipe.valves.BACKEND_URL = url
    assert_failed(chat, chat.ask(QUESTION), "BACKEND_URL or BACKEND_API_KEY")


@pytest.mark.parametrize("key", [f"{KEY}-kľúč", f"{KEY}\nX-Other: 1", f"{KEY}\0"])
def test_a_key_that_no_header_can_hold_is_in_no_message_and_no_log(
    chat: Chat, caplog: pytest.LogCaptureFixture, key: str
) -> None:
    chat.pipe.valves.BACKEND_API_KEY = key
    assert_failed(chat, chat.ask(QUESTION), "BACKEND_URL or BACKEND_API_KEY")
    assert "settings" in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize("content", ["", "  ", None, 7, [], [{"type": "image_url"}], [{"text": 1}]])
def test_a_message_without_words_is_no_question(
    chat: Chat, service: Service, content: object
) -> None:
    earlier = {"role": "user", "content": "An earlier question"}
    assert_failed(chat, chat.ask(earlier, {"role": "user", "content": content}), "no question")
    assert service.asked == []


@pytest.mark.parametrize("messages", [[], None, 7, ["text"], [{"role": "assistant"}], [None]])
def test_a_conversation_without_a_question_is_answered_all_the_same(
    chat: Chat, service: Service, messages: object
) -> None:
    said = chat.send({"model": "wiki.checked-rag", "messages": messages})
    assert said.startswith("⚠️ ")
    assert chat.of("status")[-1]["done"] is True
    assert service.asked == []


def test_a_question_may_have_2000_characters_and_not_one_more(chat: Chat, service: Service) -> None:
    assert chat.ask("ž" * 2000) == ANSWER["answer"]
    said = chat.ask("x" * 2001)
    assert "2001 characters, more than 2000" in said
    assert len(service.asked) == 1


def test_what_nobody_foresaw_is_a_notice_too(chat: Chat, service: Service) -> None:
    service.body = b"[" * 100_000  # deeper than Python's own JSON parser goes
    assert_failed(chat, chat.ask(QUESTION), "the log of Open WebUI names the cause")
