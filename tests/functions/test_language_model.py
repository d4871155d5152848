"""The language model's client: what it asks a server, and what it makes of the replies."""

from __future__ import annotations

import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from functions.language_model import open_chat_model
from functions.settings import Settings
from index_artifacts.answers.chat_model import Completion, Message
from index_artifacts.language_model import LanguageModel
from tests.llm_asking import EVIDENCE, KEY, MESSAGES, PLENTY, SCHEMA, ask, failure
from tests.llm_server import (
    Reply,
    claim,
    claims,
    completion,
    hang,
    prose,
    raw,
    status,
    text,
    unclosed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from index_artifacts.answers.chat_model import ChatModel
    from tests.llm_server import LlmServer


def formats(llm_server: LlmServer) -> list[str]:
    """The kind of response format of every request."""
    return [one.body.get("response_format", {}).get("type", "") for one in llm_server.requests]


def test_importing_it_does_not_import_the_openai_package() -> None:
    script = (
        "import sys, functions.language_model;"
        "print([name for name in ('openai', 'httpx2') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_completion_has_its_text_and_what_it_cost(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(text("Áno, o druhej.", tokens=(17, 5)))
    assert ask(model) == Completion("Áno, o druhej.", 17, 5, attempts=1)
    assert model.name == "m"


def test_a_request_holds_the_conversation_the_limits_and_the_schema(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel]
) -> None:
    ask(open_model(max_tokens=77, temperature=0.5))
    [request] = llm_server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "m",
        "messages": [{"role": one.role, "content": one.content} for one in MESSAGES],
        "max_tokens": 77,
        "temperature": 0.5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
        },
    }


@pytest.mark.parametrize(
    ("json", "sent"), [("schema", "json_schema"), ("object", "json_object"), ("text", "")]
)
def test_json_is_asked_for_as_the_setting_says(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel], json: str, sent: str
) -> None:
    ask(open_model(json=json))
    assert formats(llm_server) == [sent]


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_a_base_url_may_be_given_in_any_of_its_forms(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel], suffix: str
) -> None:
    ask(open_model(llm_server.url.removesuffix("/v1") + suffix))
    ask(open_model(llm_server.url.removesuffix("/v1") + "/openai/v1beta/"))
    paths = [request.path for request in llm_server.requests]
    assert paths == ["/v1/chat/completions", "/openai/v1beta/chat/completions"]


def test_without_a_key_none_is_sent_not_even_one_meant_for_another_server(
    llm_server: LlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", "of-another-server")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    ask(LanguageModel(llm_server.url, "m"))
    headers = llm_server.requests[0].headers
    assert "authorization" not in headers
    assert "of-another-server" not in headers.values()


UNKNOWN = "Invalid parameter: 'response_format' of type 'json_schema' is not supported"


@pytest.mark.parametrize("code", [400, 422])
def test_a_server_that_knows_no_schema_is_asked_for_an_object_from_then_on(
    llm_server: LlmServer, model: LanguageModel, code: int
) -> None:
    llm_server.script(status(code, UNKNOWN))
    assert ask(model).attempts == 2
    assert ask(model).attempts == 1
    assert formats(llm_server) == ["json_schema", "json_object", "json_object"]


def test_a_server_that_knows_no_json_is_asked_in_words(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel]
) -> None:
    model = open_model(retries=0)
    llm_server.script(status(400, UNKNOWN), status(400, UNKNOWN))
    assert ask(model).attempts == 3
    assert ask(model).attempts == 1
    assert formats(llm_server) == ["json_schema", "json_object", "", ""]


