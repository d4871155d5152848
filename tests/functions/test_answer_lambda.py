"""The answer function under the real Lambda runtime client."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from eval.lambda_runtime import ROOT, LambdaProcess, lambda_process
from tests.functions.test_lambda import body_of, environ, load, with_body
from tests.functions.test_rag_lambda import POSTS, at, get
from tests.llm_server import hang

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.llm_server import LlmServer

HANDLER = "functions.answer.handler.handler"
SUPERVISOR = "Who was the supervisor of Anna Noll?"


def asked(kind: str = "http-api", query: str = SUPERVISOR, **fields: Any) -> dict[str, Any]:
    """The event of a question."""
    return with_body(at(load(kind), "/answer"), json.dumps({"query": query, **fields}))


@pytest.fixture(scope="module")
def function(
    answer_store: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LambdaProcess]:
    """One process for all kinds of events."""
    folder = tmp_path_factory.mktemp("answer-lambda")
    with lambda_process(folder, environ(f"file://{answer_store}", folder), HANDLER) as process:
        yield process


@pytest.mark.parametrize("kind", POSTS)
def test_three_invocations_of_a_kind_are_three_answers(function: LambdaProcess, kind: str) -> None:
    for _ in range(3):
        answer = function.invoke(asked(kind))
        body = body_of(answer)
        assert (answer["statusCode"], body["status"]) == (200, "ok")
        assert "Her supervisor was Peter Zelenák. [1]" in body["answer"]
        assert (body["accepted_for_delivery"], body["generator"]) == (True, "extractive")


def test_refusals_facts_and_follow_ups_come_one_after_the_other(function: LambdaProcess) -> None:
    history = [{"role": "user", "content": SUPERVISOR}]
    for _ in range(3):
        refused = body_of(function.invoke(asked(query="Aký vysoký je Kriváň?")))
        assert (refused["outcome"], refused["language"]) == ("refused", "sk")
        facts = body_of(function.invoke(asked(query="Koľko stránok napísala Eva Malá?")))
        assert (facts["engine"], facts["generator"]) == ("graph", "facts")
        follow_up = asked(query="And in which year was it defended?", history=history)
        assert "in 2018" in body_of(function.invoke(follow_up))["answer"]


def test_what_is_wrong_is_refused_with_its_reason(function: LambdaProcess) -> None:
    answer = function.invoke(asked(engine="oracle"))
    assert answer["statusCode"] == 422
    assert "'auto', 'rag' or 'graph'" in body_of(answer)["reason"]


def test_it_answers_nothing_of_another_function(function: LambdaProcess) -> None:
    assert function.invoke(load("http-api"))["statusCode"] == 404
    schema = body_of(function.invoke(get(load("http-api"), "/openapi.json")))
    assert set(schema["paths"]) == {"/answer", "/health"}


def test_nothing_of_a_question_or_an_answer_is_in_the_log(function: LambdaProcess) -> None:
    function.invoke(asked())
    for word in ("Noll", "supervisor", "Zelenák"):
        assert word not in function.log


def test_a_model_that_hangs_costs_its_deadline_and_the_process_goes_on(
    answer_store: Path, tmp_path: Path, llm_server: LlmServer
) -> None:
    settings = environ(
        f"file://{answer_store}", tmp_path, EDGEWIKI_LLM_URL=llm_server.url,
        EDGEWIKI_LLM_MODEL="m", EDGEWIKI_LLM_DEADLINE_SECONDS="6",
    )  # fmt: skip
    with lambda_process(tmp_path, settings, HANDLER) as process:
        # The first question imports the library, which may take as long as a short deadline.
        for reply, outcome in ((None, "refused"), (hang(), "failed"), (None, "refused")):
            if reply:
                llm_server.script(reply)
            body = body_of(process.invoke(asked()))  # by default the model finds nothing
            assert (body["outcome"], body["generator"], body["attempts"]) == (outcome, "m", 1)
    assert len(llm_server.requests) == 3


def test_without_a_model_its_library_is_not_imported(answer_store: Path, tmp_path: Path) -> None:
    code = f"""
import sys
from functions.answer.handler import app
from functions.asker import Asker
from functions.tools.answer import AnswerBody, run
asker = Asker.owner(app.state.version_state)
answer = run(AnswerBody(query={SUPERVISOR!r}), asker)
assert answer.accepted_for_delivery, answer.reason
print(sorted({{"openai", "httpx2", "simplemma", "build"}} & sys.modules.keys()))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ(f"file://{answer_store}", tmp_path),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.stdout, ran.returncode) == ("[]\n", 0), ran.stderr
