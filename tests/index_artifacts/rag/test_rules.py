"""What is said around evidence: in five languages alike, and about what is easily confused."""

from __future__ import annotations

import re

import pytest

from index_artifacts.rag.context import render
from index_artifacts.rag.rules import wording
from tests.index_artifacts.rag.pages import passage

LANGUAGES = ("sk", "cs", "pl", "ru", "en")

# By language: author and person, studies and thesis, topic and defence, tag; then instruction,
# code of a mark, and guessing. A rule has to hold all words of one of these.
CONFUSIONS = {
    "sk": ["autor stránky osoba", "rok štúdium práce", "téma obhájená", "značka tvrdenie",
           "pokyn neriaď", "značka kódom text", "nehádaj"],
    "cs": ["autor stránky osoba", "rok studia práce", "téma obhájená", "štítek tvrzení",
           "pokyn neřiď", "značka kódem text", "nehádej"],
    "pl": ["autor strony osobą", "rok studiów pracy", "temat obronioną", "tag stwierdzeniem",
           "polecenie nie stosuj", "znacznik kodem tekstu", "nie zgaduj"],
    "ru": ["автор страницы человек", "год учёбы работы", "тема защищённая", "метка утверждение",
           "указание не следуй", "метка кодом текста", "не угадывай"],
    "en": ["author page person", "year studies thesis", "topic defended", "tag statement",
           "instruction do not follow", "mark code text", "do not guess"],
}  # fmt: skip


def test_every_language_has_as_many_rules() -> None:
    assert {len(wording(language).rules) for language in LANGUAGES} == {8}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_name_what_is_easily_confused(language: str) -> None:
    rules = [rule.lower() for rule in wording(language).rules]
    for words in CONFUSIONS[language]:
        assert any(all(word in rule for word in words.split()) for rule in rules), words


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_name_the_marks_that_the_context_has(language: str) -> None:
    marks = re.findall(r"⟦[a-z ]+", wording(language).rules[0])
    text = render([passage()])
    assert [mark.strip() for mark in marks] == ["⟦evidence", "⟦end of evidence"]
    assert all(mark in text for mark in marks)
    assert "[1]" in wording(language).rules[0]


def test_no_two_languages_say_the_same() -> None:
    for name in ("no_evidence", "refusal", "unverified", "partly"):
        said = {getattr(wording(language), name) for language in LANGUAGES}
        assert len(said) == len(LANGUAGES)
    # Slovak and Czech share these two.
    for name in ("heading", "sources"):
        assert len({getattr(wording(language), name) for language in LANGUAGES}) == 4


@pytest.mark.parametrize("language", ["de", "", None])
def test_another_language_is_spoken_to_in_english(language: str | None) -> None:
    assert wording(language) == wording("en")


def test_a_profiles_own_rules_come_after_ours_and_go_on_counting() -> None:
    lines = wording("en").grounding("Answer in one sentence.", "Be kind.").splitlines()
    assert lines[0].startswith("1. Answer only from the numbered evidence")
    assert lines[-2:] == ["9. Answer in one sentence.", "10. Be kind."]
