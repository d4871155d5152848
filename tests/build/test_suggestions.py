"""The names that a build keeps for suggestions, read with nothing but SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.named_pages import open_pages, page, people

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.index import Index


def rows(index: Index, columns: str, where: str = "1") -> list[Any]:
    found = index.connection.execute(
        f"SELECT {columns} FROM suggestions JOIN suggestion_lists ON suggestion_lists.id = list_id "
        f"LEFT JOIN documents ON documents.id = document_id WHERE {where} ORDER BY suggestions.id"
    )
    return found.fetchall()


def test_titles_aliases_authors_tags_and_people_are_names_and_nothing_else(tmp_path: Path) -> None:
    documents = [
        page("a.md", "Server  room", aliases=["Cellar", "?!"], authors=["Ada Noll"], tags=["nlp"])
    ]
    index = open_pages(tmp_path, documents, people(("Jan Kveton", ["a.md"])))
    assert rows(index, "source, kind, name") == [
        ("pages", "title", "Cellar"),
        ("pages", "title", "Server room"),
        ("pages", "person", "Ada Noll"),
        ("pages", "keyword", "nlp"),
        ("graph", "person", "Jan Kveton"),
    ]


def test_a_name_is_one_however_it_is_written_and_mostly_as_it_is(tmp_path: Path) -> None:
    tags = ["Strojový preklad", "strojovy  preklad", "Strojový preklad"]
    documents = [page(f"{n}.md", f"Page {n}", tags=[tag]) for n, tag in enumerate(tags)]
    found = rows(open_pages(tmp_path, documents), "name, uses", "kind = 'keyword'")
    assert found == [("Strojový preklad", 3)]


def test_a_title_is_used_by_its_page_and_by_those_that_link_there(tmp_path: Path) -> None:
    documents = [
        page("a.md", "Alone", links=["b.md", "b.md"]),
        page("b.md", "Known", links=["b.md", "c.md"]),
        page("c.md", "Draft", published=False, links=["a.md", "b.md"]),
        page("d.md", "Other", links=["b.md"], collection="other"),
    ]
    index = open_pages(tmp_path, documents, collections=("wiki", "other"))
    # What a draft or another collection links to is nothing that a reader of these may be told.
    assert rows(index, "suggestion_lists.published, name, uses") == [
        (1, "Known", 2), (1, "Alone", 1), (0, "Draft", 1), (1, "Other", 1),
    ]  # fmt: skip


def test_a_name_of_several_pages_belongs_to_none_of_them(tmp_path: Path) -> None:
    documents = [page("a/n.md", "Notes"), page("b/n.md", "Notes"), page("c.md", "Plan")]
    assert rows(open_pages(tmp_path, documents), "name, uses, path") == [
        ("Notes", 2, None), ("Plan", 1, "c.md"),
    ]  # fmt: skip


def test_a_person_is_in_the_list_of_each_page_and_has_a_page_where_that_is_seen(
    tmp_path: Path,
) -> None:
    documents = [
        page("own.md", "Ing. Jan Kveton"),
        page("talk.md", "Talk"),
        page("draft.md", "Plan", published=False),
        page("far.md", "Far", collection="other"),
    ]
    graph = people(("Jan Kveton", ["own.md", "talk.md", "draft.md", "far.md"]), about=["own.md"])
    index = open_pages(tmp_path, documents, graph, collections=("wiki", "other"))
    places = "suggestion_lists.collection_id, suggestion_lists.published"
    assert rows(index, f"{places}, uses, path", "kind = 'person'") == [
        (1, 1, 2, "own.md"), (1, 0, 1, None), (2, 1, 1, None),
    ]  # fmt: skip
