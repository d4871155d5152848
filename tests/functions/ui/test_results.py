"""How hits become what the page shows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.tools.search import HitDocument, Scores, SearchHit, SearchResponse
from functions.ui.reading import seen_snippet, seen_text
from functions.ui.results import grouped, web_address
from index_artifacts.hits import make_snippet


def hit(page: str, strength: str, text: str = "A text.", **fields: Any) -> SearchHit:
    document = HitDocument(
        id=page, title=page, summary="", authors=["Eva"], tags=[], categories=[], language="en",
        collection="wiki", published=True, created="", updated="", year=2024, source_url="",
        summary_by="extractive", keywords=[],
    )  # fmt: skip
    values: dict[str, Any] = {
        "rank": 1, "score": 0.5, "scores": Scores(lemma=1, trigram=1, vector=-1),
        "chunk_id": f"{page}#0", "document": document, "heading_path": ["A", "B"],
        "snippet": text, "highlights": [], "text": text, "line": 1, "last_line": 1,
        "source_url": "", "strength": strength,
    }  # fmt: skip
    return SearchHit(**{**values, **fields})


def found(outcome: str, *hits: SearchHit) -> SearchResponse:
    return SearchResponse(
        status="ok", reason="", sources=[], index_version="v", complete=True, truncated=False,
        truncation_reasons=[], hits=list(hits), outcome=outcome, confidence=0.5, mode="hybrid",
        legs=[], encoder="", encoder_kind="", corrections={}, language="en", matched=1,
        milliseconds={},
    )  # fmt: skip


def names(outcome: str, *hits: SearchHit) -> tuple[list[str], list[str]]:
    results = grouped(found(outcome, *hits))
    assert results.size == len({hit.document.id for hit in hits})
    return [p.document.id for p in results.shown], [p.document.id for p in results.hidden]


def test_a_page_is_as_strong_as_its_strongest_fragment_and_keeps_its_place() -> None:
    hits = [hit("a", "weak"), hit("b", "hidden"), hit("a", "strong"), hit("b", "hidden")]
    results = grouped(found("answer", *hits))
    assert [(p.document.id, p.strength) for p in results.shown] == [("a", "strong")]
    assert [fragment.strength for fragment in results.shown[0].fragments] == ["weak", "strong"]
    assert results.shown[0].facts == ["Eva", "2024"]
    assert [p.document.id for p in results.hidden] == ["b"]


def test_where_nothing_answers_the_nearest_page_alone_is_shown() -> None:
    assert names("none", hit("a", "hidden"), hit("b", "weak")) == (["a"], ["b"])


def test_where_it_is_uncertain_the_first_few_are_shown_however_weak() -> None:
    hits = [hit("a", "weak"), *[hit(name, "hidden") for name in "bcde"], hit("f", "weak")]
    assert names("low_confidence", *hits) == (["a", "b", "c", "f"], ["d", "e"])


def test_without_a_calibration_everything_is_shown() -> None:
    assert names("unknown", *[hit(name, "unknown") for name in "abcde"]) == (list("abcde"), [])
    assert names("none") == ([], [])


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://w.test/a", "https://w.test/a"), ("/a", "/a"), ("javascript:alert(1)", ""),
        ("data:text/html,x", ""), ("", ""), ("mailto:a@b", ""),
    ],
)  # fmt: skip
def test_only_a_web_address_is_a_link(url: str, shown: str) -> None:
    assert web_address(url) == shown


def snippet_of(text: str, *forms: str, length: int = 240) -> list[tuple[str, bool]]:
    snippet, highlights = make_snippet(text, frozenset(forms), length)
    spans = [list(span) for span in highlights]
    return seen_snippet(hit("a", "strong", text, snippet=snippet, highlights=spans))


def test_marks_of_markdown_are_not_shown_and_matches_stay_marked() -> None:
    text = "## Works\n\n- [Ján](/students/jan) – **thesis** about `RAG`\n- [Eva](/students/eva)\n"
    assert snippet_of(text, "thesis", "jan") == [
        ("Works\n", False), ("Ján", True), (" – ", False), ("thesis", True),
        (" about RAG\nEva", False),
    ]  # fmt: skip


def test_a_match_inside_an_address_that_is_not_shown_marks_nothing_else() -> None:
    assert snippet_of("See [here](/printer/list) for paper.", "printer") == [
        ("See here for paper.", False)
    ]


def test_a_table_is_read_by_its_cells() -> None:
    text = "| Server | RAM |\n|---|---|\n| quokka | 512 GB |\n"
    assert "".join(part for part, _ in snippet_of(text, "quokka")).split() == [
        "Server", "RAM", "quokka", "512", "GB",
    ]  # fmt: skip


def test_a_cut_snippet_says_so_at_either_end() -> None:
    text = "before " * 40 + "[toner](/t) is here " + "after " * 60
    parts = snippet_of(text, "toner", length=80)
    assert parts[0] == parts[-1] == ("…", False)
    assert ("toner", True) in parts


def test_lines_of_a_paragraph_are_one_and_paragraphs_are_two() -> None:
    assert seen_text("One\nline.\n\nTwo\n\n# Three\nFour") == "One line.\nTwo\nThree Four"


@given(st.text(alphabet="ab \n#*[]()|-`_…\\", max_size=120), st.integers(20, 200))
def test_whatever_the_text_its_words_are_shown_in_their_order(text: str, length: int) -> None:
    parts = snippet_of(text, "a", "ab", length=length)
    assert all(part for part, _ in parts)
    assert all(set(part) <= set("ab") for part, is_match in parts if is_match)
