"""``edgewiki ask``: an answer on the command line, by the code of ``POST /answer``."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

import edgewiki
from tests.functions.answer_wiki import PAGES
from tests.llm_server import claim, claims, status
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from pathlib import Path

    from tests.llm_server import LlmServer

SUPERVISOR = "Who was the supervisor of Anna Noll?"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("ask")
    build_and_publish(folder / "store", folder, PAGES, languages=("en", "sk"))
    return f"file://{folder / 'store'}"


@pytest.fixture
def ask(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Run ``edgewiki ask``; returns the exit code, what it printed, and what it complained of."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **environ: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["edgewiki", "ask", *arguments, "--store", store])
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "environ", {**os.environ, **environ})
            with pytest.raises(SystemExit) as ended:
                edgewiki.main()
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, printed.out, printed.err

    return run


def test_an_answer_is_told_with_its_sources_and_what_was_checked(ask: Any) -> None:
    code, out, err = ask(SUPERVISOR)
    assert (code, err) == (0, "")
    assert "Her supervisor was Peter Zelenák. [1]" in out
    assert "Sources:\n[1] Anna Noll — https://wiki.test/people/anna\n" in out
    assert "extractive · " in out
    assert " claims checked, 0 refused · version " in out


def test_a_program_gets_the_whole_response(ask: Any) -> None:
    code, out, _ = ask(SUPERVISOR, "--json")
    answer = json.loads(out)
    assert (code, answer["status"], answer["generator"]) == (0, "ok", "extractive")
    assert answer["sources"][0]["path"] == "people/anna.md"
    assert "Zelenák" in out  # readable, not escaped


def test_a_refusal_says_why_in_the_questions_language_and_is_no_error(ask: Any) -> None:
    code, out, err = ask("Aký vysoký je Kriváň?")
    assert (code, err) == (0, "")
    assert out.startswith("Odpoveď na túto otázku sa vo wiki nenašla.\n")
    assert "confidence" in out
    assert json.loads(ask("Aký vysoký je Kriváň?", "--json")[1])["outcome"] == "refused"


def test_engines_collections_and_profiles_can_be_chosen(ask: Any) -> None:
    assert "Number of pages: 2 [1][2]" in ask("How many pages did Eva Malá write?")[1]
    assert "No answer" in ask("Who waters the garden?", "--engine", "graph")[1]
    assert "No answer" in ask("Who waters the garden?", "--collection", "people")[1]
    assert "No answer" in ask("Who waters the garden?", "--profile", "widget")[1]
    assert "Karol Vrba" in ask("Who waters the garden?", "--mode", "lexical")[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["x", "--engine", "oracle"], "engine: Input should be 'auto', 'rag' or 'graph'"),
        (["x", "--mode", "psychic"], "mode: Input should be"),
        (["x", "--collection", "teachers"], "collection 'teachers' is unknown; there are: people"),
        (["x", "--profile", "robot"], "RAG profile 'robot' is unknown"),
        (["x" * 2001], "query: String should have at most 2000 characters"),
    ],
)
def test_a_mistake_is_one_sentence_and_an_exit_code(
    ask: Any, arguments: list[str], reason: str
) -> None:
    code, out, err = ask(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"edgewiki: {reason}")
    assert err.count("\n") == 1


def test_nothing_published_is_one_sentence(ask: Any) -> None:
    code, out, err = ask(SUPERVISOR, "--channel", "preview")
    assert (code, out) == (5, "")
    assert "channel 'preview' has no version yet" in err


def test_the_language_model_of_the_settings_writes_the_answer(
    ask: Any, llm_server: LlmServer
) -> None:
    quote = "Her supervisor was Peter Zelenák."
    llm_server.script(claims(claim("The supervisor was Peter Zelenák.", 1, quote=quote)))
    llm_server.default = status(500)
    model = {"EDGEWIKI_LLM_URL": llm_server.url, "EDGEWIKI_LLM_MODEL": "m",
             "EDGEWIKI_LLM_RETRIES": "0"}  # fmt: skip
    code, out, _ = ask(SUPERVISOR, **model)
    assert code == 0
    assert out.startswith("The supervisor was Peter Zelenák. [1]\n\nSources:\n[1] Anna Noll")
    assert "m · 1 claims checked" in out
    code, out, _ = ask(SUPERVISOR, **model)
    assert code == 0
    assert out.startswith("No answer that the wiki's evidence confirms could be put together.\n")
    assert "the language model answered 500" in out


def test_a_model_without_a_name_is_a_mistake_in_the_settings(ask: Any) -> None:
    code, _, err = ask(SUPERVISOR, EDGEWIKI_LLM_URL="http://127.0.0.1:9/v1")
    assert code == 2
    assert "EDGEWIKI_LLM_MODEL is empty" in err
