"""Citations in a claim's text are found in whatever they are dressed, and links with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.checks.citations import (
    check_citations,
    without_citations,
    written_citations,
)
from index_artifacts.answers.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.grounds import Grounds

EVIDENCE = "Server počúva na porte 2222, návod je na https://wiki.example.org/ssh a v [1]."


def refusal(grounds: Grounds, text: str, *citations: int) -> str:
    return check_citations(Claim(text, citations or (1,), "počúva na porte 2222"), grounds)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Port je 2222 [9].", [9]),
        ("Port je 2222 [1, 9].", [1, 9]),
        ("Port je 2222 [7–9].", [7, 8, 9]),
        ("Port je 2222 [^9].", [9]),
        ("Port je 2222 [[9]].", [9]),
        ("Port je 2222 [9](https://wiki.example.org).", [9]),
        ("Port je 2222 <sup>9</sup>.", [9]),
        ('Port je 2222 <a href="https://x.example">[9]</a>.', [9]),
        ("Port je 2222 【9†source】.", [9]),
        ("Port je 2222 [9:0†source].", [9]),
        ("Port je hotový⁹.", [9]),
        ("Port je 2222 ⑨.", [9]),
        ("Port je 2222 ⑼.", [9]),
        ("Port je 2222 9️⃣.", [9]),
        ("Port je 2222 &#91;9&#93;.", [9]),
        ("Port je 2222 &amp;#91;9&amp;#93;.", [9]),
        ("Port je 2222 ［９］.", [9]),
        ("Port je 2222 [\u200b9\u200b].", [9]),
        ("Port je 2222 \\[9\\].", [9]),
        ("Podľa zdroja č. 9 je port 2222.", [9]),
        ("According to source 9 and 8 the port is 2222.", [9, 8]),
        ("Według źródła nr 9 port to 2222.", [9]),
        ("Согласно источнику № 9, порт 2222.", [9]),
        ("Podle zdroje 9 je port 2222.", [9]),
    ],
)
def test_a_citation_is_seen_however_it_is_written(text: str, numbers: list[int]) -> None:
    assert list(dict.fromkeys(n for _, n in written_citations(text))) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "Prácu obhájil v roku [2019].",
        "Nevie sa [?], kedy.",
        "Plocha je 10² m² a objem 5 cm³.",
        "Metrika je (x - y)².",
        "Vyžaduje sa max_map_count [65530].",
        "Má tri časti: (1) úvod, (2) jadro.",
        "Zdroj 750 W stačí.",
        "Dáta[0] sú prvé.",
    ],
)
def test_ordinary_text_with_numbers_cites_nothing(text: str) -> None:
    assert {n for _, n in written_citations(text)} <= {0}


@pytest.mark.parametrize(
    "dressed",
    [
        "[9]",
        "[[9]]",
        "&#91;9&#93;",
        "⑨",
        "<sup>9</sup>",
        "【9†source】",
        "(zdroj č. 9)",
        "[1](https://evil.example/a)",
        "<a href='https://evil.example'>[1]</a>",
        "https://evil.example/free",
        "www.evil.example",
        "[tu](javascript:alert(1))",
        "[tu][1]",
        "<img src=x onerror=alert(1)>",
        "data:text/html;base64,AAAA",
    ],
)
def test_a_fake_number_or_link_fails_the_claim(
    evidence: Callable[..., Grounds], dressed: str
) -> None:
    assert refusal(evidence(EVIDENCE), f"Server počúva na porte 2222 {dressed}")


def test_an_address_that_stands_in_the_quoted_sentence_may_be_told(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence(EVIDENCE)
    assert not refusal(grounds, "Návod je na https://wiki.example.org/ssh.")
    assert refusal(grounds, "Návod je na https://wiki.example.org/ssh/evil.")
    assert refusal(grounds, "Návod je na [ssh](https://wiki.example.org/ssh).")


def test_a_link_in_the_evidence_does_not_let_another_one_in(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence("Server počúva na porte 2222, píše [návod](https://wiki.example.org/ssh).")
    assert refusal(grounds, "Píše to [návod](https://evil.example/ssh).")


def test_a_footnote_of_the_page_is_taken_out_and_is_no_citation(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence("Server počúva na porte 2222 [4], treba kľúč.")
    claim = "Server počúva na porte 2222 [4], treba kľúč."
    assert not refusal(grounds, claim)
    assert without_citations(claim) == "Server počúva na porte 2222, treba kľúč."


def test_what_the_text_cites_has_to_be_declared_and_what_is_declared_has_to_exist(
    evidence: Callable[..., Grounds],
) -> None:
    grounds = evidence(EVIDENCE, "Iný text o inom.")
    assert "[2]" in refusal(grounds, "Port je 2222 [2].", 1)
    assert "[3]" in refusal(grounds, "Port je 2222.", 3)
    assert "[0]" in refusal(grounds, "Port je 2222.", 0)
    assert "no evidence" in check_citations(Claim("Port je 2222.", (), "x"), grounds)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Port je 2222 [1].", "Port je 2222."),
        ("Port je 2222 [[1]] 【1†source】①.", "Port je 2222."),
        ("Port je 2222 (zdroj č. 1).", "Port je 2222."),
        ("Port je 2222 &#91;1&#93;.", "Port je 2222."),
        ("Prácu obhájil [2019] v máji.", "Prácu obhájil [2019] v máji."),
        ("Plocha je 10 m².", "Plocha je 10 m²."),
    ],
)
def test_citations_are_taken_out_of_the_text(written: str, shown: str) -> None:
    assert without_citations(written) == shown
