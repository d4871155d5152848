"""The Pipe against the real service: what a reader of Open WebUI gets from a published wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from functions.settings import Settings
from tests.functions.answer_wiki import LANGUAGES, PAGES
from tests.keys import one_key
from tests.serving import serving
from tests.tiny_wiki import build_and_publish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.infra.conftest import Chat

KEY = "a-key-of-the-wiki-0123456789abcdef"
SUPERVISOR = "Who was the supervisor of Anna Noll?"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("openwebui")
    build_and_publish(folder / "store", folder, PAGES, languages=LANGUAGES)
    store = f"file://{folder / 'store'}"
    with serving(
        Settings(store=store, cache_dir=folder / "cache", api_keys=one_key(KEY))
    ) as address:
        yield address


@pytest.fixture
def wiki(chat: Chat, url: str) -> Chat:
    """A conversation with the service itself."""
    valves = chat.pipe.Valves(BACKEND_URL=url, BACKEND_API_KEY=KEY, TIMEOUT_SECONDS=30)
    chat.pipe.valves = valves
    return chat


def told(chat: Chat) -> str:
    """The last status that the reader saw."""
    last: dict[str, Any] = chat.of("status")[-1]
    assert last["done"]
    return str(last["description"])


def test_a_checked_answer_gets_through_with_its_sources(wiki: Chat) -> None:
    said = wiki.ask(SUPERVISOR)
    assert "Her supervisor was Peter Zelenák. [1]" in said
    assert said.endswith("\n\nSources:\n[1] Anna Noll — https://wiki.test/people/anna")
    assert told(wiki) == "The answer was checked"
    (citation,) = wiki.of("citation")
    assert citation["source"]["url"] == "https://wiki.test/people/anna"
    assert "Her supervisor was Peter Zelenák." in citation["document"][0]


def test_a_refusal_gets_through_without_sources(wiki: Chat) -> None:
    assert wiki.ask("Aký vysoký je Kriváň?") == "Odpoveď na túto otázku sa vo wiki nenašla."
    assert told(wiki) == "Nič sa nepodarilo overiť"
    assert wiki.of("citation") == []


def test_the_conversation_completes_the_next_question(wiki: Chat) -> None:
    first = wiki.ask(SUPERVISOR)
    said = wiki.ask(
        SUPERVISOR, {"role": "assistant", "content": first}, "And in which year was it defended?"
    )
    assert "It was defended in 2018. [1]" in said


def test_the_other_model_knows_facts_and_nothing_else(wiki: Chat) -> None:
    facts = wiki.ask("Koľko stránok napísala Eva Malá?", model="wiki.checked-graph")
    assert facts.startswith("Počet stránok: 2 [1][2]")
    assert len(wiki.of("citation")) == 2
    refusal = wiki.ask(SUPERVISOR, model="wiki.checked-graph")
    assert refusal == "No answer to this question was found in the wiki."


def test_a_wrong_key_is_told_to_the_administrator(wiki: Chat) -> None:
    wiki.pipe.valves.BACKEND_API_KEY = "wrong-key-of-the-wiki"
    said = wiki.ask(SUPERVISOR)
    assert said == "⚠️ The wiki service refused the key (HTTP 401). Admin: see BACKEND_API_KEY."
    assert "wrong-key" not in said
    assert told(wiki) == "No answer"


def test_a_service_without_a_published_version_is_told_as_unavailable(
    chat: Chat, tmp_path: Any
) -> None:
    store = f"file://{tmp_path / 'empty'}"
    with serving(Settings(store=store, cache_dir=tmp_path / "cache", api_keys=one_key(KEY))) as url:
        chat.pipe.valves = chat.pipe.Valves(BACKEND_URL=url, BACKEND_API_KEY=KEY)
        said = chat.ask(SUPERVISOR)
    assert said.startswith("⚠️ The wiki service is busy or unavailable (HTTP 503).")
    assert said.endswith("no version is published yet")
