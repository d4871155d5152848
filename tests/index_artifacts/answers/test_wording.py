"""What a claim says stands in its evidence: its words, and no more than they prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.checks.completeness import check_completeness
from index_artifacts.answers.checks.confusions import (
    check_defence,
    check_page_author,
    check_study_year,
)
from index_artifacts.answers.checks.wording import check_wording
from index_artifacts.answers.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

PAGE = (
    "*Rok začiatku štúdia*: 2019\n\nVedúci práce je Peter Vrabec. "
    "Téma je strojový preklad z roku 2024."
)


@pytest.mark.parametrize(
    "text",
    [
        "Vedúcim práce je Peter Vrabec.",
        "Prácu, ktorej vedúcim je Peter Vrabec, vedie Peter Vrabec.",
    ],
)
def test_words_are_compared_by_their_lemmas(evidence: Callable[..., Grounds], text: str) -> None:
    grounds = evidence(PAGE, question="Kto vedie prácu?")
    assert not check_wording(Claim(text, (1,), "Vedúci práce je Peter Vrabec."), grounds)


@pytest.mark.parametrize(
    "text",
    [
        "Vedúcim práce je skúsený Peter Vrabec.",
        "Vedúcim práce je Peter Vrabec z Košíc.",
        "Prácu viedol Ondrej Kubiš.",
        "…",
        "je to tak",
    ],
)
def test_what_the_evidence_does_not_say_fails(evidence: Callable[..., Grounds], text: str) -> None:
    grounds = evidence(PAGE, question="Kto viedol prácu, Ondrej Kubiš?")
    assert check_wording(Claim(text, (1,), "Vedúci práce je Peter Vrabec."), grounds)


def test_the_question_lends_words_but_no_names_and_not_the_whole_claim(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence(PAGE, question="Kto viedol diplomovú prácu Jany Mokrej o preklade?")
    quote = "Vedúci práce je Peter Vrabec."
    assert not check_wording(Claim("Diplomovú prácu viedol Peter Vrabec.", (1,), quote), grounds)
    assert check_wording(Claim("Vedúci práce Jany Mokrej je Peter Vrabec.", (1,), quote), grounds)
    assert check_wording(Claim("Viedol diplomovú.", (1,), quote), grounds)


def test_the_author_of_a_page_is_not_who_led_the_work(evidence: Callable[..., Grounds]) -> None:
    grounds = evidence("Práca je o preklade.", authors=("Peter Vrabec",))
    quote = "Práca je o preklade."
    assert check_page_author(Claim("Prácu viedol Peter Vrabec.", (1,), quote), grounds)
    assert check_page_author(Claim("Práca Petra Vrabca je o preklade.", (1,), quote), grounds)
    assert not check_page_author(Claim("Autorom stránky je Peter Vrabec.", (1,), quote), grounds)


def test_the_year_studies_began_is_not_that_of_the_thesis(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence(PAGE)
    start, topic = "*Rok začiatku štúdia*: 2019", "Téma je strojový preklad z roku 2024."
    assert check_study_year(Claim("Diplomová práca je z roku 2019.", (1,), start), grounds)
    assert not check_study_year(Claim("Štúdium sa začalo v roku 2019.", (1,), start), grounds)
    assert not check_study_year(Claim("Práca je z roku 2024.", (1,), topic), grounds)


@pytest.mark.parametrize(
    "text",
    [
        "Prácu obhájil.",
        "Práci obhájila.",
        "Obroniła pracę.",
        "Работа защищена.",
        "The thesis was defended.",
    ],
)
def test_a_topic_is_not_a_thesis_defended(evidence: Callable[..., Grounds], text: str) -> None:
    quote = "Téma je strojový preklad z roku 2024."
    assert check_defence(Claim(text, (1,), quote), evidence(PAGE))
    assert not check_defence(
        Claim(text, (1,), "Obhajoba bola v máji."), evidence("Obhajoba bola v máji.")
    )


@pytest.mark.parametrize(
    "text",
    [
        "Všetky servery sú quokka a titan.",
        "Jediným serverom je quokka.",
        "Jsou to jen servery quokka a titan.",
        "Wszystkie serwery to quokka i titan.",
        "Все серверы: quokka и titan.",
        "The only servers are quokka and titan.",
        "There are exactly two servers, quokka and titan.",
        "Spolu je serverov dva: quokka a titan.",
    ],
)
def test_completeness_needs_evidence_that_says_so(
    evidence: Callable[..., Grounds], text: str
) -> None:
    source = "Servery sú quokka a titan."
    claim = Claim(text, (1,), source)
    assert check_completeness(claim, evidence(source))
    assert not check_completeness(claim, evidence(source, complete=True))
    assert not check_completeness(Claim(text, (1,), text), evidence(text))