def test_a_format_that_was_never_taken_is_not_remembered(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(*[status(400, UNKNOWN)] * 3)
    assert failure(model) == "the language model answered 400"
    ask(model)
    assert formats(llm_server) == ["json_schema", "json_object", "", "json_schema"]


def test_a_server_that_takes_neither_the_limit_nor_the_temperature_is_asked_without(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(
        status(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
        status(400, "'temperature' does not support 0 with this model."),
    )
    assert ask(model).attempts == 3
    ask(model)
    for request in llm_server.requests[2:]:
        assert request.body["max_completion_tokens"] == 1024
        assert not {"max_tokens", "temperature"} & set(request.body)
    assert formats(llm_server) == ["json_schema"] * 4


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (completion({"message": {"content": "x"}}), Completion("x", 0, 0, 1)),
        (completion({"message": {"content": "x"}}, usage={"prompt_tokens": "9"}),
         Completion("x", 0, 0, 1)),
        (text("x", finish=None), Completion("x", 20, 10, 1)),
        (text([{"type": "text", "text": "a"}, {"type": "thinking"}, {"text": "b"}]),
         Completion("ab", 20, 10, 1)),
    ],
    ids=["no usage", "a usage that is no number", "no finish reason", "content in parts"],
)  # fmt: skip
def test_what_a_server_may_leave_out_is_not_missed(
    llm_server: LlmServer, model: LanguageModel, reply: Reply, expected: Completion
) -> None:
    llm_server.script(reply)
    assert ask(model) == expected


def test_lone_surrogates_neither_stop_a_question_nor_come_back(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(text("\ud83d\ude00 and \udfff"))
    found = model.complete(
        [Message("user", "half \ud83d of 😀, whole \ud83d\ude00")], SCHEMA, PLENTY
    )
    assert llm_server.requests[0].text == "half � of 😀, whole 😀"
    assert found.text == "😀 and �"


def test_nothing_of_a_conversation_is_logged_above_debug(
    llm_server: LlmServer, model: LanguageModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said = "The backup is at two."
    llm_server.script(
        status(429, EVIDENCE), text(said), status(400, EVIDENCE), unclosed(said), raw(said.encode())
    )
    ask(model)
    failure(model)
    assert ask(model).cut
    failure(model)
    assert len(caplog.records) > 10
    for record in caplog.records:
        assert KEY not in record.getMessage()
        if record.levelno > logging.DEBUG:
            assert EVIDENCE not in record.getMessage()
            assert said not in record.getMessage()


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_the_loopback_is_never_asked_through_a_proxy(
    llm_server: LlmServer, model: LanguageModel, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    ask(model)
    assert len(llm_server.requests) == 1


def test_another_machine_is_asked_through_the_proxy_of_the_environment(
    llm_server: LlmServer, open_model: Callable[..., LanguageModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", llm_server.url.removesuffix("/v1"))
    ask(open_model("http://model.invalid/v1"))
    assert [one.path for one in llm_server.requests] == ["http://model.invalid/v1/chat/completions"]


def test_many_threads_share_one_client(llm_server: LlmServer, model: LanguageModel) -> None:
    llm_server.default = lambda request: prose(request.text.upper())
    with ThreadPoolExecutor(8) as pool:
        asked = [[Message("user", f"question {n}")] for n in range(24)]
        found = list(pool.map(lambda one: model.complete(one, SCHEMA, PLENTY).text, asked))
    assert found == [f"QUESTION {n}" for n in range(24)]


def test_a_script_may_answer_from_the_evidence_and_is_then_over(
    llm_server: LlmServer, model: LanguageModel
) -> None:
    llm_server.script(lambda request: claims(claim(request.text[-4:-1], 1, quote="night")))
    assert ask(model).text == '{"claims": [{"text": "two", "citations": [1], "quote": "night"}]}'
    assert llm_server.left == 0
    assert ask(model).text == '{"claims": []}'


def test_the_settings_open_the_model_that_they_name(llm_server: LlmServer) -> None:
    settings = Settings(
        allow_anonymous=True, llm_url=llm_server.url, llm_model="local", llm_api_key=KEY,
        llm_max_tokens=99, llm_json="object", llm_temperature=1, llm_retries=0,
        llm_timeout_seconds=0.6,
    )  # fmt: skip
    model = open_chat_model(settings)
    assert model is not None and model.name == "local"
    ask(model)
    body = llm_server.requests[0].body
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("local", 99, 1)
    assert formats(llm_server) == ["json_object"]
    llm_server.script(status(503), hang())
    assert failure(model) == "the language model answered 503"
    assert failure(model) == "the language model did not answer within 0.6 s"


def test_without_a_url_there_is_no_model() -> None:
    assert open_chat_model(Settings(allow_anonymous=True)) is None


def needs(given: Sequence[str], model: ChatModel) -> ChatModel:
    """Checked by mypy: the client is what the answer engine asks for."""
    assert given
    return model


def test_it_is_a_chat_model(model: LanguageModel) -> None:
    assert needs(["x"], model) is model
