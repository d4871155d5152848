"""Case forms of names: every one is alike, and those that people write are among them."""

from __future__ import annotations

import pytest

from index_artifacts.answers.declension import alike, case_forms


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("haverla", "haverla haverlu haverlovi haverlom"),
        ("zelenak", "zelenak zelenaka zelenakovi zelenakom zelenakem"),
        ("levcukova", "levcukova levcukovej levcukovu levcukovou"),
        ("brezovsky", "brezovsky brezovskeho brezovskemu brezovskym"),
        ("vrabec", "vrabec vrabca vrabcovi"),
        ("marek", "marek marka markovi"),
        ("hanka", "hanka hanky hance"),
        ("nowak", "nowak nowaka nowakowi nowakiem"),
        ("петров", "петров петрова петрову петровым"),
        ("оксана", "оксана оксаны оксане"),
    ],
)
def test_the_cases_of_a_name_are_among_its_forms(word: str, forms: str) -> None:
    found = case_forms(word)
    assert set(forms.split()) <= set(found)
    assert all(alike(word, form) for form in found)
    assert found == sorted(set(found))


def test_another_name_is_no_form() -> None:
    assert not {"hruskova", "hruskovej", "novy"} & set(case_forms("hruska") + case_forms("novak"))
