"""Figures of a claim are held by equal ones of its evidence that count the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.checks.figures import check_figures
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.figures import figures

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

HELD = [
    ("Chyba je 7.8 %.", "Chyba je 7,8 %."),
    ("Chyba je 7,8 percenta.", "Chyba je 7,8 %."),
    ("Korpus má 412000 viet.", "Korpus má 412 000 viet."),
    ("The corpus has 412,000 sentences.", "The corpus has 412 000 sentences."),
    ("Stálo to 1.234,5 eur.", "Stálo to 1 234,5 €."),
    ("Odovzdáva sa 15. februára 2021.", "Odovzdáva sa 15. 2. 2021."),
    ("It is due on 15 February 2021.", "It is due on 15.2.2021."),
    ("It is due on February 15, 2021.", "It is due on 2021-02-15."),
    ("Termín je 15. února.", "Termín je 15.2.2021."),
    ("Termin to 15 lutego 2021.", "Termin to 15.02.2021."),
    ("Срок 15 февраля 2021 года.", "Срок 15.2.2021."),
    ("Bolo to v roku 2021.", "Bolo to 15. 2. 2021."),
    ("Obhajoba je 24. 6. 2026.", "Obhajoba je 24. – 26. 6. 2026."),
    ("V roku 2019.", "Obhájil v roku 2019, v máji."),
    ("Je to od 2018 roku.", "Je to od roku 2018."),
    ("Otvorené od 8:00 do 19:00.", "Otvorené 8:00 – 19:00."),
    ("Trvá 8 hodín.", "Trvá 8 – 10 hodín."),
    ("Trvá 60 minút.", "Trvá 30, 60 alebo 90 minút."),
    ("Trvá tri hodiny.", "Trvá 3 hodiny."),
    ("It takes 3 hours.", "It takes three hours."),
    ("Trwa trzy godziny.", "Trwa 3 godziny."),
    ("Это три часа.", "Это 3 часа."),
    ("Je to 25 strán.", "Je to dvadsaťpäť strán."),
    ("There are twenty-five pages.", "There are 25 pages."),
    ("Stojí 5000 eur.", "Stojí 5 tisíc eur."),
    ("Má 1500000 slov.", "Má 1,5 milióna slov."),
    ("Za 5 dní.", "Za 5 pracovných dní."),
    ("Port 2222 servera.", "Na porte 2222 prijíma spojenia."),
    ("Karta p11 má 94 GB.", "Karta p11 má 94 GB."),
    ("Verzia je 1.2.", "Treba riadok tls 1.2 v súbore."),
    ("Je tam -5 °C.", "Je tam −5 °C."),
    ("Skupina z roku 2022 s výsledkom 93 %.", "Skupina z roku 2022 s výsledkom 93 %."),
]


@pytest.mark.parametrize(("claim", "source"), HELD, ids=[claim for claim, _ in HELD])
def test_a_figure_is_held_in_another_form(
    evidence: Callable[..., Grounds], claim: str, source: str
) -> None:
    assert not check_figures(Claim(claim, (1,), source), evidence(source))


NOT_HELD = [
    ("Chyba je 7,9 %.", "Chyba je 7,8 %."),
    ("Chyba je 78 %.", "Chyba je 7,8 %."),
    ("Chyba je 7,8 bodu.", "Chyba je 7,8 %."),
    ("Trvá 3 dni.", "Trvá 3 hodiny."),
    ("Trvá 5 hodín.", "Trvá 5 s."),
    ("Stojí 5 eur.", "Stojí 5 tisíc eur."),
    ("Stojí 20 eur.", "Stojí dvadsaťpäť eur."),
    ("It has twenty pages.", "It has twenty-five pages."),
    ("Je to 10 strán.", "Je to ten istý počet strán."),
    ("Máme 11 uzlov.", "Uzly sú p11 a p12."),
    ("Máme 503 miest.", "Miestnosť je L9-A503."),
    ("Termín je 15. 3. 2021.", "Termín je 15. 2. 2021."),
    ("Termín je 15. 2. 2022.", "Termín je 15. 2. 2021."),
    ("It is due on 15 March 2021.", "It is due on 15.2.2021."),
    ("Termín je 16. februára.", "Termín je 15. 2. 2021."),
    ("Otvorené od 8:30.", "Otvorené od 8:00."),
    ("Bolo ich 2021100.", "V roku 2021 100 študentov písalo."),
    ("Je tam 5 °C.", "Je tam -5 °C."),
    ("Plocha je 102 m.", "Plocha je 10² m."),
    ("Dĺžka je 20 strán.", "Dĺžka je 20 minút."),
    ("Stojí 2019 eur.", "Obhájil v roku 2019."),
]


@pytest.mark.parametrize(("claim", "source"), NOT_HELD, ids=[claim for claim, _ in NOT_HELD])
def test_another_figure_or_another_unit_is_not_held(
    evidence: Callable[..., Grounds], claim: str, source: str
) -> None:
    assert check_figures(Claim(claim, (1,), source), evidence(source))


def test_a_figure_from_elsewhere_on_the_page_does_not_hold(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence("Trvá 3 hodiny.\n\nPríprava trvá 5 hodín.")
    assert check_figures(Claim("Trvá 5 hodín.", (1,), "Trvá 3 hodiny."), grounds)


def test_a_row_is_read_with_the_names_of_its_columns(evidence: Callable[..., Grounds]) -> None:
    table = "| Model | WER (%) | Hodiny |\n|---|---|---|\n| malý | 24,7 | 9 |\n| veľký | 7,1 | 40 |"
    grounds = evidence(table)
    for text in ("Model: malý; WER (%): 24,7; Hodiny: 9", "Model malý trval 9 hodín."):
        assert not check_figures(Claim(text, (1,), "| malý | 24,7 | 9 |"), grounds)
    for text in ("Model malý trval 24,7 hodiny.", "Model malý má chybu 7,1 %."):
        assert check_figures(Claim(text, (1,), "| malý | 24,7 | 9 |"), grounds)


def test_a_wrapped_line_does_not_turn_a_preposition_into_seconds(
    evidence: Callable[..., Grounds],
) -> None:
    source = "Rekord je z roku 2022\ns výsledkom 93,4 %."
    claim = Claim("Rekord je z roku 2022 s výsledkom 93,4 %.", (1,), source)
    assert not check_figures(claim, evidence(source))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("v roku 2019.", ["2019"]),
        ("p11 a L9-A503", ["p11", "L9", "A503"]),
        ("od 15. 2. do 20. 3. 2021", ["15. 2.", "20. 3. 2021"]),
        ("IP je 10.1.2.3, port 22", ["10.1.2.3", "22"]),
        ("2{,}5 bodu", ["2{,}5"]),
        ("ten istý, ale ten days is long", ["ten", "ten"]),
        ("ten istý", []),
        ("15 may apply", ["15"]),
    ],
)
def test_figures_are_found_whole(text: str, written: list[str]) -> None:
    assert [figure.written for figure in figures(text)] == written
