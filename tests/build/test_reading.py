"""From a page's file to a document, and what is said of each page that becomes none."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from build.config import BuildConfig, load_config
from build.git import open_repository
from build.pages import find_pages
from build.reading import PageReader
from build.report import Report
from index_artifacts.manifest import Source
from index_artifacts.records import Link
from tests.wiki import WordTokenizer, commit_all, git, read_documents, write_pages

if TYPE_CHECKING:
    from pathlib import Path

    from index_artifacts.records import Document


def read_one(tmp_path: Path, page: str | bytes, **settings: object) -> Document:
    (document,), _ = read_documents(tmp_path, {"a.md": page}, load_config(tmp_path, **settings))
    return document


def read_repository(root: Path, **settings: object) -> tuple[list[Document], Report]:
    report, repository = Report(), open_repository(root)
    assert repository is not None
    reader = PageReader(load_config(root, **settings), repository.source(), repository, report)
    return reader.read(find_pages(root, repository, (), report), lambda *_: None), report


@pytest.mark.parametrize(
    ("path", "page", "title"),
    [
        ("a.md", "---\ntitle: Z hlavičky\n---\n# Nadpis\n", "Z hlavičky"),
        ("a.md", "---\ntitle:\n---\n# Nadpis\n", "Nadpis"),
        ("a.md", "text\n\n## Druhý\n\n# *Prvý* `kód`\n", "Prvý kód"),
        ("a.md", "```\n# komentár\n```\n\ntext\n", "a"),
        ("dir/my-long_name.md", "text", "my long name"),
        ("02.students/01.jana_mokra/README.md", "text", "jana mokra"),
        ("01.intro.md", "text", "01.intro"),
        ("Home.md", "text", "Home"),
        ("-.md", "text", "-.md"),
    ],
)
def test_a_title_is_stated_or_the_first_heading_or_the_files_name(
    tmp_path: Path, path: str, page: str, title: str
) -> None:
    (document,), _ = read_documents(tmp_path, {path: page}, BuildConfig())
    assert document.title == title


def test_a_document_holds_its_body_as_written_and_where_it_starts(tmp_path: Path) -> None:
    document = read_one(tmp_path, "---\ntitle: a\n---\n\n# B\n\n text \n\n")
    assert document.body == "\n# B\n\n text \n\n"
    assert document.body_line == 4
    assert document.sections[1].line == 5
    assert document.content_hash == hashlib.sha256(document.body.encode()).hexdigest()
    assert document.front_matter == {"title": "a"}


def test_byte_order_mark_and_line_ends_change_nothing(tmp_path: Path) -> None:
    text = "---\ntitle: Sieť\ntags: [a, b]\n---\n# Úvod\n\nText o sieti.\n"
    plain = read_one(tmp_path / "1", text)
    assert read_one(tmp_path / "2", b"\xef\xbb\xbf" + text.encode()) == plain
    assert read_one(tmp_path / "3", text.replace("\n", "\r\n")) == plain


def test_links_in_front_matter_count_and_keep_their_fragment(tmp_path: Path) -> None:
    document = read_one(tmp_path, '---\nup: "[[Siete#Porty|tam]]"\n---\n[x](b.md)\n')
    assert document.links == (Link("Siete", "wikilink", 2, "Porty"), Link("b.md", "markdown", 4))


def test_every_page_that_becomes_no_document_is_in_the_report(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {
        "good.md": "text",
        "empty.md": "",
        "hidden.md": "---\npublished: false\n---\ntext",
        "cp1250.md": "kůň".encode("cp1250"),
        "pointer.md": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    }
    documents, report = read_documents(tmp_path, pages, BuildConfig())
    assert [document.path for document in documents] == ["good.md"]
    assert {row["path"]: (row["severity"], row["code"]) for row in report.rows()} == {
        "empty.md": ("skipped", "empty"),
        "hidden.md": ("excluded", "unpublished"),
        "cp1250.md": ("skipped", "encoding"),
        "pointer.md": ("skipped", "lfs-pointer"),
    }


def test_a_page_of_nothing_but_front_matter_is_found_by_its_title(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {"a.md": "---\ntitle: Iba hlavička\n---\n"}
    (document,), report = read_documents(tmp_path, pages, BuildConfig())
    assert (document.title, document.body) == ("Iba hlavička", "")
    assert [row["code"] for row in report.rows()] == ["no-text"]
    reader = PageReader(BuildConfig(), Source(), None, Report())
    (again,) = reader.read(find_pages(tmp_path, None, (), Report()), lambda *_: None)
    assert [chunk.text for chunk in reader.split(again, WordTokenizer()).chunks] == [""]


@pytest.mark.parametrize(
    ("publication", "flags"),
    [("exclude", [True]), ("mark", [True, False]), ("ignore", [True, True])],
)
def test_the_publication_rule_decides_about_unpublished_pages(
    tmp_path: Path, publication: str, flags: list[bool]
) -> None:
    pages: dict[str, str | bytes] = {"a.md": "text", "b.md": "---\npublished: no\n---\ntext"}
    config = load_config(tmp_path, publication=publication)
    documents, _ = read_documents(tmp_path, pages, config)
    assert [document.published for document in documents] == flags


def test_a_page_belongs_to_the_first_collection_that_holds_it(tmp_path: Path) -> None:
    collections = (
        {"name": "people", "path": "./people/"},
        {"name": "jana", "path": "people/jana.md"},
        {"name": "topics", "path": "topics"},
    )
    config = load_config(tmp_path, collections=collections)
    pages = dict.fromkeys(["people/jana.md", "topics/a.md", "topics-old/b.md", "c.md"], "text")
    documents, report = read_documents(tmp_path, pages, config)
    assert [(document.collection, document.path) for document in documents] == [
        ("people", "people/jana.md"),
        ("topics", "topics/a.md"),
    ]
    assert {row["path"]: row["code"] for row in report.rows()} == {
        "c.md": "no-collection",
        "topics-old/b.md": "no-collection",
    }


def test_documents_come_in_the_order_of_collections_then_paths(tmp_path: Path) -> None:
    collections = ({"name": "z", "path": "z"}, {"name": "rest"})
    config = load_config(tmp_path, collections=collections)
    pages = dict.fromkeys(["a.md", "z/b.md", "z/a.md", "b/c.md"], "text")
    documents, _ = read_documents(tmp_path, pages, config)
    assert [document.path for document in documents] == ["z/a.md", "z/b.md", "a.md", "b/c.md"]


def test_a_source_url_is_filled_in_and_quoted(tmp_path: Path) -> None:
    template = "https://x/{revision}/{path}|{path_without_extension}|{route}|{collection}"
    collections = ({"name": "c", "path": "c", "source_url": "https://y/{route}"}, {"name": "wiki"})
    write_pages(tmp_path, {"01.a b/ž.md": "text", "c/README.md": "text"})
    revision = commit_all(tmp_path)
    documents, _ = read_repository(tmp_path, source_url=template, collections=collections)
    assert [document.source_url for document in documents] == [
        "https://y/c",
        f"https://x/{revision}/01.a%20b/%C5%BE.md|01.a%20b/%C5%BE|a%20b/%C5%BE|wiki",
    ]


def test_git_supplies_date_and_author_of_each_page(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path, {"a.md": "1"}), author="Jana", date="2026-01-01T00:00:00Z")
    write_pages(tmp_path, {"untracked.md": "1"})
    documents, report = read_repository(tmp_path)
    assert [(document.commit_date, document.commit_author) for document in documents] == [
        ("2026-01-01T00:00:00Z", "Jana"),
        (None, None),
    ]
    assert report.rows() == []


def test_a_shallow_clone_has_none_and_the_report_says_why(tmp_path: Path) -> None:
    commit_all(write_pages(tmp_path / "origin", {"a.md": "1"}))
    commit_all(write_pages(tmp_path / "origin", {"b.md": "1"}))
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "origin").as_uri(), "shallow")
    documents, report = read_repository(tmp_path / "shallow")
    assert {document.commit_date for document in documents} == {None}
    assert [row["code"] for row in report.rows()] == ["shallow-clone"]


def test_findings_name_the_line_of_the_file(tmp_path: Path) -> None:
    page = "---\ntitle: a\ncreated: 2026-02-30\n---\ntext\n"
    _, report = read_documents(tmp_path, {"dir/a.md": page}, BuildConfig())
    (row,) = report.rows()
    assert (row["path"], row["line"], row["severity"]) == ("dir/a.md", 3, "degraded")
    assert "2026-02-30" in row["reason"]
