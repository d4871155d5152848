"""Chunks lose nothing, keep to their size, and follow the structure of the page."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from build.chunks import ChunkSizes, make_chunks
from build.markdown import parse
from index_artifacts.encoders import open_encoder
from tests.wiki import WordTokenizer

if TYPE_CHECKING:
    from pathlib import Path

    from build.chunks import Tokenizer
    from index_artifacts.records import Chunk

WORDS = WordTokenizer()
SMALL = ChunkSizes(max_tokens=16, overlap_tokens=5, min_tokens=6)


def chunked(
    body: str, sizes: ChunkSizes = SMALL, tokenizer: Tokenizer = WORDS, body_line: int = 1
) -> list[Chunk]:
    """Chunk a body, having checked all that holds for any body."""
    structure = parse(body, body_line)
    chunks = make_chunks(body, structure, sizes, tokenizer, body_line)
    assert "".join(chunk.text[chunk.repeated :] for chunk in chunks) == body
    assert [(chunk.ordinal, chunk.text[chunk.repeated :]) for chunk in chunks] == [
        (number, body[chunk.start : chunk.end]) for number, chunk in enumerate(chunks)
    ]
    assert chunks[0].start == 0
    assert chunks[-1].end == len(body)
    assert all(one.end == other.start for one, other in pairwise(chunks))
    file_lines = body.count("\n") + body_line
    for chunk in chunks:
        assert chunk.tokens == tokenizer.count_tokens(chunk.text) <= sizes.max_tokens
        assert body_line <= chunk.line <= chunk.last_line <= file_lines
        section = structure.sections[chunk.section]
        assert chunk.start < section.end or chunk.start == chunk.end == section.end
        assert chunk.end <= section.end
    return chunks


def texts(body: str, sizes: ChunkSizes = SMALL) -> list[str]:
    return [chunk.text for chunk in chunked(body, sizes)]


WORD = st.sampled_from(
    ["sieť", "server", "práca", "zariadenie.", "Łódź!", "ёлка?", "a", "[[odkaz]]", "`kód`",
     "nejnezpravděpodobnějšímu", "👩‍👩‍👧", "e\u0301e\u0301", "**b**", "[x](y.md)", "..."]
)  # fmt: skip
LINE = st.lists(WORD, max_size=12).map(" ".join)
BLOCK = st.one_of(
    LINE,
    st.tuples(st.integers(1, 6), LINE).map(lambda pair: "#" * pair[0] + " " + pair[1]),
    LINE.map(lambda line: line + "\n==="),
    st.lists(LINE, max_size=8).map(lambda lines: "\n".join(["```py", *lines, "```"])),
    st.lists(LINE, max_size=8).map(lambda lines: "\n".join(["~~~~", "~~~", *lines])),
    st.lists(LINE, max_size=8).map(lambda lines: "\n".join(f"- {line}" for line in lines)),
    st.lists(LINE, max_size=8).map(lambda lines: "\n".join(f"> {line}" for line in lines)),
    st.lists(st.tuples(WORD, LINE), max_size=8).map(
        lambda rows: "\n".join(["| a | b |", "|---|---|", *(f"| {x} | {y} |" for x, y in rows)])
    ),
    st.sampled_from(["[a]: b.md", "[c]: <d> 'title'", "", "---", "<div>", "</div>", "\t", "&amp;"]),
)
MARKDOWN = st.tuples(
    st.lists(BLOCK, max_size=12), st.sampled_from(["\n", "\n\n", "\n\n\n"]), st.booleans()
).map(lambda parts: parts[1].join(parts[0]) + "\n" * parts[2])


@settings(max_examples=250, deadline=None)
@given(MARKDOWN, st.integers(8, 60), st.integers(0, 20), st.integers(0, 40))
@example("[a]: b.md\n" * 9 + "\n# H\n\ntext", 16, 5, 6)
@example("\n\n# A\n" + "word " * 40, 16, 5, 6)
def test_no_markdown_loses_a_character(body: str, most: int, overlap: int, least: int) -> None:
    chunked(body, ChunkSizes(most, min(overlap, most // 2), min(least, most)))


@settings(max_examples=250, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400), st.integers(1, 30))
def test_no_unicode_text_loses_a_character(body: str, most: int) -> None:
    chunked(body, ChunkSizes(most, most // 3, most // 2))


@pytest.mark.parametrize("body", ["", "\n", "   \n\n", "#", "# A\n"])
def test_a_body_without_text_is_one_chunk_so_that_its_title_is_found(body: str) -> None:
    assert texts(body) == [body]


def test_a_short_section_is_one_chunk_and_no_chunk_crosses_a_heading() -> None:
    body = "intro\n\n# A\n\none\n\n# B\n\ntwo\n"
    assert texts(body) == ["intro\n\n", "# A\n\none\n\n", "# B\n\ntwo\n"]


def test_every_chunk_belongs_to_the_section_it_lies_in() -> None:
    body = "# A\n\n" + "one two three. " * 12 + "\n\n## B\n\n" + "four five six. " * 12
    sections = parse(body).sections
    paths = {sections[chunk.section].path for chunk in chunked(body) if "four" in chunk.text}
    assert paths == {("A", "B")}
    assert len(chunked(body)) > 4


def test_a_heading_with_nothing_under_it_goes_with_the_first_below_it() -> None:
    body = "# A\n\n## B\n\n### C\n\ntext\n\n## D\n\nmore\n"
    assert texts(body) == ["# A\n\n## B\n\n### C\n\ntext\n\n", "## D\n\nmore\n"]
    assert parse(body).sections[chunked(body)[0].section].path == ("A", "B", "C")


def test_an_empty_heading_does_not_go_with_one_beside_or_above_it() -> None:
    assert texts("## A\n\n## B\n\ntext\n") == ["## A\n\n", "## B\n\ntext\n"]


def test_code_and_tables_stay_whole_while_they_fit() -> None:
    words = "one two three four five six seven\n\n"
    code = "```\na b c\nd e f\n```\n\n"
    table = "|a|b|\n|-|-|\n|1|2|\n"
    assert any(code in text for text in texts(words + code + words))
    wider = ChunkSizes(24, 0, 0)
    assert any(table in text for text in texts(words * 2 + table, wider))


def test_a_fence_inside_a_fence_is_not_torn() -> None:
    body = "word " * 12 + "\n\n````md\n```\n# not a heading\n```\n````\n\n" + "word " * 12
    (chunk,) = [chunk for chunk in chunked(body, ChunkSizes(24, 4, 4)) if "heading" in chunk.text]
    assert "````md\n```\n# not a heading\n```\n````\n" in chunk.text


def test_long_code_is_cut_between_lines() -> None:
    lines = [f"x = call({n}, {n})\n" for n in range(20)]
    chunks = chunked("```py\n" + "".join(lines) + "```\n")
    assert len(chunks) > 4
    assert all(chunk.text[chunk.repeated :].endswith("\n") for chunk in chunks)


def test_a_divided_table_repeats_its_header_and_cuts_between_rows() -> None:
    header = "| Meno | Rok |\n|---|---|\n"
    rows = [f"| Jana {n} | 20{n:02} |\n" for n in range(30)]
    chunks = chunked(header + "".join(rows), ChunkSizes(40, 10, 5))
    assert len(chunks) > 3
    assert chunks[0].repeated == 0
    for chunk in chunks[1:]:
        assert chunk.text[: chunk.repeated] == header
        assert set(chunk.text[chunk.repeated :].splitlines(keepends=True)) <= set(rows)


def test_a_header_too_long_to_repeat_is_not_repeated() -> None:
    header = "| " + "word " * 30 + "| b |\n|---|---|\n"
    chunks = chunked(header + "| a | b |\n" * 20, ChunkSizes(24, 0, 0))
    assert all(chunk.repeated == 0 for chunk in chunks)


def test_a_long_list_is_cut_between_its_outer_items() -> None:
    items = [f"- item {n}\n  - inner {n}\n" for n in range(20)]
    for chunk in chunked("".join(items), ChunkSizes(16, 0, 0)):
        assert chunk.text.startswith("- item")


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    body = " ".join(f"Sentence number {n} ends here." for n in range(20))
    chunks = chunked(body)
    assert len(chunks) > 5
    for chunk in chunks:
        assert chunk.text[chunk.repeated :].startswith("Sentence")
        assert chunk.text.rstrip().endswith("here.")


def test_the_overlap_is_the_end_of_what_came_before() -> None:
    body = "# A\n\n" + " ".join(f"Word {n}." for n in range(60)) + "\n\n# B\n\nother"
    chunks = chunked(body)
    overlaps = [chunk.text[: chunk.repeated] for chunk in chunks]
    assert overlaps[0] == overlaps[-1] == ""
    assert any(overlaps)
    for chunk, overlap in zip(chunks, overlaps, strict=True):
        assert body[: chunk.start].endswith(overlap)
        assert WORDS.count_tokens(overlap) <= SMALL.overlap_tokens
        assert re.match(r"(Word \d+\.\s*)*$", overlap)


def test_no_overlap_where_none_is_wanted() -> None:
    body = " ".join(f"Word {n}." for n in range(60))
    assert all(chunk.repeated == 0 for chunk in chunked(body, ChunkSizes(16, 0, 6)))


def test_a_short_rest_takes_from_the_chunk_before_it() -> None:
    sizes = ChunkSizes(20, 0, 8)
    body = " ".join(f"Word {n}." for n in range(7))
    assert [WORDS.count_tokens(text) for text in texts(body, sizes)] == [12, 9]


def test_one_long_line_without_spaces_is_cut_and_kept() -> None:
    body = "```\n" + ",".join(f"0x{n:04x}" for n in range(2000)) + "\n```\n"
    chunks = chunked(body)
    assert len(chunks) > 100
    assert any("0x07cf" in chunk.text for chunk in chunks[-2:])


def test_characters_that_belong_together_are_not_parted_where_it_can_be_helped() -> None:
    body = "e\u0301" * 40 + "👩‍👩‍👧" * 20
    for chunk in chunked(body, ChunkSizes(8, 0, 0))[1:]:
        assert chunk.text[0] not in "\u0301\u200d"


def test_lines_are_those_of_the_file() -> None:
    body = "\n# A\n\none\n\n\n# B\n\n```\ntwo\n```\n"
    chunks = chunked(body, body_line=5)
    assert [(chunk.line, chunk.last_line) for chunk in chunks] == [(6, 8), (11, 15)]


@pytest.mark.slow
def test_the_real_tokenizer_loses_nothing_and_keeps_to_the_limit(model_folder: Path) -> None:
    encoder = open_encoder(model_folder)
    body = (
        "# Dlhá stránka\n\n"
        + " ".join(f"Slovo číslo {n} opisuje nastavenie zariadenia v sieti." for n in range(120))
        + "\n\n| Łódź | Ёлка |\n|---|---|\n"
        + "".join(f"| riadok {n} | значение {n} |\n" for n in range(120))
        + "\n```\n"
        + ",".join(f"0x{n:04x}" for n in range(900))
        + "\n```\n\n"
        + "👩‍👩‍👧e\u0301漢字" * 200
        + " koniec\n"
    )
    chunks = chunked(body, ChunkSizes(), encoder)
    assert len(chunks) > 15
    assert chunks[-1].text.endswith("koniec\n")
