"""The client of language models against a real one, in an environment of its own."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from eval.small_model import ENVIRONMENT, NAME, running_small_model
from index_artifacts.answers.chat_model import Message
from index_artifacts.errors import ConfigError
from index_artifacts.language_model import LanguageModel

ROOT = Path(__file__).parent.parent.parent
ENVIRONMENT_HERE = ROOT / ENVIRONMENT
SCHEMA = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "maxLength": 80},
                    "citations": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
                },
                "required": ["text", "citations"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}
MESSAGES = [
    Message("system", "Answer from the sources only, as JSON: claims with text and citations."),
    Message("user", "[1] The server listens on port 8080.\n\nWhich port does the server use?"),
]


def test_without_the_environment_one_sentence_says_how_to_create_it(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="create it with `make small-model-environment`"),
        running_small_model(tmp_path),
    ):
        pass
    assert "\nsmall-model-environment:" in (ROOT / "Makefile").read_text()


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("#!/bin/sh\necho no memory left >&2\nexit 3\n")
    (tmp_path / "bin" / "python").chmod(0o755)
    with (
        pytest.raises(RuntimeError, match="the small model does not start: no memory left"),
        running_small_model(tmp_path),
    ):
        pass


@pytest.mark.slow
@pytest.mark.skipif(
    not (ENVIRONMENT_HERE / ".installed").exists(),
    reason="a language model, which `make small-model-environment` installs",
)
def test_a_real_model_keeps_to_the_schema_or_is_cut_and_ends_with_the_block() -> None:
    with running_small_model(ENVIRONMENT_HERE) as url:
        completion = LanguageModel(url, NAME, timeout=60).complete(MESSAGES, SCHEMA, 60)
        assert set(json.loads(completion.text)) == {"claims"}
        assert completion.prompt_tokens > 10 < completion.completion_tokens
        in_words = LanguageModel(url, NAME, json="text", timeout=60, max_tokens=16)
        counted = in_words.complete([Message("user", "Count from one to a hundred.")], SCHEMA, 60)
        assert counted.cut
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, timeout=5)
