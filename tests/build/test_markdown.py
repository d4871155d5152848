"""The structure of a body: blocks, sections, links, and what is only code."""

from __future__ import annotations

import pytest

from build.markdown import Lines, Paragraph, parse
from index_artifacts.records import Link


def headings(body: str) -> list[tuple[int, tuple[str, ...]]]:
    return [(section.level, section.path) for section in parse(body).sections]


def links(body: str) -> list[Link]:
    return list(parse(body).links)


def test_sections_carry_the_headings_that_lead_to_them() -> None:
    body = "intro\n\n# A\n\ntext\n\n## B\n\ntext\n\n### C\n\ntext\n\n## D\n\ntext\n\n# E\n"
    assert headings(body) == [
        (0, ()),
        (1, ("A",)),
        (2, ("A", "B")),
        (3, ("A", "B", "C")),
        (2, ("A", "D")),
        (1, ("E",)),
    ]


def test_sections_cover_the_body_and_know_their_lines() -> None:
    body = "intro\n\n# A\n\ntext\n\n## B\nmore\n"
    sections = parse(body, body_line=5).sections
    assert "".join(body[section.start : section.end] for section in sections) == body
    assert [section.line for section in sections] == [5, 7, 11]
    assert [section.ordinal for section in sections] == [0, 1, 2]


def test_a_body_without_headings_is_one_section() -> None:
    assert headings("text\n\nmore") == [(0, ())]
    assert headings("") == [(0, ())]


def test_levels_may_be_skipped_and_come_back() -> None:
    assert headings("### C\n\n# A\n\n#### D\n\n## B\n") == [
        (3, ("C",)),
        (1, ("A",)),
        (4, ("A", "D")),
        (2, ("A", "B")),
    ]


def test_underlined_headings_are_headings() -> None:
    body = "Title\nof two lines\n===\n\ntext\n\nSub\n---\n\ntext\n"
    assert headings(body) == [(1, ("Title of two lines",)), (2, ("Title of two lines", "Sub"))]
    assert parse(body).first_h1 == "Title of two lines"


def test_equal_headings_are_sections_of_their_own() -> None:
    sections = parse("# A\n\n## Notes\n\n1\n\n## Notes\n\n2\n").sections
    assert [section.heading for section in sections] == ["A", "Notes", "Notes"]
    assert len({(section.start, section.end) for section in sections}) == 3


@pytest.mark.parametrize(
    "block",
    [
        "```\n# no\n```",
        "~~~py\n# no\n~~~",
        "````md\n```\n# no\n```\n````",
        "```md\n~~~\n# no\n~~~\n```",
        "```\n# never closed\n\n## still code",
        "    # indented code",
        "> # quoted\n>\n> text",
        "- # in a list\n\n  text",
        "<!--\n# a comment\n-->",
        "#hashtag",
        "\\# escaped",
        "####### seven",
    ],
)
def test_what_only_looks_like_a_heading_opens_no_section(block: str) -> None:
    assert headings(f"# A\n\ntext\n\n{block}\n") == [(1, ("A",))]


def test_headings_are_plain_text() -> None:
    body = "# A *b* `c_d` [e](f.md) ![g](h.png) [[I|j]] <b>k</b> ##\n"
    assert headings(body) == [(1, ("A b c_d e g j k",))]


def test_blocks_cover_the_body_in_order() -> None:
    body = "# A\n\ntext\n\n- x\n- y\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n> q\n"
    blocks = parse(body).blocks
    assert "".join(body[block.start : block.end] for block in blocks) == body
    assert [block.kind for block in blocks] == [
        "heading", "paragraph", "bullet_list", "table", "fence", "blockquote",
    ]  # fmt: skip


def test_a_table_knows_its_header_and_where_its_rows_begin() -> None:
    body = "text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"
    table = parse(body).blocks[-1]
    assert table.header == "| a | b |\n|---|---|\n"
    assert [body[cut : cut + 5] for cut in table.cuts] == ["| 3 |", "| 5 |"]


def test_a_list_is_cut_between_its_outer_items() -> None:
    body = "1. one\n   - inner\n   - inner\n2. two\n\n   more\n3. three\n"
    (block,) = parse(body).blocks
    assert [body[cut : cut + 2] for cut in block.cuts] == ["2.", "3."]


