"""Pages listed, found by any of their addresses, read whole or in part, and their history."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.documents import (
    ListRequest,
    document_history,
    list_documents,
    read_document,
)
from index_artifacts.errors import DocumentNotFoundError, QueryError
from index_artifacts.index import Index
from tests.tiny_wiki import build
from tests.wiki import commit_all, git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = "".join(f"| server {n} | room {n} | hums all night and never stops |\n" for n in range(200))
GUIDE = (
    "Before the first heading.\n\n# Guide\n\nIntro.\n\n## Setup\n\nPlug it in.\n\n"
    "### Cables\n\nThe red one.\n\n## Use\n\nPress start.\n\n# Setup\n\nAnother of the name.\n"
)
LONG = f"# Long\n\n{'A sentence about servers. ' * 400}\n\n| a | b | c |\n|---|---|---|\n{ROWS}"
PAGES = {
    "docs/01.guide/default.md": f"---\ntitle: The guide\ntaxonomy: {{tag: [How]}}\n---\n{GUIDE}",
    "docs/long.md": LONG,
    "people/Žofia Nová.md": "---\nauthor: Ana\nyear: 2024\npermalink: /zofia/\n---\nTeaches.\n",
    "people/empty.md": "---\ntitle: Only a title\n---\n",
    "README.md": "# Home\n\nStart here.\n",
    "secret/plan.md": "---\npublished: false\nauthor: Ana\npermalink: zofia\n---\nHidden words.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    collections = ({"name": "people", "path": "people"}, {"name": "wiki"})
    artifact = build(
        tmp_path_factory.mktemp("documents"), PAGES, publication="mark",
        collections=collections, source_url="https://wiki.example.org/{route}",
    )  # fmt: skip
    return Index(artifact)


def body_of(path: str) -> str:
    return PAGES[path].split("---\n", 2)[2] if PAGES[path].startswith("---") else PAGES[path]


@pytest.mark.parametrize("path", [path for path in PAGES if not path.startswith("secret")])
def test_a_page_read_whole_is_its_text_to_the_last_character(index: Index, path: str) -> None:
    reading = read_document(index, path)
    assert reading.text == body_of(path)
    assert reading.document.id == path
    assert (reading.offset, reading.end, reading.characters) == (0, *[len(reading.text)] * 2)
    assert "".join(reading.text[s.start : s.end] for s in reading.sections) == reading.text


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/people/Žofia Nová.md", "people/Žofia Nová.md"),
        ("people/z\u030cofia nova\u0301.MD", "people/Žofia Nová.md"),
        ("people/%C5%BDofia%20Nov%C3%A1.md#2", "people/Žofia Nová.md"),
        ("zofia", "people/Žofia Nová.md"),
        ("/zofia/", "people/Žofia Nová.md"),
        ("https://wiki.example.org/people/%C5%BDofia%20Nov%C3%A1", "people/Žofia Nová.md"),
        ("https://wiki.example.org/docs/guide#setup", "docs/01.guide/default.md"),
        ("/docs/guide", "docs/01.guide/default.md"),
        ("docs/01.guide/default", "docs/01.guide/default.md"),
        ("/", "README.md"),
        ("README", "README.md"),
    ],
)
def test_a_page_is_found_by_path_permalink_link_and_route(
    index: Index, address: str, path: str
) -> None:
    assert read_document(index, address).document.id == path


def test_one_link_for_all_pages_leads_to_none(tmp_path: Path) -> None:
    index = Index(build(tmp_path, source_url="https://wiki.example.org/"))
    with pytest.raises(DocumentNotFoundError):
        read_document(index, "https://wiki.example.org/")


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Setup", "## Setup\n\nPlug it in.\n\n### Cables\n\nThe red one.\n\n"),
        ("## setup", "## Setup\n\nPlug it in.\n\n### Cables\n\nThe red one.\n\n"),
        ("Guide > Setup > Cables", "### Cables\n\nThe red one.\n\n"),
        ("use", "## Use\n\nPress start.\n\n"),
        ("Guide", GUIDE[GUIDE.index("# Guide") : GUIDE.index("# Setup\n\nAnother")]),
    ],
)
def test_a_section_is_read_with_all_that_is_in_it(index: Index, heading: str, text: str) -> None:
    reading = read_document(index, "/docs/guide", heading=heading)
    assert reading.text == text
    assert reading.heading_path[-1].lower() in heading.lower()
    assert reading.characters == len(text)


def test_the_last_section_goes_to_the_end(index: Index) -> None:
    body = body_of("docs/long.md")
    assert read_document(index, "docs/long.md", heading="long").text == body


def test_a_heading_that_is_not_there_is_answered_with_those_that_are(index: Index) -> None:
    with pytest.raises(DocumentNotFoundError, match="it has 'Guide', 'Setup', 'Cables', 'Use'"):
        read_document(index, "docs/guide", heading="Teardown")
    with pytest.raises(DocumentNotFoundError, match="it has none"):
        read_document(index, "people/empty.md", heading="Teardown")


@pytest.mark.parametrize("most", [1, 7, 100, 5000, 10**6])
def test_a_long_page_read_part_by_part_is_the_whole(index: Index, most: int) -> None:
    body = body_of("docs/long.md")
    parts: list[str] = []
    offset = 0
    while offset < len(body) and len(parts) < 40:
        reading = read_document(index, "docs/long.md", offset=offset, max_characters=most)
        assert 1 <= len(reading.text) <= most
        assert reading.characters == len(body)
        parts.append(reading.text)
        offset = reading.end
    assert "".join(parts) == body[:offset]
    if most == 5000:
        assert all(part.endswith("\n") for part in parts[3:])  # inside the table


def test_reading_on_beyond_the_end_is_refused(index: Index) -> None:
    assert read_document(index, "README.md", offset=20).text == ""
    with pytest.raises(QueryError, match="offset 21 is beyond the end, 20"):
        read_document(index, "README.md", offset=21)


READERS: list[Callable[..., object]] = [read_document, document_history]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("address", ["secret/plan.md", "/secret/plan", "SECRET/PLAN.MD"])
def test_an_unpublished_page_is_as_one_that_does_not_exist(
    index: Index, read: Callable[..., object], address: str
) -> None:
    with pytest.raises(DocumentNotFoundError) as error:
        read(index, address)
    assert "plan.md'" not in str(error.value).replace(repr(address), "")
    read(index, address, published_only=False)


def test_a_name_that_an_unpublished_page_shares_leads_to_the_published_one(index: Index) -> None:
    assert read_document(index, "zofia").document.id == "people/Žofia Nová.md"


@pytest.mark.parametrize("read", READERS)
def test_an_unknown_page_is_answered_with_similar_ones(
    index: Index, read: Callable[..., object]
) -> None:
    with pytest.raises(DocumentNotFoundError, match=r"no page 'docs/lnog\.md'; similar: 'docs/lo"):
        read(index, "docs/lnog.md")


@pytest.mark.parametrize("address", ["", "\x00", "\ud800", "x" * 100_000, "%", "#", "?", "../.."])
def test_no_address_breaks_the_search_for_it(tmp_path: Path, address: str) -> None:
    index = Index(build(tmp_path))
    with pytest.raises(DocumentNotFoundError) as error:
        read_document(index, address)
    assert len(str(error.value)) < 1000


def paths(index: Index, **fields: object) -> list[str]:
    listing = list_documents(index, ListRequest(**fields))  # type: ignore[arg-type]
    return [document.id for document in listing.documents]


def test_pages_are_listed_by_path_without_unpublished_ones(index: Index) -> None:
    published = sorted(path for path in PAGES if path != "secret/plan.md")
    assert paths(index) == published
    assert paths(index, published_only=False) == sorted(PAGES)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"prefix": "docs/"}, ["docs/01.guide/default.md", "docs/long.md"]),
        ({"prefix": "/docs/l"}, ["docs/long.md"]),
        ({"collections": ("people",)}, ["people/empty.md", "people/Žofia Nová.md"]),
        ({"authors": ("ana",)}, ["people/Žofia Nová.md"]),
        ({"tags": ("how", "other")}, ["docs/01.guide/default.md"]),
        ({"categories": ("how",)}, []),
        ({"years": (2024,), "prefix": "people"}, ["people/Žofia Nová.md"]),
        ({"languages": ("sk",)}, []),
        ({"prefix": "secret"}, []),
    ],
)
def test_filters_narrow_a_list(index: Index, fields: dict[str, object], found: list[str]) -> None:
    assert paths(index, **fields) == found


def test_a_list_is_read_page_by_page_and_counts_everything(index: Index) -> None:
    first = list_documents(index, ListRequest(limit=2))
    rest = list_documents(index, ListRequest(limit=50, offset=2))
    assert first.total == rest.total == 5
    assert [d.id for d in (*first.documents, *rest.documents)] == paths(index)
    assert list_documents(index, ListRequest(offset=99)).documents == ()


def test_an_unknown_collection_is_named(index: Index) -> None:
    with pytest.raises(QueryError, match="'x' is unknown; there are: people, wiki"):
        list_documents(index, ListRequest(collections=("x",)))


def test_a_history_is_the_commits_of_the_page(tmp_path: Path) -> None:
    build(tmp_path)
    commit_all(tmp_path / "wiki", date="2026-01-01T12:00:00Z")
    changed = {"printer.md": "# Printer\n\nIt is gone.\n"}
    build(tmp_path, changed)
    second = commit_all(tmp_path / "wiki", author="Eva", date="2026-02-01T12:00:00Z")
    index = Index(build(tmp_path, changed))
    revisions = document_history(index, "printer").revisions
    assert [(r.date[:10], r.author) for r in revisions] == [
        ("2026-02-01", "Eva"), ("2026-01-01", "Ana"),
    ]  # fmt: skip
    assert revisions[0].revision == second == git(tmp_path / "wiki", "rev-parse", "HEAD")
    assert len(document_history(index, "garden.md").revisions) == 1


def test_a_version_of_a_plain_folder_has_no_history(index: Index) -> None:
    assert document_history(index, "README.md").revisions == ()
