"""Languages of pages: told where they can be, and never guessed where they cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build.config import CollectionConfig, load_config
from build.languages import commonest, detect
from tests.wiki import read_documents

if TYPE_CHECKING:
    from pathlib import Path

ALL = ("sk", "cs", "pl", "ru", "en")
PROSE = {
    "sk": "Študent opisuje nastavenie zariadenia v sieti a výsledky svojej práce na serveri.",
    "cs": "Student popisuje nastavení zařízení v síti a výsledky své práce na serveru.",
    "pl": "Student opisuje ustawienia urządzenia w sieci oraz wyniki swojej pracy na serwerze.",
    "ru": "Студент описывает настройку устройства в сети и результаты своей работы.",
    "en": "The student describes how the device is set up in the network, and the results.",
}


@pytest.mark.parametrize("language", ALL)
def test_each_of_five_languages_is_told_from_the_others(language: str) -> None:
    assert detect(PROSE[language], ALL) == language


def test_only_a_language_of_the_wiki_is_found() -> None:
    assert detect(PROSE["en"], ("en",)) == "en"
    assert detect(PROSE["cs"], ("sk", "ru")) in {"sk", None}


@pytest.mark.parametrize("text", ["", "Ahoj", "123 456 789 000 111 222 333", "!!! ??? ... ---"])
def test_a_text_too_short_to_tell_is_not_told(text: str) -> None:
    assert detect(text, ALL) is None


def test_a_language_that_no_detector_knows_is_left_to_front_matter() -> None:
    assert detect(PROSE["en"], ("hsb", "en")) == "en"
    assert detect(PROSE["en"], ("hsb",)) is None


def test_the_commonest_language_is_the_first_of_equals() -> None:
    assert commonest(["sk", None, "en", "", "sk"], "ru") == "sk"
    assert commonest(["sk", "en"], "ru") == "en"
    assert commonest([None, ""], "ru") == "ru"


def read(tmp_path: Path, pages: dict[str, str | bytes], default: str = "") -> dict[str, str]:
    config = load_config(tmp_path, default_language=default or None)
    documents, _ = read_documents(tmp_path, pages, config)
    return {document.path: document.language for document in documents}


def test_a_short_page_is_in_the_wikis_commonest_language(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {
        "a.md": PROSE["pl"], "b.md": PROSE["pl"], "c.md": PROSE["en"], "short.md": "OK",
    }  # fmt: skip
    assert read(tmp_path, pages)["short.md"] == "pl"


def test_a_configured_default_takes_its_place(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {"a.md": PROSE["pl"], "short.md": "OK"}
    assert read(tmp_path, pages, "cs") == {"a.md": "pl", "short.md": "cs"}


def test_a_wiki_of_short_pages_is_in_its_first_language(tmp_path: Path) -> None:
    assert read(tmp_path, {"short.md": "OK"}) == {"short.md": "sk"}


def test_code_says_nothing_about_the_language(tmp_path: Path) -> None:
    code = "```py\n" + "# the following lines open the connection and return the result\n" * 20
    page = f"# Nastavenie servera\n\n{PROSE['sk']}\n\n{code}```\n"
    assert read(tmp_path, {"a.md": page}) == {"a.md": "sk"}


def test_what_the_page_states_holds_against_its_text(tmp_path: Path) -> None:
    assert read(tmp_path, {"a.md": f"---\nlang: cs\n---\n{PROSE['en']}"}) == {"a.md": "cs"}


def test_a_stated_language_that_the_wiki_has_not_is_noted_and_detected(tmp_path: Path) -> None:
    config = load_config(tmp_path, collections=(CollectionConfig(name="wiki"),))
    text = f"---\ntitle: a\nlang: slovenčina\n---\n{PROSE['sk']}"
    (document,), report = read_documents(tmp_path, {"a.md": text}, config)
    assert document.language == "sk"
    (row,) = report.rows()
    assert (row["severity"], row["code"]) == ("note", "language")
    assert "slovenčina" in row["reason"]
