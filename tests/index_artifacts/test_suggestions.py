"""Suggestions while somebody types."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from index_artifacts.errors import QueryError
from index_artifacts.suggestions import LIMIT, SuggestRequest, suggest
from tests.named_pages import open_pages, page, people

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.index import Index

DOCUMENTS = [
    page("preklad.md", "Strojový preklad", aliases=["MT"], tags=["NLP", "preklad"]),
    page("kveton.md", "Ján Květoň", authors=["Ján Květoň", "Łucja Żak"], tags=["dp2024"]),
    page("plan.md", "Plán", authors=["Jan Kveton"], tags=["nlp"], links=["server.md"]),
    page("server.md", "Server room", tags=["servers"]),
    page("room.md", "Room of servers"),
    page("notes/1.md", "Notes", tags=["Server room"]),
    page("notes/2.md", "Notes"),
    page("ru.md", "Машинный перевод", authors=["Пётр Ёлкин"], tags=["c++", "йога"]),
    page("draft.md", "Secret plan", authors=["Dora Dark"], published=False),
    page("lab.md", "Laboratory", tags=["nlp", "lab"], collection="lab"),
]


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    graph = people(
        ("Ján Květoň", ["kveton.md", "plan.md"]), ("Eva Rooney", ["room.md"]), about=["kveton.md"]
    )
    with tempfile.TemporaryDirectory() as folder:
        yield open_pages(Path(folder), DOCUMENTS, graph, collections=("wiki", "lab"))


def told(index: Index, text: str, **fields: Any) -> list[tuple[str, str, str]]:
    found = suggest(index, SuggestRequest(text, **fields)).found
    return [(one.text, one.kind, one.path) for one in found]


def names(index: Index, text: str, **fields: Any) -> list[str]:
    return [name for name, _, _ in told(index, text, **fields)]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("str", "Strojový preklad"),
        ("STROJOVÝ", "Strojový preklad"),
        ("prekl", "Strojový preklad"),
        ("strojovy pre", "Strojový preklad"),
        ("preklad stroj", "Strojový preklad"),
        ("  preklad,  stroj ", "Strojový preklad"),
        ("kveton", "Ján Květoň"),
        ("kveton ja", "Ján Květoň"),
        ("zak", "Łucja Żak"),
        ("маши", "Машинный перевод"),
        ("перевод м", "Машинный перевод"),
        ("елк", "Пётр Ёлкин"),
        ("йо", "йога"),
        ("c++", "c++"),
        ("mt", "MT"),
    ],
)
def test_the_beginning_of_any_word_finds_a_name_without_case_and_diacritics(
    index: Index, typed: str, name: str
) -> None:
    assert name in names(index, typed)


@pytest.mark.parametrize(
    "typed", ["", "  ", "?!", '"', "*", "^", "trojovy", "str pre", "preklad x", "x " * 40, "и"]
)
def test_what_no_name_goes_on_like_suggests_nothing(index: Index, typed: str) -> None:
    assert told(index, typed) == []


def test_syntax_of_fts5_is_text_like_any_other(index: Index) -> None:
    assert names(index, 'NOTES" OR "server') == []
    assert names(index, "words : notes") == []
    assert names(index, "notes*") == ["Notes"]
    assert names(index, "NOT") == ["Notes"]
    assert names(index, "server AND") == []


def test_names_that_begin_so_come_first_then_titles_people_and_keywords(index: Index) -> None:
    assert told(index, "ro") == [
        ("Room of servers", "title", "room.md"),
        ("Server room", "title", "server.md"),
        ("Eva Rooney", "person", ""),
    ]
    assert told(index, "p") == [
        ("Plán", "title", "plan.md"),
        ("preklad", "keyword", ""),
        ("Strojový preklad", "title", "preklad.md"),
    ]


def test_a_person_with_a_page_and_written_in_two_ways_is_one_suggestion(index: Index) -> None:
    assert told(index, "kve") == [("Ján Květoň", "person", "kveton.md")]


def test_a_page_is_suggested_once_by_the_name_that_fits_best(tmp_path: Path) -> None:
    documents = [
        page("a.md", "Ing. Eva Rooney, PhD.", aliases=["Eva", "Rooney page"]),
        page("b.md", "Rover", aliases=["Root", "Old root of all"]),
    ]
    index = open_pages(tmp_path, documents, people(("Eva Rooney", ["a.md"]), about=["a.md"]))
    assert told(index, "ro") == [("Root", "title", "b.md"), ("Rooney page", "title", "a.md")]
    assert told(index, "eva ro") == [("Eva Rooney", "person", "a.md")]
    assert told(index, "ing") == [("Ing. Eva Rooney, PhD.", "title", "a.md")]
    assert told(index, "old r") == [("Old root of all", "title", "b.md")]


def test_a_page_of_many_names_leaves_room_for_other_pages(tmp_path: Path) -> None:
    many = [f"Page {number}" for number in range(60)]
    documents = [page("a.md", "Page", aliases=many), page("b.md", "Another page")]
    index = open_pages(tmp_path, documents)
    assert told(index, "pa") == [("Page", "title", "a.md"), ("Another page", "title", "b.md")]


def test_a_title_that_is_a_keyword_as_well_is_a_title(index: Index) -> None:
    assert told(index, "server r") == [("Server room", "title", "server.md")]


def test_a_title_of_several_pages_leads_to_none_of_them(index: Index) -> None:
    assert told(index, "note") == [("Notes", "title", "")]


def test_names_of_drafts_are_for_those_who_ask_for_drafts(index: Index) -> None:
    assert names(index, "secret") == names(index, "dark") == []
    assert told(index, "sec", published_only=False) == [("Secret plan", "title", "draft.md")]
    assert names(index, "dar", published_only=False) == ["Dora Dark"]


def test_only_names_of_the_chosen_collections_are_suggested(index: Index) -> None:
    assert names(index, "la") == ["Laboratory", "lab"]
    assert names(index, "la", collections=("wiki",)) == []
    assert names(index, "n", collections=("lab",)) == ["nlp"]
    with pytest.raises(QueryError, match="collection 'x' is unknown; there are: wiki, lab"):
        suggest(index, SuggestRequest("la", collections=("x",)))


def test_what_more_pages_use_comes_first_and_there_are_eight(tmp_path: Path) -> None:
    tags = [f"tag {letter}" for letter in "abcdefghij"]
    documents = [page(f"{n}.md", f"Page {n}", tags=tags[n:]) for n in range(len(tags))]
    index = open_pages(tmp_path, documents)
    found = suggest(index, SuggestRequest("t"))
    assert [one.text for one in found.found] == [f"tag {letter}" for letter in "jihgfedc"]
    assert len(found.found) == LIMIT
    assert found.truncated
    found = suggest(index, SuggestRequest("tag", limit=2))
    assert ([one.text for one in found.found], found.truncated) == (["tag j", "tag i"], True)
    assert not suggest(index, SuggestRequest("tag j")).truncated


def test_a_wiki_without_a_name_suggests_nothing(tmp_path: Path) -> None:
    index = open_pages(tmp_path, [page("a.md", "…")], collections=("wiki", "empty"))
    assert names(index, "a") == []
    assert names(index, "a", collections=("empty",)) == []
