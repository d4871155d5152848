"""Asking the small wiki, compiled for real, with the real model."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from index_artifacts.search import FUSIONS, MODES, SearchRequest
from tests.conftest import SMALL_WIKI
from tests.index_artifacts.conftest import marked, pages
from tests.tiny_wiki import PAGES, build, open_searcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from index_artifacts.search import SearchResult


@pytest.mark.parametrize(
    ("query", "page", "form"),
    [
        ("zariadenie", "temy/servery.md", "zariadeniach"),
        ("server", "temy/servery.md", "serveroch"),
        ("práca", "home.md", "prác"),
        ("student", "home.md", "študenti"),
        ("sluchátko hlásenie", "studenti/ivan-brezina.md", "hlásení"),
        ("zkouška", "cs/navod.md", "zkoušky"),
        ("tramwaj", "pl/lodz.md", "tramwajów"),
        ("предложение", "ru/yolka.md", "предложений"),
        ("maintenance windows", "en/cluster.md", "window"),
    ],
)
def test_a_dictionary_form_finds_inflected_ones(
    ask: Callable[..., SearchResult], query: str, page: str, form: str
) -> None:
    result = ask(query, mode="lexical", limit=50)
    assert page in pages(result)
    assert form in marked(result)


@pytest.mark.parametrize("query", ["zariadeniami", "serverom", "obhajobou", "vedúcemu"])
def test_a_form_that_no_page_uses_finds_the_others(
    ask: Callable[..., SearchResult], query: str
) -> None:
    result = ask(query, mode="lexical")
    assert result.matched > 0
    assert query not in marked(result)
    assert marked(result)


@pytest.mark.parametrize(
    ("query", "page", "form"),
    [
        ("lodz", "pl/lodz.md", "łodzi"),
        ("Łódź", "pl/lodz.md", "łodzi"),
        ("елка", "ru/yolka.md", "ёлка"),
        ("ЁЛКА", "ru/yolka.md", "ёлка"),
        ("vysledky", "studenti/ivan-brezina.md", "výsledky"),
        ("KOSICKA zlutoucky zalohy diskov", "temy/servery.md", "zálohy"),
    ],
)
def test_case_strokes_and_diacritics_do_not_matter(
    ask: Callable[..., SearchResult], query: str, page: str, form: str
) -> None:
    result = ask(query, mode="lexical", limit=50)
    assert page in pages(result)
    assert form in marked(result)


def test_decomposed_letters_find_the_same(ask: Callable[..., SearchResult]) -> None:
    typed = "случай приём prihlásenie"
    expected = ask(typed, mode="lexical").hits
    assert expected
    assert ask(unicodedata.normalize("NFD", typed), mode="lexical").hits == expected


def test_short_i_is_another_letter_than_i(ask: Callable[..., SearchResult]) -> None:
    assert ask('"случаи"').hits
    assert not ask('"случай"').hits


def test_a_typing_error_is_mended_and_reported(ask: Callable[..., SearchResult]) -> None:
    result = ask("trenovaine na sevreri")
    assert result.corrections == {"trenovaine": "trenovanie", "sevreri": "serveri"}
    assert "serveri" in marked(result)


@pytest.mark.parametrize("mode", MODES)
def test_quotes_ask_for_just_this_form_in_every_mode(
    ask: Callable[..., SearchResult], mode: str
) -> None:
    result = ask('"serveri"', mode=mode, limit=50)
    assert pages(result) == {"studenti/jana-mokra.md", "studenti/ivan-brezina.md"}
    assert all("serveri" in hit.text for hit in result.hits)
    assert marked(result) == {"serveri"}
    assert not ask('"trénovanie serveri"', mode=mode).hits


@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_and_fusion_finds_the_answer(
    ask: Callable[..., SearchResult], mode: str, fusion: str
) -> None:
    result = ask("Na akom porte počúva server?", mode=mode, fusion=fusion, limit=5)
    assert result.status == "ok"
    assert any("2222" in hit.text for hit in result.hits)
    assert result.complete
    legs = {"lexical": ("lemma", "trigram"), "vector": ("vector",)}
    assert result.legs == legs.get(mode, ("lemma", "trigram", "vector"))
    ranked = [hit.scores.score for hit in result.hits]
    assert ranked == sorted(ranked, reverse=True)
    assert all(0 < score <= 1 for score in ranked)


def test_a_leg_that_did_not_run_has_no_score(ask: Callable[..., SearchResult]) -> None:
    assert ask("server", mode="lexical").hits[0].scores.cosine is None
    only_vector = ask("server", mode="vector").hits[0].scores
    assert (only_vector.lemma, only_vector.trigram) == (None, None)
    assert only_vector.cosine == pytest.approx(only_vector.score)


def test_a_question_in_another_language_finds_the_page_by_meaning(
    ask: Callable[..., SearchResult],
) -> None:
    result = ask("Which metric suits rich morphology?", mode="vector", limit=1)
    assert "chrF" in result.hits[0].text


@pytest.mark.parametrize("query", ["strojovy preklad", "Strojový preklad", "machine translation"])
def test_a_page_called_what_was_asked_comes_first(
    ask: Callable[..., SearchResult], query: str
) -> None:
    for mode in ("hybrid", "lexical", "cascade"):
        best = ask(query, mode=mode).hits[0]
        assert best.chunk_id == "temy/strojovy-preklad.md#0"
        assert best.scores.score <= 1


@pytest.mark.parametrize("query", ["server", "zariadenie úloha", "предложение", '"na serveri"'])
def test_highlights_are_where_the_words_stand(ask: Callable[..., SearchResult], query: str) -> None:
    hits = [hit for hit in ask(query, mode="lexical", limit=50).hits if hit.highlights]
    assert hits
    for hit in hits:
        flat = " ".join(hit.text.split())
        assert " ".join(hit.snippet.strip("…").split()) in flat
        previous = 0
        for start, end in hit.highlights:
            assert previous <= start < end <= len(hit.snippet)
            assert hit.snippet[start:end].isalpha()  # whole words, nothing around them
            assert not hit.snippet[start - 1 : start].isalpha()
            assert not hit.snippet[end : end + 1].isalpha()
            previous = end


def test_a_snippet_shows_the_match_far_down_in_a_long_text(tmp_path: Path) -> None:
    filler = "Nothing of interest is said in this sentence about weather. " * 30
    wiki = {"long.md": f"# Long\n\n{filler}Only here a walrus sleeps. {filler}\n"}
    hits = open_searcher(build(tmp_path, wiki)).search(SearchRequest("walruses")).hits
    best = next(hit for hit in hits if "walrus" in hit.text)
    assert [best.snippet[a:b] for a, b in best.highlights] == ["walrus"]
    assert len(best.snippet) < 320


def test_a_hit_says_where_it_stands_in_the_file(
    ask: Callable[..., SearchResult],
) -> None:
    hit = ask("Na akom porte počúva server?").hits[0]
    assert hit.document.id == "temy/servery.md"
    assert hit.heading_path == ("Servery", "Prihlásenie")
    assert hit.document.source_url == "https://wiki.example.org/temy/servery.md"
    lines = (SMALL_WIKI / hit.document.id).read_text(encoding="utf-8").splitlines()
    assert any("2222" in line for line in lines[hit.line - 1 : hit.last_line])


def test_a_page_whose_title_repeats_a_word_is_found_by_its_title(tmp_path: Path) -> None:
    wiki = {**PAGES, "day.md": "# Day after day\n\nThe diary of one who counts every hour.\n"}
    result = open_searcher(build(tmp_path, wiki)).search(SearchRequest("Day after day", limit=2))
    best, second = result.hits
    assert best.document.id == "day.md"
    assert best.scores.score == pytest.approx(1, abs=0.05)
    assert second.scores.score < best.scores.score / 2


def test_a_title_quoted_in_a_question_in_forms_that_no_page_has_is_no_dead_end(
    ask: Callable[..., SearchResult],
) -> None:
    found = ask("Na akom porte podľa návodu „serverami preklady“ počúva server?")
    assert found.hits
    assert not found.complete
    assert "without the quotes" in found.reason
    assert ask('"serverami preklady" server').status == "no_hits"
