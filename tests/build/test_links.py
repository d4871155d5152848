"""Which page a link means, in every way that wikis write links."""

from __future__ import annotations

import pytest

from build.links import LinkResolver, resolve_links, route
from build.report import Report
from index_artifacts.records import Document, Link


def document(
    path: str,
    title: str = "",
    aliases: tuple[str, ...] = (),
    permalink: str = "",
    links: tuple[Link, ...] = (),
) -> Document:
    return Document(
        path, "wiki", title or path, "en", body="", content_hash="",
        aliases=aliases, permalink=permalink, links=links,
    )  # fmt: skip


GRAV = [
    "pages/01.home/default.md",
    "pages/02.students/2023/jana_mokra/README.md",
    "pages/02.students/2023/ivan/README.md",
    "pages/03.topics/named-entity/README.md",
    "pages/03.topics/item.md",
]


def resolve(paths: list[str], source: str, target: str, kind: str = "markdown") -> str | None:
    return LinkResolver(map(document, paths)).resolve(Link(target, kind, 1), source)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("a/b.md", "a/b"),
        ("01.home/default.md", "home"),
        ("a/README.md", "a"),
        ("README.md", "README"),
        ("a/01.02.b/index.md", "a/02.b"),
        ("a/1.md", "a/1"),
        ("", ""),
    ],
)
def test_a_route_is_the_address_on_the_site(path: str, address: str) -> None:
    assert route(path) == address


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("../ivan", "pages/02.students/2023/ivan/README.md"),
        ("../ivan/", "pages/02.students/2023/ivan/README.md"),
        ("../ivan/README.md", "pages/02.students/2023/ivan/README.md"),
        ("./README.md", "pages/02.students/2023/jana_mokra/README.md"),
        ("/pages/topics/named-entity", "pages/03.topics/named-entity/README.md"),
        ("../../../03.topics/item.md", "pages/03.topics/item.md"),
        ("/PAGES/Topics", "pages/03.topics/item.md"),
        ("../nobody", None),
        ("../../../../../../etc/passwd", None),
    ],
)
def test_paths_and_routes_are_relative_to_the_page_or_the_root(
    target: str, found: str | None
) -> None:
    assert resolve(GRAV, "pages/02.students/2023/jana_mokra/README.md", target) == found


@pytest.mark.parametrize("target", ["/", "//", "../..", "../../", "a/../../.."])
def test_a_link_to_the_root_is_its_own_page(target: str) -> None:
    assert resolve(["README.md", "a/b/c.md", "a/b/d.md"], "a/b/c.md", target) == "README.md"


@pytest.mark.parametrize("target", ["/", "//", "..", "../", "../../x"])
def test_a_root_without_a_page_of_its_own_is_no_page_and_no_crash(target: str) -> None:
    assert resolve(["a.md", "b.md"], "a.md", target) is None


def test_a_fragment_alone_is_the_page_itself() -> None:
    link = Link("", "markdown", 1, "part")
    assert LinkResolver([document("a.md")]).resolve(link, "a.md") == "a.md"


def test_forge_wikis_link_without_extension() -> None:
    pages = ["Home.md", "Install-Guide.md", "dir/Other.md"]
    assert resolve(pages, "Home.md", "Install-Guide") == "Install-Guide.md"
    assert resolve(pages, "Home.md", "install-guide") == "Install-Guide.md"
    assert resolve(pages, "dir/Other.md", "Install-Guide") == "Install-Guide.md"


def test_a_wikilink_finds_a_page_by_file_name_title_or_alias() -> None:
    resolver = LinkResolver(
        [
            document("notes/deep/servers.md", "Správa serverov", aliases=("Server room",)),
            document("Plán B.md"),
        ]
    )
    for name in ("servers", "Servers.md", "správa serverov", "server room", "deep/servers"):
        found = resolver.resolve(Link(name, "wikilink", 1), "Plán B.md")
        assert found == "notes/deep/servers.md", name
    decomposed = "Pla\u0301n B"
    assert resolver.resolve(Link(decomposed, "wikilink", 1), "x.md") == "Plán B.md"


def test_a_markdown_link_never_guesses_by_name() -> None:
    assert resolve(["deep/servers.md", "a.md"], "a.md", "servers") is None


def test_of_several_pages_of_one_name_the_nearest_is_meant() -> None:
    pages = ["a/note.md", "b/note.md", "b/c/note.md", "b/c/d/here.md"]
    assert resolve(pages, "b/c/d/here.md", "note", "wikilink") == "b/c/note.md"
    assert resolve(pages, "a/x.md", "note", "wikilink") == "a/note.md"
    assert resolve(pages, "a/x.md", "b/note", "wikilink") == "b/note.md"


def test_a_name_with_a_dot_is_no_extension() -> None:
    pages = ["20.04.md", "Ubuntu 20.04.md", "a.md"]
    assert resolve(pages, "a.md", "20.04", "wikilink") == "20.04.md"
    assert resolve(pages, "a.md", "ubuntu 20.04", "wikilink") == "Ubuntu 20.04.md"
    assert resolve(["release 1.md", "a.md"], "a.md", "release 1.9", "wikilink") is None


def test_pages_that_differ_by_case_alone_are_told_apart() -> None:
    assert resolve(["A.md", "a.md"], "x.md", "a.md") == "a.md"
    assert resolve(["A.md", "a.md"], "x.md", "A") == "A.md"


def test_a_permalink_is_an_address() -> None:
    resolver = LinkResolver([document("x/y.md", permalink="help/start"), document("a.md")])
    assert resolver.resolve(Link("/help/start", "markdown", 1), "a.md") == "x/y.md"
    assert resolver.resolve(Link("help/start", "wikilink", 1), "a.md") == "x/y.md"


def test_links_out_of_the_wiki_lead_to_no_page() -> None:
    assert resolve(["a.md"], "a.md", "https://example.org/a.md", "url") is None


def test_broken_links_are_noted_where_they_stand_and_files_are_not() -> None:
    links = (
        Link("b.md", "markdown", 3),
        Link("gone.md", "markdown", 4),
        Link("Gone", "wikilink", 5),
        Link("paper.pdf", "markdown", 6),
        Link("pic.png", "embed", 7),
        Link("https://example.org", "url", 8),
    )
    report = Report()
    first, _ = resolve_links([document("a.md", links=links), document("b.md")], report)
    assert [link.document for link in first.links] == ["b.md", *[None] * 5]
    rows = report.rows()
    assert [(row["code"], row["line"]) for row in rows] == [("broken-link", 4), ("broken-link", 5)]
    assert "gone.md" in rows[0]["reason"]
