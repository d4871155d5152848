"""What a model wrote of a page, held against the page, in five languages."""

from __future__ import annotations

import pytest

from build.summaries.checking import LanguageWords, PageCheck
from build.summaries.prompt import Reply
from tests.build.summaries.reading import read

LANGUAGES = ("sk", "cs", "pl", "ru", "en")

# A page's title and text; a summary with its names in other cases; the same with a wrong name and
# with a wrong number.
_PAGES = {
    "sk": (
        "Strojový preklad",
        "Vedúci práce je Peter Zelenák. Model sa učil na 1 370 000 vetách a prekladá články zo "
        "slovenčiny do ukrajinčiny. Prácu napísala Jana Malá v roku 2023.",
        "Jana Malá napísala pod vedením Petra Zelenáka prácu o preklade článkov zo slovenčiny.",
        "Jana Malá napísala pod vedením Petra Hudáka prácu o preklade článkov zo slovenčiny.",
        "Jana Malá napísala v roku 2022 prácu o preklade článkov zo slovenčiny do ukrajinčiny.",
    ),
    "cs": (
        "Strojový překlad",
        "Vedoucí práce je Petr Zeman. Model se učil na 1 370 000 větách a překládá články z "
        "češtiny do ukrajinštiny. Práci napsala Jana Dvořáková v roce 2023.",
        "Jana Dvořáková napsala pod vedením Petra Zemana práci o překladu článků z češtiny.",
        "Jana Dvořáková napsala pod vedením Petra Hudečka práci o překladu článků z češtiny.",
        "Jana Dvořáková napsala v roce 2022 práci o překladu článků z češtiny do ukrajinštiny.",
    ),
    "pl": (
        "Tłumaczenie maszynowe",
        "Promotorem pracy jest Piotr Nowak. Model uczył się na 1 370 000 zdań i tłumaczy artykuły "
        "z polskiego na ukraiński. Pracę napisała Anna Wójcik w roku 2023.",
        "Anna Wójcik napisała u Piotra Nowaka pracę, w której model tłumaczy artykuły z polskiego.",
        "Anna Wójcik napisała u Piotra Zielińskiego pracę, w której model tłumaczy artykuły.",
        "Anna Wójcik napisała w roku 2022 pracę, w której model tłumaczy artykuły z polskiego.",
    ),
    "ru": (
        "Машинный перевод",
        "Руководитель работы Пётр Соколов. Модель училась на 1 370 000 предложений и переводит "
        "статьи с русского на украинский. Работу написала Анна Белова в 2023 году.",
        "Анна Белова написала у Петра Соколова работу о модели, которая переводит статьи.",
        "Анна Белова написала у Петра Воронина работу о модели, которая переводит статьи.",
        "Анна Белова написала в 2022 году работу о модели, которая переводит статьи с русского.",
    ),
    "en": (
        "Machine translation",
        "The supervisor of the thesis is Peter Stone. The model learned from 1,370,000 sentences "
        "and translates articles from English to Ukrainian. Jane Small wrote it in 2023.",
        "Jane Small wrote a thesis on a model that translates articles; Peter Stone supervised it.",
        "Jane Small wrote a thesis on a model that translates articles; Adam Wood supervised it.",
        "In 2022 Jane Small wrote a thesis on a model that translates articles to Ukrainian.",
    ),
}


def check_of(language: str, title: str, text: str) -> PageCheck:
    document, _, lemmas = read(text, title, language, dictionary=True)
    return PageCheck(document, text, LanguageWords(lemmas, language), LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_may_be_declined_but_not_made_up_and_no_number_may(language: str) -> None:
    title, text, true, wrong_name, wrong_number = _PAGES[language]
    check = check_of(language, title, text)
    assert check.why_refused(true) == ""
    assert "does not stand in its evidence" in check.why_refused(wrong_name)
    assert "'2022' does not stand" in check.why_refused(wrong_number)


def test_a_summary_in_the_wrong_language_is_refused() -> None:
    title, text, *_ = _PAGES["sk"]
    english = "The thesis on translation of articles was supervised by Peter Zelenák at school."
    assert check_of("sk", title, text).why_refused(english) == "it is in 'en', the page in 'sk'"


def test_tags_are_short_plain_and_on_the_page_in_whatever_case() -> None:
    title, text, *_ = _PAGES["sk"]
    tags = ("preklad", "ukrajinčina", "veta", "drak", "**model**", "https://x", "a b c d e f", "")
    found = check_of("sk", title, text).tags(Reply("", tags))
    assert found == ("preklad", "ukrajinčina", "veta")
