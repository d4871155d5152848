"""Passages: what was found and what its section says first, each text once, in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index_artifacts.index import Index
from index_artifacts.rag.passages import (
    GAP,
    Page,
    PageChunk,
    bare_passage,
    gather_passages,
    read_page,
)
from index_artifacts.search import SearchRequest
from tests.index_artifacts.rag.pages import (
    ROOMY,
    SIZES,
    ordinal_with,
    ordinals_of,
    page_of,
    passages,
)
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from pathlib import Path

    from build.chunks import ChunkSizes


def sentences(name: str, count: int) -> str:
    return " ".join(f"{name} says its sentence number {n} here." for n in range(count))


LONG = f"""# Thesis

Jana wrote it in 2024.

## Progress

The topic is speech recognition. {sentences("Progress", 12)}

### Meeting

Agreed on the first plan. {sentences("Spring", 6)}

### Meeting

Agreed on the second plan. {sentences("Autumn", 6)}
"""


@pytest.fixture(scope="module")
def page() -> Page:
    return page_of(LONG)


def test_a_chunk_brings_its_sections_first_one(page: Page) -> None:
    [passage] = passages(page, ordinal_with(page, "Progress says its sentence number 9"))
    assert passage.text.startswith("## Progress\n\nThe topic is speech recognition.")
    assert "sentence number 9" in passage.text
    assert passage.text.count(GAP) == 1
    assert "sentence number 5" not in passage.text
    assert passage.heading_path == ("Thesis", "Progress")


def test_the_section_around_introduces_it_too_but_not_the_page(page: Page) -> None:
    [passage] = passages(page, ordinal_with(page, "Spring says its sentence number 5"))
    assert [stretch.split("\n")[0] for stretch in passage.text.split(GAP)][:2] == [
        "## Progress",
        "### Meeting",
    ]
    assert "Jana wrote it" not in passage.text


def test_of_headings_that_repeat_the_chunks_own_one_counts(page: Page) -> None:
    [passage] = passages(page, ordinal_with(page, "Autumn says its sentence number 5"))
    assert "second plan" in passage.text
    assert "first plan" not in passage.text
    assert "The topic is speech recognition" in passage.text


def test_of_sections_around_the_nearest_one_counts() -> None:
    page = page_of(
        "# Thesis\n\n## Log\n\nFirst year.\n\n### May\n\nSlides.\n\n"
        "## Log\n\nSecond year.\n\n### June\n\nTables.\n"
    )
    [passage] = passages(page, ordinal_with(page, "Tables."))
    assert passage.text == "## Log\n\nSecond year.\n\n### June\n\nTables."


def test_the_text_under_the_title_is_a_section_as_well() -> None:
    page = page_of(f"# Thesis\n\nThe topic is parsing.\n\n{sentences('Intro', 12)}")
    [passage] = passages(page, ordinal_with(page, "Intro says its sentence number 11"))
    assert "The topic is parsing." in passage.text
    bare = page_of(f"The topic is parsing.\n\n{sentences('Intro', 12)}")
    [passage] = passages(bare, ordinal_with(bare, "Intro says its sentence number 11"))
    assert "The topic is parsing." in passage.text


def test_where_the_outermost_heading_is_no_title_it_says_what_the_section_is_about() -> None:
    page = page_of("# Diploma 2021\n\nTopic: parsing.\n\n## Meeting\n\nBring the tables along.\n")
    [passage] = passages(page, ordinal_with(page, "Bring the tables"), title="Jana Veselá")
    assert passage.text.startswith("# Diploma 2021\n\nTopic: parsing.")
    [passage] = passages(page, ordinal_with(page, "Bring the tables"), title="Diploma 2021")
    assert passage.text.startswith("## Meeting")


def test_an_empty_section_around_lends_no_other_sections_text() -> None:
    page = page_of("# Thesis\n\n## Log\n\n### May\n\nSlides.\n\n### June\n\nTables.\n")
    [passage] = passages(page, ordinal_with(page, "Tables."))
    assert passage.text == "### June\n\nTables."


def test_neighbours_of_a_section_become_one_without_their_overlap(page: Page) -> None:
    first = ordinal_with(page, "Progress says its sentence number 4")
    [passage] = passages(page, first + 1, first)
    assert ordinals_of(passage)[-2:] == [first, first + 1]
    assert len(re.findall(r"number 5\b", passage.text)) == 1
    assert passage.rank == 1


def test_two_sections_apart_stay_two_pieces_of_evidence() -> None:
    page = page_of("# Thesis\n\n## Goal\n\nFaster search.\n\n## Result\n\nIt is twice as fast.\n")
    found = passages(page, ordinal_with(page, "twice"), ordinal_with(page, "Faster"))
    assert [passage.text for passage in found] == [
        "## Result\n\nIt is twice as fast.",
        "# Thesis\n\n## Goal\n\nFaster search.",
    ]
    assert [passage.rank for passage in found] == [1, 2]


TABLE = "# Thesis\n\n| model | score |\n|---|---|\n" + "".join(
    f"| m{n} | row number {n} |\n" for n in range(12)
)


def test_a_divided_tables_header_stands_once() -> None:
    page = page_of(TABLE, ROOMY)
    last = ordinal_with(page, "row number 11")
    assert page.chunks[last].text.startswith("| model | score |")
    [passage] = passages(page, last)
    assert passage.text.count("| model | score |") == 1
    assert passage.text.count(GAP) == 1
    [passage] = passages(page, *range(len(page.chunks)))
    assert passage.text == TABLE.strip()


def test_a_table_without_its_first_rows_keeps_its_header() -> None:
    intro = f"# Thesis\n\n{sentences('Intro', 9)}\n\n"
    page = page_of(intro + TABLE.removeprefix("# Thesis\n\n"), ROOMY)
    [passage] = passages(page, ordinal_with(page, "row number 11"))
    assert f"{GAP}| model | score |" in passage.text
    assert "row number 0 " not in passage.text


def test_an_overlap_that_reaches_past_a_chunk_that_is_left_out_is_not_told_twice() -> None:
    chunks = [("One two three.", 0, 0), (" Four.", 0, 14), (" three. Four. Five.", 13, 20)]
    page = Page(
        tuple(
            PageChunk(n, 0, text, repeated, start, start + len(text) - repeated, 1, 1)
            for n, (text, repeated, start) in enumerate(chunks)
        ),
        {0: ()},
    )
    [passage] = passages(page, 2)
    assert ordinals_of(passage) == [0, 2]
    assert passage.text == "One two three. Four. Five."


BLOCKS = st.lists(
    st.one_of(
        st.tuples(st.just("heading"), st.integers(1, 4)),
        st.tuples(st.just("paragraph"), st.integers(1, 40)),
        st.tuples(st.just("table"), st.integers(1, 12)),
        st.tuples(st.just("list"), st.integers(1, 8)),
    ),
    max_size=14,
)


def body_of(blocks: list[tuple[str, int]]) -> str:
    """A body in which every word but the headings' (which repeat) is another number."""
    numbers = iter(range(1000, 100_000))
    parts = []
    for kind, size in blocks:
        if kind == "heading":
            parts.append("#" * size + " Meeting")
        elif kind == "paragraph":
            words = [f"w{next(numbers)}" + "." * (n % 4 == 3) for n in range(size)]
            parts.append(" ".join(words))
        elif kind == "list":
            parts.append("\n".join(f"- w{next(numbers)} w{next(numbers)}." for _ in range(size)))
        else:
            header = f"| h{next(numbers)} | h{next(numbers)} |\n|---|---|\n"
            parts.append(header + "\n".join(f"| w{next(numbers)} | x |" for _ in range(size)))
    return "\n\n".join(parts)


