"""The language model's client on the bad days of a server: it always ends, and says why."""

from __future__ import annotations

import threading
import time
from email.utils import formatdate
from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.chat_model import Completion
from tests.llm_asking import EVIDENCE, KEY, ask, failure
from tests.llm_server import (
    Reply,
    completion,
    drip,
    empty_body,
    filtered,
    half,
    hang,
    no_choices,
    null_content,
    prose,
    raw,
    status,
    text,
    unclosed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.language_model import LanguageModel
    from tests.llm_server import LlmServer, Request


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(
    llm_server: LlmServer, model: LanguageModel, code: int
) -> None:
    llm_server.script(status(code), status(code), prose("At two."))
    assert ask(model) == Completion("At two.", 20, 10, attempts=3)


def test_after_its_retries_it_says_what_the_server_answered(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel]
) -> None:
    llm_server.script(*[status(429, EVIDENCE)] * 3)
    assert failure(open_model()) == "the language model answered 429 three times"
    assert len(llm_server.requests) == 3
    llm_server.script(status(503), status(429, kind="insufficient_quota"), half(prose()))
    assert failure(open_model()) == (
        "the language model answered 503, then answered 429 (insufficient_quota), "
        "then broke off the connection"
    )
    llm_server.script(status(500))
    assert failure(open_model(retries=0)) == "the language model answered 500"


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 418])
def test_a_refusal_is_not_repeated_and_its_words_are_not_shown(
    llm_server: LlmServer, model: LanguageModel, code: int
) -> None:
    llm_server.script(status(code, f"{KEY} must not ask: {EVIDENCE}", kind=EVIDENCE))
    assert failure(model) == f"the language model answered {code}"
    assert len(llm_server.requests) == 1


def test_a_redirect_is_an_error_and_takes_the_key_nowhere(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(raw(b"", 307, Location=f"{llm_server.url}/elsewhere"))
    assert failure(model) == "the language model answered 307"
    assert len(llm_server.requests) == 1


def test_a_server_that_is_not_there_is_asked_again_and_not_named(
    open_model: Callable[..., LanguageModel],
) -> None:
    said = failure(open_model("http://127.0.0.1:9/v1", retries=1))
    assert said == "the language model cannot be reached twice"


@pytest.mark.parametrize("value", ["0.2", "date"])
def test_a_server_is_left_alone_for_as_long_as_it_asks(
    llm_server: LlmServer, model: LanguageModel, value: str
) -> None:
    asked = [0.0, 0.0]

    def busy(_: Request) -> Reply:
        wanted = formatdate(time.time() + 2, usegmt=True) if value == "date" else value
        asked[0] = time.monotonic() + (0.9 if value == "date" else 0.2)  # dates hold no fractions
        return status(429, Retry_After=wanted)

    def free(_: Request) -> Reply:
        asked[1] = time.monotonic()
        return prose()

    llm_server.script(busy, free)
    assert ask(model).attempts == 2
    assert asked[1] >= asked[0]


@pytest.mark.parametrize(
    ("header", "shown"), [({"Retry_After": "600"}, "600"), ({"retry_after_ms": "90000"}, "90")]
)
def test_a_server_that_asks_for_more_time_than_is_left_is_not_waited_for(
    llm_server: LlmServer, model: LanguageModel, header: dict[str, str], shown: str
) -> None:
    llm_server.script(status(429, **header))
    said = failure(model, 5.0)
    assert said == (
        f"the language model answered 429 and asks to wait {shown} s; of 5 s too few are left"
    )
    assert len(llm_server.requests) == 1


@pytest.mark.parametrize("value", ["soon", "-5", "nan", "1e999", "", "Wed, 99 Nov 2020"])
def test_a_retry_after_that_cannot_be_read_is_left_aside(
    llm_server: LlmServer, model: LanguageModel, value: str
) -> None:
    llm_server.script(status(503, Retry_After=value), prose())
    assert ask(model).attempts == 2


@pytest.mark.parametrize(
    "reply",
    [
        hang(),
        drip(prose()),
        drip(prose(), head=True),
        drip(status(500, "no"), 0.05),
    ],
    ids=["hangs", "drips its body", "drips its head", "drips an error"],
)
def test_a_server_that_hangs_or_drips_is_cut_off_in_time(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel], reply: Reply
) -> None:
    llm_server.script(reply)
    assert failure(open_model(), 1.0) == "the language model did not answer within 1 s"
    assert llm_server.hung_up.wait(10)  # the connection is ended, not left behind