def test_link_definitions_before_the_first_heading_belong_to_no_heading() -> None:
    body = "[a]: x.md\n[b]: y.md\n\n# A\n\n[a]\n"
    structure = parse(body)
    assert [section.path for section in structure.sections] == [(), ("A",)]
    heading = next(block for block in structure.blocks if block.kind == "heading")
    assert body[heading.start :].startswith("# A")
    assert structure.links == (Link("x.md", "markdown", 6),)


def test_links_know_kind_target_fragment_and_line() -> None:
    body = (
        "[a](b.md) [c](../d/e.md#Časť%20dva)\n\n![pic](img/a%20b.png)\n\n"
        "<https://example.org> [x](mailto:a@b.c) [y](//host/z) [top](#úvod)\n"
    )
    assert links(body) == [
        Link("b.md", "markdown", 1),
        Link("../d/e.md", "markdown", 1, "Časť dva"),
        Link("img/a b.png", "embed", 3),
        Link("https://example.org", "url", 5),
        Link("mailto:a@b.c", "url", 5),
        Link("//host/z", "url", 5),
        Link("", "markdown", 5, "úvod"),
    ]


def test_links_are_found_in_lists_quotes_tables_and_headings() -> None:
    body = (
        "# [h](h.md)\n\n- [l](l.md)\n\n> [q](q.md)\n\n| a |\n|---|\n| [t](t.md) |\n| [[w\\|x]] |\n"
    )
    assert {link.target for link in links(body)} == {"h.md", "l.md", "q.md", "t.md", "w"}


def test_a_link_by_reference_is_a_link() -> None:
    assert links("see [the page][p]\n\n[p]: other.md#part\n") == [
        Link("other.md", "markdown", 1, "part")
    ]


def test_a_link_that_no_parser_takes_is_kept_as_it_is() -> None:
    assert [link.kind for link in links("[x](http://[::1)\n")] == ["url"]


def test_wikilinks_with_aliases_fragments_and_embeds() -> None:
    assert links("[[Page]] [[a/B#Part two|shown]] [[#here]] ![[pic.png]] [[ Space ]]") == [
        Link("Page", "wikilink", 1),
        Link("a/B", "wikilink", 1, "Part two"),
        Link("", "wikilink", 1, "here"),
        Link("pic.png", "embed", 1),
        Link("Space", "wikilink", 1),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "`[[No]]` and `[no](no.md)`",
        "``a ` [[No]]``",
        "```\n[[No]] [no](no.md)\n```",
        "~~~~\n~~~\n[[No]]\n~~~~",
        "    [[No]]",
        "`two\nlines [[No]]`",
        "[[No\n\nlink]]",
        "\\[\\[No\\]\\]",
        "[ [No] ]",
    ],
)
def test_nothing_in_code_is_a_link(code: str) -> None:
    assert links(f"text\n\n{code}\n\ntext [[Yes]]\n") == [
        Link("Yes", "wikilink", 5 + code.count("\n"))
    ]


def test_an_unclosed_backtick_hides_no_link() -> None:
    assert [link.target for link in links("a ` b [[Yes]]")] == ["Yes"]


def test_the_prose_leaves_code_and_markup_out() -> None:
    body = "# Nadpis\n\n*Text* [odkaz](x.md) [[Ciel|tam]].\n\n```py\nimport\n```\n\n<hr class=x>\n"
    prose = parse(body).prose
    assert prose.split() == ["Nadpis", "Text", "odkaz", "tam."]


def test_paragraphs_are_visible_text_by_lines_and_say_what_they_stand_in() -> None:
    body = "# A\n\none *two*\nthree\n\n- item\n\n> quote\n\nfour `five` ![alt](x.png)\n"
    assert parse(body).paragraphs == (
        Paragraph("one two\nthree"),
        Paragraph("item", "list"),
        Paragraph("quote", "quote"),
        Paragraph("four five"),
    )


def test_a_paragraph_knows_how_much_of_it_is_links() -> None:
    body = "[one](a.md) [[two]]\n\nThis is told [here](b.md).\n"
    linked, told = parse(body).paragraphs
    assert linked.linked > 0.8
    assert told.linked < 0.3


def test_lines_and_offsets_agree() -> None:
    text = "a\n\nčč\n"
    lines = Lines(text)
    assert [lines.offset(line) for line in range(5)] == [0, 2, 3, 6, 6]
    assert [lines.line(offset) for offset in range(7)] == [0, 0, 1, 2, 2, 2, 3]