@given(BLOCKS, st.data())
def test_no_text_of_a_page_occurs_twice_and_its_order_is_kept(
    blocks: list[tuple[str, int]], data: st.DataObject
) -> None:
    page = page_of(body_of(blocks), data.draw(st.sampled_from([SIZES, ROOMY])))
    all_ordinals = st.sampled_from(range(len(page.chunks)))
    ordinals = data.draw(st.lists(all_ordinals, unique=True, min_size=1))
    found = passages(page, *ordinals)
    words = [re.findall(r"w\d+", passage.text) for passage in found]
    assert all(each == sorted(each) for each in words)
    everything = [word for each in words for word in each]
    assert len(everything) == len(set(everything))
    for passage in found:
        headers = re.findall(r"h\d+", passage.text)
        assert len(headers) == len(set(headers))
    # Nothing that was found is missing, nothing is counted as more than it was.
    own = {w for n in ordinals for w in re.findall(r"w\d+", page.chunks[n].text)}
    assert own <= set(everything)
    assert len(found) <= len(ordinals)
    assert [p.rank for p in found] == sorted(p.rank for p in found)
    members = [n for passage in found for n in ordinals_of(passage)]
    assert set(ordinals) <= set(members)
    assert len(members) == len(set(members))


@given(BLOCKS, st.sampled_from([SIZES, ROOMY]))
def test_a_page_found_whole_is_told_whole(blocks: list[tuple[str, int]], sizes: ChunkSizes) -> None:
    body = body_of(blocks)
    page = page_of(body, sizes)
    found = passages(page, *range(len(page.chunks)))
    told = "".join("".join(passage.text.split()) for passage in found)
    assert told == "".join(body.split())


def test_a_versions_hits_become_passages(tmp_path: Path) -> None:
    pages = {"thesis.md": LONG, "other.md": "# Other\n\nSpeech recognition is elsewhere, too.\n"}
    artifact = build(
        tmp_path, pages, chunk_max_tokens=24, chunk_overlap_tokens=6, chunk_min_tokens=8
    )
    searcher = open_searcher(artifact)
    request = SearchRequest("autumn sentence 5", limit=5, max_per_document=1)
    hits = searcher.search(request).hits
    found = gather_passages(searcher.index, hits)
    # The section's beginning is tied to its hit: it is no further hit of its page.
    assert len([p for p in found if p.document.id == "thesis.md"]) == 1
    assert len(found[0].chunk_ids) > 1
    assert {hit.chunk_id for hit in hits} <= {c for passage in found for c in passage.chunk_ids}
    assert [passage.rank for passage in found] == sorted(passage.rank for passage in found)
    bare = bare_passage(searcher.index, hits[0])
    assert bare.chunk_ids == (hits[0].chunk_id,)
    assert bare.text == hits[0].text.strip()
    lines = LONG.splitlines()[found[0].line - 1 : found[0].last_line]
    assert lines[0] == found[0].text.split("\n")[0]
    assert read_page(Index(artifact), "other.md").chunks[0].text.startswith("# Other")
