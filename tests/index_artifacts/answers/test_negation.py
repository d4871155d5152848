"""A claim denies what its evidence denies and states what it states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.checks.negation import check_negation
from index_artifacts.answers.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

TURNED = [
    ("Skúška je povinná.", "Skúška nie je povinná."),
    ("Skúška nie je povinná.", "Skúška je povinná."),
    ("Musíte písať prácu slovensky.", "Nemusíte písať prácu slovensky."),
    ("Spustíte cvičenie bez účtu.", "Bez účtu nespustíte cvičenie."),
    ("Čeština není přijatelná.", "Čeština je přijatelná."),
    ("Znajomość języka jest konieczna.", "Znajomość języka nie jest konieczna."),
    ("Znajomość języka nie jest konieczna.", "Znajomość języka jest konieczna."),
    ("Регистрация обязательна.", "Регистрация не обязательна."),
    ("Регистрация не обязательна.", "Регистрация обязательна."),
    ("The disk is backed up.", "The disk is never backed up."),
    ("The disk isn't backed up.", "The disk is backed up."),
    ("Zápočet nie je povinný.", "Skúška nie je voliteľná, zápočet je povinný."),
    ("Predmet má skúšku.", "Predmet nemá skúšku."),
]


@pytest.mark.parametrize(("claim", "source"), TURNED, ids=[claim for claim, _ in TURNED])
def test_a_statement_turned_round_fails(
    evidence: Callable[..., Grounds], claim: str, source: str
) -> None:
    assert check_negation(Claim(claim, (1,), source), evidence(source))


KEPT = [
    ("Skúška nie je povinná.", "Skúška nie je povinná."),
    ("Nemusíte písať prácu slovensky.", "Nemusíte písať prácu slovensky."),
    ("Úlohy v nedeľu spúšťa neurónová sieť.", "V nedeľu spúšťa úlohy neurónová sieť."),
    ("Zálohy sa robia neskôr.", "Zálohy sa robia neskôr."),
    ("Je to práca, nielen projekt.", "Je to práca a projekt."),
    ("It is not only fast.", "It is fast and cheap."),
    ("Zápočet je povinný.", "Skúška nie je voliteľná, zápočet je povinný."),
    ("Když chybí účet, nelze cvičit.", "Když chybí účet,\nnelze cvičit."),
]


@pytest.mark.parametrize(("claim", "source"), KEPT, ids=[claim for claim, _ in KEPT])
def test_a_denial_repeated_passes(
    evidence: Callable[..., Grounds], claim: str, source: str
) -> None:
    assert not check_negation(Claim(claim, (1,), source), evidence(source))


def test_the_line_before_a_list_and_the_header_of_a_table_may_hold_the_denial(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence(
        "Nie sú povolené:\n\n- kamery\n\n| Model | Nehodí sa na |\n|---|---|\n| A | text |"
    )
    assert not check_negation(Claim("Nie sú povolené: kamery", (1,), "kamery"), grounds)
    row = Claim("Model: A; Nehodí sa na: text", (1,), "| A | text |")
    assert not check_negation(row, grounds)
