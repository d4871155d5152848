"""What a question takes for granted has to be so on the page that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.checking import CONTRADICTION, PREMISE, check_claims
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.coverage import missing_parts
from index_artifacts.answers.premise import premise_of
from index_artifacts.answers.question import take_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

PAGE = (
    "# Jana Mokrá\n\n*Rok začiatku štúdia*: 2019\n\n## Diplomová práca 2024\n\n"
    "*Vedúci*: Peter Vrabec\n\nTémou je preklad. Model má 27,9 bodu BLEU."
)


def holds(grounds: Grounds, question: str) -> bool:
    asked = take_apart(question, grounds.lemmas)
    return premise_of(asked, question, grounds.sources[0], grounds.lemmas).holds


@pytest.mark.parametrize(
    ("question", "true"),
    [
        ("Kto viedol diplomovú prácu Jany Mokrej?", True),
        ("Kto viedol diplomovú prácu Jany Mokrej z roku 2024?", True),
        ("Kto viedol diplomovú prácu Jany Mokrej z roku 2019?", False),
        ("Kto viedol diplomovú prácu Jany Mokrej z roku 2023?", False),
        ("Kto viedol bakalársku prácu Jany Mokrej?", False),
        ("V ktorom roku začala Jana Mokrá študovať, v roku 2019?", True),
        ("Čo je témou práce Jany Mokrej, ktorú viedol Ondrej Kubiš?", False),
        ("Čo je témou práce Jany Mokrej, ktorú viedol Peter Vrabec?", True),
        ("Čo je témou práce Ivana Mokrého?", False),
        ("Who supervised the master thesis of Jana Mokrá?", True),
        ("Who supervised the doctoral thesis of Jana Mokrá?", False),
        ("Кто руководил работой Яны Мокрой?", True),
    ],
)
def test_names_years_and_kinds_of_a_question_are_those_of_the_page(
    evidence: Callable[..., Grounds], question: str, true: bool
) -> None:
    grounds = evidence(PAGE, question=question, title="Jana Mokrá")
    assert holds(grounds, question) is true


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Kto viedol prácu a kedy ju obhájil?", ["person", "time"]),
        ("Kdo vedl práci a kolik má stran?", ["person", "number"]),
        ("Kto prowadził pracę i gdzie mieszka?", ["person", "place"]),
        ("Кто руководил работой и когда?", ["person"]),
        ("Who led the thesis and when was it defended?", ["person", "time"]),
        ("Kto ju viedol? Kde sa koná obhajoba?", ["person", "place"]),
        ("Ponáhľam sa. Kto viedol prácu? Ďakujem.", ["person"]),
        ("???", []),
    ],
)
def test_a_question_falls_into_parts(
    evidence: Callable[..., Grounds], question: str, kinds: list[str]
) -> None:
    asked = take_apart(question, evidence(PAGE).lemmas)
    assert [part.kind for part in asked.parts][: len(kinds)] == kinds


def test_parts_that_no_claim_speaks_of_are_named(evidence: Callable[..., Grounds]) -> None:
    question = "Kto viedol prácu a koľko stojí kolej?"
    grounds = evidence(PAGE, question=question)
    asked = take_apart(question, grounds.lemmas)
    claim = Claim("Vedúci: Peter Vrabec", (1,), "*Vedúci*: Peter Vrabec")
    (missing,) = missing_parts([claim], asked, grounds)
    assert "kolej" in missing


def test_a_claim_from_a_page_about_somebody_else_is_refused(
    evidence: Callable[..., Grounds],
) -> None:
    question = "Kto viedol prácu Ivana Brezinu?"
    grounds = evidence(PAGE, question=question)
    claim = Claim("Vedúci: Peter Vrabec", (1,), "*Vedúci*: Peter Vrabec")
    checked = check_claims([claim], take_apart(question, grounds.lemmas), grounds)
    assert [rejection.check for rejection in checked.rejected] == [PREMISE]


def test_of_two_claims_on_one_sentence_that_contradict_each_other_none_is_kept(
    evidence: Callable[..., Grounds],
) -> None:
    source = "Trénovanie modelu trvalo 9 hodín a ladenie modelu trvalo 12 hodín."
    grounds = evidence(source)
    asked = take_apart("Ako dlho trvalo trénovanie modelu?", grounds.lemmas)
    claims = [Claim(f"Trénovanie modelu trvalo {n} hodín.", (1,), source) for n in (9, 12)]
    checked = check_claims(claims, asked, grounds)
    assert not checked.kept
    assert checked.failures()[CONTRADICTION] == 2


def test_the_same_claim_twice_is_one_and_keeps_the_citations_that_hold(
    evidence: Callable[..., Grounds],
) -> None:
    source = "Trénovanie trvalo 9 hodín."
    grounds = evidence(source, "Iná stránka o inom.")
    claim = Claim("Trénovanie trvalo 9 hodín.", (1, 2), source)
    asked = take_apart("Ako dlho trvalo trénovanie?", grounds.lemmas)
    checked = check_claims([claim, claim], asked, grounds)
    assert [kept.citations for kept in checked.kept] == [(1,)]
