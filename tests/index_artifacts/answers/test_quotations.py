"""A quote is found word for word and in one piece, whatever its typography; nothing else is."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index_artifacts.answers.checks.quotes import check_quote
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.markdown import visible_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

PAGE = (
    "Vedúci práce je **Peter Vrabec** a chyba klesla na 78,5 % bodu. Termín je 17. mája 2021, "
    'návod popisuje [stránka o serveroch](../servery.md "Servery").\n\n[…]\n\n'
    "Názov znie „Strojový preklad – prehľad“ a skript je `train_model.py`.\n\n"
    "| Server | Pamäť |\n|---|---|\n| quokka | 512 GB |\n| kôň \\| osol | 64 GB |\n\n"
    "Heslo <!-- tajný kľúč --> sa mení raz ročne."
)


def refusal(grounds: Grounds, quote: str, number: int = 1) -> str:
    return check_quote(Claim("Tvrdenie.", (number,), quote), grounds)


@pytest.mark.parametrize(
    "quote",
    [
        "Vedúci práce je Peter Vrabec",
        "Vedúci práce je **Peter Vrabec**",
        unicodedata.normalize("NFD", "Vedúci práce je Peter Vrabec"),
        "Vedúci  práce\nje Peter\u00a0Vrabec",
        "Ve\u00addúci prá\u200bce je Peter Vrabec",
        'Názov znie "Strojový preklad - prehľad"',
        "Názov znie «Strojový preklad — prehľad»",
        "skript je train_model.py",
        "popisuje stránka o serveroch",
        "| quokka | 512 GB |",
        "quokka 512 GB",
        "kôň | osol | 64 GB",
        "na 78,5 % bodu",
        "Heslo sa mení raz ročne.",
    ],
)
def test_spelling_of_the_same_characters_does_not_count(
    evidence: Callable[..., Grounds], quote: str
) -> None:
    assert not refusal(evidence(PAGE), quote)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "a",
        "78",
        "klesla na 78",
        "5 % bodu",
        "7. mája 2021",
        "Peter Vrab",
        "edúci práce",
        "Vedúci práce je […] bodu",
        "Vedúci práce je [...] bodu",
        "Servery […] Názov znie",
        "stránka o serveroch. […] Názov znie",
        "stránka o serveroch. [...] Názov znie",
        "stránka o serveroch. Názov znie",
        "Peter Vrabec. Názov znie",
        "Vedúca práce je Peter Vrabec",
        "tajný kľúč",
        "../servery.md",
    ],
)
def test_a_cut_stitched_or_invented_quote_is_refused(
    evidence: Callable[..., Grounds], quote: str
) -> None:
    assert refusal(evidence(PAGE), quote)


def test_a_quote_belongs_to_the_source_that_is_cited(evidence: Callable[..., Grounds]) -> None:
    grounds = evidence(PAGE, "Celkom iný text.")
    assert "stands in [1], not in [2]" in refusal(grounds, "Vedúci práce je Peter Vrabec", 2)


def test_a_number_with_spaces_is_not_cut(evidence: Callable[..., Grounds]) -> None:
    grounds = evidence("Korpus má 412 000 dvojíc viet.")
    assert refusal(grounds, "Korpus má 412")
    assert refusal(grounds, "000 dvojíc viet")
    assert not refusal(grounds, "412 000 dvojíc viet")


def test_a_quote_does_not_run_from_one_section_into_the_next(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence("## Prvá\n\nObhájil ju Peter.\n\n## Druhá\n\nBolo to v roku 2021.")
    assert refusal(grounds, "Obhájil ju Peter.\n\n## Druhá\n\nBolo to v roku 2021.")
    assert not refusal(grounds, "## Prvá\n\nObhájil ju Peter.")


def test_of_two_places_the_one_that_the_claim_speaks_of_is_taken(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence("Jana začala v roku 2019.\n\nIvan začal v roku 2019 s prekladom.")
    claim = Claim("Ivan začal s prekladom.", (1,), "v roku 2019")
    (window,) = grounds.windows(claim)
    assert window.units[0].text.startswith("Ivan")


def test_a_short_unit_may_be_quoted_whole(evidence: Callable[..., Grounds]) -> None:
    grounds = evidence("Je povinná?\n\nNo.\n\n- 5\n- 6")
    assert not refusal(grounds, "No.")
    assert not refusal(grounds, "5")


WORDS = PAGE.replace("\n\n[…]\n\n", " ")


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_stretch_of_whole_words_is_found_and_none_with_one_word_replaced(
    evidence: Callable[..., Grounds], data: st.DataObject
) -> None:
    paragraph = data.draw(st.sampled_from(PAGE.split("\n\n")[0::2][:2]))
    seen = visible_text(paragraph)
    tokens = [match.span() for match in re.finditer(r"\S+", seen)]
    first = data.draw(st.integers(0, len(tokens) - 2))
    last = data.draw(st.integers(first + 1, len(tokens) - 1))
    quote = seen[tokens[first][0] : tokens[last][1]]
    grounds = evidence(PAGE)
    assert not refusal(grounds, quote)
    words = quote.split(" ")
    words[data.draw(st.integers(0, len(words) - 1))] = "vymyslené"
    assert refusal(grounds, " ".join(words))


@pytest.mark.parametrize(
    ("markdown", "seen"),
    [
        ("*Názov*: **X** `a*b` ~~nie~~", "Názov: X a*b nie"),
        ("[text](x.md) a [[cieľ|popis]] a [[sám]]", "text a popis a sám"),
        ("veta.[^1] Ďalej <br> a <b>tučné</b>", "veta. Ďalej a tučné"),
        ("_Názov_: max_map_count a __init__.py", "Názov: max_map_count a init.py"),
        ("<https://x.example/a_b_> a <jan@x.example>", "https://x.example/a_b_ a jan@x.example"),
        ("https://x.example/Rys_(jazyk)", "https://x.example/Rys_(jazyk)"),
        ("1 \\* 2 \\| 3 <!-- skryté --> koniec", "1 * 2 | 3 koniec"),
        ("![obrázok](a.png) > nie citát", "obrázok > nie citát"),
    ],
)
def test_text_is_read_as_a_reader_sees_it(markdown: str, seen: str) -> None:
    assert visible_text(markdown) == seen
