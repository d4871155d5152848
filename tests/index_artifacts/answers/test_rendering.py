"""Nothing in a claim, a title or an address changes the structure of a rendered answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from index_artifacts.answers.claims import Claim
from index_artifacts.answers.rendering import render_answer, renumber
from index_artifacts.hits import DocumentInfo
from index_artifacts.rag.passages import Passage
from index_artifacts.rag.rules import wording

NASTY = [
    "# Nadpis",
    "- položka",
    "+ položka",
    "* položka",
    "1. krok",
    "1) krok",
    "> citát",
    "| a | b |",
    "```kód",
    "~~~kód",
    "---",
    "===",
    ": výklad",
    "[x]: https://evil.example",
    "<img src=x onerror=alert(1)>",
    "\\<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "![x](https://evil.example/a.png)",
    "[x][1] a `neuzavretý kód",
    "riadok\n\n# druhý",
    "**tučné** ~~preškrtnuté~~ <!-- poznámka -->",
    "<https://evil.example>",
    "&lt;b&gt;x&lt;/b&gt;",
    "\u202egnp.exe",
]
INLINE = {"text", "softbreak", "text_special"}


def passage(title: str = "Servery", url: str = "https://wiki.example.org/servery.md") -> Passage:
    page = DocumentInfo(
        "temy/servery.md", title, "", (), (), (), "sk", "wiki", True, None, None, None, url
    )
    return Passage(page, (title, "Prihlásenie"), "text", 1, 1, ("temy/servery.md#0",), 1)


def structure(text: str) -> tuple[list[str], set[str]]:
    """The blocks of Markdown, and the kinds of what stands inside them."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    inline = {child.type for token in tokens for child in token.children or ()}
    return [token.type for token in tokens if token.type != "inline"], inline


def rendered(*texts: str, title: str = "Servery", missing: tuple[str, ...] = ()) -> str:
    claims = [Claim(text, (1,), "q") for text in texts]
    return render_answer(claims, [passage(title)], missing, wording("sk"))


@pytest.mark.parametrize("nasty", NASTY)
def test_a_claim_stays_plain_text_in_its_place(nasty: str) -> None:
    for texts in ((nasty,), ("Prvé.", nasty, "Tretie.")):
        plain = ["Obyčajný text."] * len(texts)
        blocks, inline = structure(rendered(*texts))
        assert blocks == structure(rendered(*plain))[0]
        assert inline <= INLINE
        assert "\u202e" not in rendered(*texts)


@pytest.mark.parametrize(
    "nasty", [*NASTY, "https://evil.example", "www.evil.example", "Strana [2]"]
)
def test_a_title_a_heading_and_a_part_of_the_question_stay_plain_text(nasty: str) -> None:
    text = rendered("Port je 2222.", title=nasty, missing=(nasty,))
    blocks, inline = structure(text)
    assert blocks == structure(rendered("Port je 2222.", missing=("x",)))[0]
    assert inline <= INLINE
    assert not re.search(r"https?://evil|www\.evil", text)
    assert not re.search(r"(?<!\\)\[2\]", text)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab1 #-+*>`~|=:_[](){}<>!\\&;.\n\"'/$", max_size=30))
def test_no_text_whatever_becomes_markup(text: str) -> None:
    blocks, inline = structure(rendered("Prvé.", text, "Tretie."))
    assert blocks == structure(rendered("Prvé.", "x", "Tretie."))[0]
    assert not inline & {"html_inline", "link_open", "image", "code_inline", "hardbreak"}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://wiki.example.org/a b(c).md", "https://wiki.example.org/a%20b%28c%29.md"),
        ("https://wiki.example.org/žltý", "https://wiki.example.org/žltý"),
        ("https://wiki.example.org/a?x=1&y=[2]", "https://wiki.example.org/a?x=1&y=%5B2%5D"),
        ("javascript:alert(1)", "temy/servery.md"),
        ("", "temy/servery.md"),
    ],
)
def test_an_address_is_whole_and_a_web_address(url: str, shown: str) -> None:
    claims = [Claim("Port je 2222.", (1,), "q")]
    text = render_answer(claims, [passage(url=url)], (), wording("sk"))
    assert text.endswith(f"— {shown}")


def test_claims_are_numbered_anew_without_gaps_in_the_order_of_citation() -> None:
    passages = [passage(f"Strana {number}") for number in range(1, 6)]
    claims = [Claim("A", (4, 2), "q"), Claim("B", (2, 5), "q")]
    renumbered, cited = renumber(claims, passages)
    assert [claim.citations for claim in renumbered] == [(1, 2), (2, 3)]
    assert [p.document.title for p in cited] == ["Strana 4", "Strana 2", "Strana 5"]


def test_a_citation_written_in_the_text_is_replaced_by_the_checked_one() -> None:
    assert rendered("Port je 2222 [7].").startswith("Port je 2222. [1]\n")
