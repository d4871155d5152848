"""Names of a claim stand in its evidence, in whatever case, and belong to one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.checks.names import check_names, check_titles
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.declension import alike

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

FORMS = [
    ("Prácu viedol Peter Vrabec.", "Prácu odovzdal Petrovi Vrabcovi."),
    ("Vedúcim je Peter Vrabec.", "Je to práca pod vedením Petra Vrabca."),
    ("Oponentom bola Jana Mokrá.", "Oponovanie Jany Mokrej trvalo hodinu."),
    ("Vedúcou je Zuzana Hlinková.", "Spolupracoval so Zuzanou Hlinkovou."),
    ("Pomáhal Ivan Brezina.", "Pomohli Ivanovi Brezinovi."),
    ("Vedoucí je Hana Součková.", "Práci s Hanou Součkovou dokončil."),
    ("Pomohla Hanka Dvořáková.", "Poděkoval Hance Dvořákové."),
    ("Opiekunem jest Jan Kowalski.", "Dziękuje Janowi Kowalskiemu."),
    ("Pomogła Anna Nowak.", "Pracował z Anną Nowak."),
    ("Помогла Алёна Соловьёва.", "Напишите Алёне Соловьёвой."),
    ("Руководил Иван Петров.", "Работа под руководством Ивана Петрова."),
    ("The supervisor is Peter Vrabec.", "Ask Peter Vrabec."),
    ("Viedol to Peter Vrabec.", "viedol to peter vrabec"),
    ("Vedúcou je Zuzana Hlinkova.", "Vedúcou je Zuzana Hlinková."),
    ("Viedol to P. Vrabec.", "Viedol to Peter Vrabec."),
    ("Viedol to Miloš Haverla.", "Viedol to prof. Ing. Miloš Haverla, CSc."),
    ("Viedol to Ing. Miloš Haverla, CSc.", "Viedol to prof. Ing. Miloš Haverla, CSc."),
    ("It was on 15 February 2021.", "It was on 15. 2. 2021."),
    ("Je to model Whisper.", "Model Whisperu je väčší."),
]


@pytest.mark.parametrize(("claim", "source"), FORMS, ids=[claim for claim, _ in FORMS])
def test_a_name_is_held_in_another_case(
    evidence: Callable[..., Grounds], claim: str, source: str
) -> None:
    assert not check_names(Claim(claim, (1,), source), evidence(source))


OTHERS = [
    ("Viedla to Jana Hrušková.", "Viedol to Ján Hruška."),
    ("Viedol to Ján Hruška.", "Viedla to Jana Hrušková."),
    ("Vedúcim je Peter Mokrý.", "Vedúcou je Petra Mokrá."),
    ("Vedúcim je Ján Nový.", "Vedúcim je Ján Novák."),
    ("Vedúcim je Peter Hlinková.", "Vedúcim je Peter Vrabec a oponentkou Zuzana Hlinková."),
    ("Vedúcou je Zuzana Vrabec.", "Sú to Peter Vrabec, Zuzana Hlinková."),
    ("Vedúcim je Pavol Vrabec.", "Vedúcim je P. Vrabec."),
    ("Vedúcim je M. Vrabec.", "Vedúcim je Peter Vrabec."),
    ("Vedúcim je Viktor Vrabec.", "Vedúci v práci pomáhal."),
    ("Viedol to prof. Ing. Peter Vrabec.", "Viedol to Peter Vrabec."),
    ("Использовали модель Маяк.", "Использовали модель Прибой."),
]


@pytest.mark.parametrize(("claim", "source"), OTHERS, ids=[claim for claim, _ in OTHERS])
def test_somebody_else_is_not_held(
    evidence: Callable[..., Grounds], claim: str, source: str
) -> None:
    assert check_names(Claim(claim, (1,), source), evidence(source))


def test_a_name_that_stands_in_the_question_alone_is_not_held(
    evidence: Callable[..., Grounds],
) -> None:
    source = "Vedúcim práce je Peter Vrabec."
    grounds = evidence(source, question="Viedol prácu Ondrej Kubiš?")
    assert check_names(Claim("Vedúcim práce je Ondrej Kubiš.", (1,), source), grounds)


def test_a_name_is_held_by_the_title_and_the_headings_of_its_page(
    evidence: Callable[..., Grounds],
) -> None:
    source = "Vedúcim je Peter Vrabec."
    grounds = evidence(source, title="Jana Mokrá", headings=("Jana Mokrá", "Práca Transformer"))
    claim = Claim("Jana Mokrá píše prácu Transformer.", (1,), source)
    assert not check_names(claim, grounds)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("vrabec", "vrabca", True),
        ("marek", "markovi", True),
        ("novak", "novy", False),
        ("novak", "novotny", False),
        ("hruska", "hruskova", False),
        ("test", "text", False),
        ("styri", "styria", False),
        ("kowalski", "kowalskiego", True),
    ],
)
def test_endings_tell_cases_from_other_names(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same


def test_a_title_in_quotation_marks_is_held_word_for_word(
    evidence: Callable[..., Grounds],
) -> None:
    source = "*Názov*: Rozpoznávanie hlásení v **hlučnom** prostredí"
    grounds = evidence(source)
    good, bad = "Rozpoznávanie hlásení v hlučnom prostredí", "Rozpoznávanie reči v prostredí"
    assert not check_titles(Claim(f"Názov je „{good}“.", (1,), source), grounds)
    assert check_titles(Claim(f"Názov je „{bad}“.", (1,), source), grounds)
