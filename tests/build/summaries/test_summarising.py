"""Summaries and keywords of a built version: whose they are, and what they are not."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

from build.lemmas import Lemmas
from build.markdown import parse
from build.summaries.keywords import KeywordFinder
from index_artifacts.manifest import INDEX_FILE
from index_artifacts.records import Document
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from pathlib import Path

PAGES = {
    "own.md": "---\nsummary: What its *author* says of it.\ntags: [hum]\n---\n\n# Own\n\n"
    "The server room hums at night and nobody sleeps.\n",
    "switch.md": "---\nsummary: false\n---\n\n# Switch\n\n"
    "The network switch blinks all day long.\n",
    "list.md": "# List\n\n- paper\n- toner\n",
}


def rows(folder: Path, query: str) -> list[Any]:
    connection = sqlite3.connect(folder / INDEX_FILE)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_an_authors_summary_wins_and_everybodys_name_stands_beside_it(tmp_path: Path) -> None:
    artifact = build(tmp_path, PAGES)
    found = rows(artifact.folder, "SELECT path, summary, summary_by FROM documents ORDER BY path")
    assert found == [
        ("list.md", "", ""),
        ("own.md", "What its author says of it.", "author"),
        ("switch.md", "The network switch blinks all day long.", "extractive"),
    ]
    counts = artifact.manifest.counts
    assert (counts["summaries_author"], counts["summaries_extractive"]) == (1, 1)
    assert (counts["summaries_model"], counts["documents_without_summary"]) == (0, 1)


def test_a_source_may_have_no_summaries_but_for_its_authors_own(tmp_path: Path) -> None:
    artifact = build(tmp_path, PAGES, sources=({"kind": "markdown", "summaries": False},))
    found = dict(rows(artifact.folder, "SELECT path, summary_by FROM documents"))
    assert found == {"list.md": "", "own.md": "author", "switch.md": ""}


def test_keywords_are_given_where_no_tags_are_and_are_no_facets_and_no_facts(
    tmp_path: Path,
) -> None:
    artifact = build(tmp_path, PAGES)
    found = dict(rows(artifact.folder, "SELECT path, keywords FROM documents"))
    assert json.loads(found["own.md"]) == []
    assert "switch" in json.loads(found["switch.md"])
    tags = rows(artifact.folder, "SELECT value FROM facets WHERE facet = 'tag'")
    assert tags == [("hum",)]
    named = rows(artifact.folder, "SELECT name FROM entities WHERE type = 'Keyword'")
    assert named == [("hum",)]


def test_another_page_changes_no_summary(tmp_path: Path) -> None:
    query = "SELECT path, summary FROM documents WHERE path = 'switch.md'"
    before = rows(build(tmp_path / "one", PAGES).folder, query)
    more = {**PAGES, "more.md": "# More\n\nNetwork, network, network and a switch again.\n"}
    assert rows(build(tmp_path / "two", more).folder, query) == before


def page(path: str, text: str, collection: str = "wiki", *, published: bool = True) -> Document:
    title, _, body = text.partition("\n")
    return Document(
        path=path, collection=collection, title=title, language="sk", body=body,
        content_hash="", published=published,
    )  # fmt: skip


def keywords(*pages: Document, lemmas: Lemmas | None = None) -> dict[str, tuple[str, ...]]:
    structures = {document.path: parse(document.body) for document in pages}
    finder = KeywordFinder(pages, lambda d: structures[d.path], lemmas or Lemmas())
    return {document.path: finder.keywords(document) for document in pages}


def test_keywords_are_frequent_here_rare_elsewhere_and_in_the_form_that_is_mostly_written() -> None:
    lemmas = Lemmas(of={"sk": {"kódera": "koder", "kóderom": "koder", "kóder": "koder"}})
    coder = page("a", "Text\nBeží test kódera. Druhý test kódera meria test s kóderom. A aj.\n")
    other = page("b", "Iné\nTest tu, test tam, test všade. Kóder spí, hoci kóder nemá spať.\n")
    third = page("c", "Iné\nTest, test a zas test. Kóder.\n")
    found = keywords(coder, other, third, lemmas=lemmas)["a"]
    assert found[0] in {"kódera", "test kódera"}
    assert "aj" not in found


def test_two_words_that_stand_together_are_one_keyword() -> None:
    body = "Strojový preklad je ťažký. Tento strojový preklad meriame. Hluk.\n"
    assert keywords(page("a", f"Meranie\n{body}"))["a"][0] == "strojový preklad"


def test_a_collections_keywords_tell_nothing_of_another_one_nor_of_drafts() -> None:
    own = page("a", "Server\nServer má zdroj a server má disk. Zdroj hučí, disk hučí.\n")
    alone = keywords(own)["a"]
    hidden = page("b", "Zdroj\n" + "Zdroj hučí, zdroj svieti, zdroj sa hreje. " * 9, "cellar")
    draft = page("c", "Zdroj\n" + "Zdroj hučí, zdroj svieti, zdroj sa hreje. " * 9, published=False)
    assert keywords(own, hidden, draft)["a"] == alone