def test_one_request_has_its_own_time_and_is_repeated_while_as_much_is_left(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel]
) -> None:
    llm_server.script(drip(prose()), hang(), prose("At two."))
    assert ask(open_model(timeout=1.0)).text == "At two."
    llm_server.script(hang())
    assert failure(open_model(timeout=1.0), 1.5) == "the language model did not answer within 1 s"
    assert len(llm_server.requests) == 4


def test_all_requests_and_waits_share_the_time(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel]
) -> None:
    llm_server.script(status(503), hang())
    assert failure(open_model(), 1.0) == (
        "the language model answered 503, then did not answer within 1 s"
    )
    llm_server.default = status(503)
    said = failure(open_model(retries=10, backoff=0.2), 1.0)
    assert said.startswith("the language model answered 503")
    assert said.endswith(("; of 1 s too few are left", "did not answer within 1 s"))
    assert len(llm_server.requests) < 8


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_without_time_nothing_is_asked(
    llm_server: LlmServer, model: LanguageModel, seconds: float
) -> None:
    assert "did not answer within" in failure(model, seconds)
    assert not llm_server.requests


def test_no_thread_outlives_a_server_that_drips(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(drip(prose(), head=True))
    failure(model, 1.0)
    assert llm_server.hung_up.wait(10)
    left = [thread for thread in threading.enumerate() if thread.name == "edgewiki-exchange"]
    for thread in left:
        thread.join(10)
    assert not any(thread.is_alive() for thread in left)


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (empty_body(), "sent an empty body"),
        (raw(b"<html>welcome</html>"), "sent a body that is no JSON"),
        (raw(b"[" * 100_000), "sent a body that is no JSON"),
        (raw(b"\xff\xfe{"), "sent a body that is no JSON"),
        (raw([1]), "sent JSON that is no object"),
        (raw({"error": EVIDENCE}), "sent no choices"),
        (raw({"choices": None}), "sent no choices"),
        (no_choices(), "sent an empty list of choices"),
        (completion("text"), "sent an empty list of choices"),
        (completion({"finish_reason": "stop"}), "sent a choice without a message"),
        (null_content(), "sent no content (content null)"),
        (null_content(refusal="I cannot."), "refused to answer"),
        (filtered(), "was stopped by its content filter (finish_reason content_filter)"),
        (unclosed(""), "was cut at its token limit before it wrote anything"),
        (text(""), "gave an empty answer"),
        (text(" \n"), "gave an empty answer"),
        (text([]), "gave an empty answer"),
        (text(17), "sent content that is no text"),
        (raw(b" " * 4_000_001), "sent more than 4 MB"),
    ],
)
def test_whatever_is_no_completion_is_an_error_that_says_what_is_missing(
    llm_server: LlmServer, model: LanguageModel, reply: Reply, cause: str
) -> None:
    llm_server.script(reply)
    assert failure(model) == f"the language model {cause}"
    assert len(llm_server.requests) == 1


def test_a_completion_that_was_cut_is_given_as_far_as_it_goes(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(unclosed())
    completion = ask(model)
    assert completion.cut
    assert completion.text.startswith("{")


def test_a_connection_that_breaks_off_in_the_middle_is_tried_again(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(half(prose()), prose("At two."))
    assert ask(model) == Completion("At two.", 20, 10, attempts=2)
