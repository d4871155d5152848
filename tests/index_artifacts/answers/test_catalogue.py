"""What of a question the catalogue of pages understands, and what it must not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.catalogue import (
    MOST_PAGES,
    Asked,
    filters_by,
    look_up,
    told,
    understand,
)
from index_artifacts.answers.lemmas import Lemmatiser
from index_artifacts.errors import QueryError
from index_artifacts.search import SearchRequest
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from index_artifacts.index import Index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    head = "---\ntaxonomy:\n  author: [{author}]\n  tag: [{tag}]\n  category: [{category}]\n---\n"
    rows = [
        ("Ján Hruška", "nlp", "guides"),
        ("Jana Hrušková", "nlp", "guides"),
        ("prof. Ing. Ivan Novák, PhD.", "speech", "guides"),
        ("Ivan Novák ml.", "machine translation", "office"),
    ]
    pages = {
        f"page{n}.md": head.format(author=f'"{author}"', tag=tag, category=category)
        + f"# Page {n}\n\nWhat stands on it is of no matter.\n"
        for n, (author, tag, category) in enumerate(rows)
    }
    folder = tmp_path_factory.mktemp("catalogue")
    return open_searcher(build(folder, pages, languages=("sk", "en"))).index


@pytest.mark.parametrize(
    ("question", "facet", "value", "counts"),
    [
        ("Koľko stránok napísal Ján Hruška?", "author", "Ján Hruška", True),
        ("Ktoré stránky napísala Jana Hrušková?", "author", "Jana Hrušková", False),
        ("Zoznam stránok, ktorých autorom je Ján Hruška", "author", "Ján Hruška", False),
        ("Počet stránok od autora Jána Hrušku?", "author", "Ján Hruška", True),
        ("Which pages did prof. Ivan Novák write?", "author", "prof. Ing. Ivan Novák, PhD.", False),
        ("Which pages have the tag nlp?", "tag", "nlp", False),
        ("How many pages are tagged machine translation?", "tag", "machine translation", True),
        ("Koľko stránok má značku speech?", "tag", "speech", True),
        ("Ktoré stránky patria do kategórie guides?", "category", "guides", False),
        ("List all pages in the category office.", "category", "office", False),
    ],
)  # fmt: skip
def test_a_form_and_a_value_of_the_wiki_are_understood(
    index: Index, question: str, facet: str, value: str, counts: bool
) -> None:
    assert understand(index, question, Lemmatiser(index)) == Asked(facet, value, counts)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Ján Hruška",
        "Koľko stránok má wiki?",
        "Which pages have the tag zebra?",
        "Koľko stránok napísal Peter Benko?",
        "Kto napísal stránku Page 1?",
        # What is left over would be ignored, and the answer be one to another question.
        "Koľko strán má práca, ktorej autorom je Ján Hruška?",
        "Which pages about zebras did Ján Hruška write?",
        "How many pages with the tag nlp were deleted?",
        "Koľko stránok napísal Ján Hruška o zebrách?",
        "Which pages of the thesis by the author Ján Hruška are blank?",
    ],
)
def test_anything_else_is_not_understood(index: Index, question: str) -> None:
    assert understand(index, question, Lemmatiser(index)) is None


def test_pages_are_listed_by_path_among_those_that_the_request_allows(index: Index) -> None:
    asked = Asked("category", "guides", counts=False)
    listed = look_up(index, asked, SearchRequest("x"), ())
    assert [page.id for page in listed.pages] == ["page0.md", "page1.md", "page2.md"]
    assert (listed.total, listed.complete) == (3, True)
    only = look_up(index, asked, SearchRequest("x", tags=("speech",)), ())
    assert [page.id for page in only.pages] == ["page2.md"]
    none = look_up(index, asked, SearchRequest("x", languages=("ru",)), ())
    assert (none.pages, none.total, none.complete) == ((), 0, True)
    with pytest.raises(QueryError, match="collection 'x' is unknown"):
        look_up(index, asked, SearchRequest("x"), ("x",))


def test_a_filter_of_the_facet_itself_is_noticed() -> None:
    asked = Asked("author", "Ján Hruška", counts=True)
    assert filters_by(SearchRequest("x", authors=("Ján Hruška",)), asked)
    assert not filters_by(SearchRequest("x", tags=("nlp",), categories=("guides",)), asked)


@pytest.mark.parametrize("language", ["sk", "cs", "pl", "ru", "en", "de", ""])
def test_the_facts_are_told_in_five_languages_and_else_in_english(
    index: Index, language: str
) -> None:
    for facet, value in (("author", "Ján Hruška"), ("tag", "nlp"), ("category", "guides")):
        listed = look_up(index, Asked(facet, value, counts=True), SearchRequest("x"), ())
        shared, total = told(listed, language)
        assert value in shared
        assert total.endswith(f": {listed.total}")
        if language in {"", "de"}:
            assert (shared, total) == told(listed, "en")
    assert MOST_PAGES >= 10
