"""Pages cut by the real chunker, and hits on them, without a version around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from build.chunks import ChunkSizes, make_chunks
from build.markdown import parse
from index_artifacts.calibration import UNKNOWN, Verdict
from index_artifacts.hits import DocumentInfo, Hit, LegScores
from index_artifacts.rag.passages import Page, PageChunk, Passage, passages_of_page
from tests.wiki import WordTokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = ChunkSizes(max_tokens=16, overlap_tokens=5, min_tokens=6)
ROOMY = ChunkSizes(max_tokens=56, overlap_tokens=12, min_tokens=6)
"""Roomy enough for the header of a table to be repeated."""
TITLE = "Thesis"


def page_of(body: str, sizes: ChunkSizes = SIZES) -> Page:
    structure = parse(body)
    chunks = make_chunks(body, structure, sizes, WordTokenizer())
    return Page(
        tuple(
            PageChunk(c.ordinal, c.section, c.text, c.repeated, c.start, c.end, c.line, c.last_line)
            for c in chunks
        ),
        {section.ordinal: section.path for section in structure.sections},
    )


def document(**fields: Any) -> DocumentInfo:
    defaults: dict[str, Any] = {
        "id": "thesis.md", "title": TITLE, "summary": "", "authors": ("Eva Malá",), "tags": (),
        "categories": (), "language": "en", "collection": "wiki", "published": True,
        "created": None, "updated": None, "year": None, "source_url": "https://wiki.test/thesis",
    }  # fmt: skip
    return DocumentInfo(**{**defaults, **fields})


def hit_on(page: Page, ordinal: int, **fields: Any) -> Hit:
    chunk = page.chunks[ordinal]
    return Hit(
        chunk_id=f"thesis.md#{ordinal}",
        document=document(**fields),
        heading_path=page.sections[chunk.section],
        text=chunk.text,
        snippet="",
        highlights=(),
        line=chunk.line,
        last_line=chunk.last_line,
        scores=LegScores(1.0, None, None, None),
        verdict=Verdict(UNKNOWN, None),
    )


def passages(page: Page, *ordinals: int, **fields: Any) -> list[Passage]:
    """The passages of hits on ``ordinals``, best first."""
    hits = [(rank, hit_on(page, ordinal, **fields)) for rank, ordinal in enumerate(ordinals, 1)]
    return list(passages_of_page(page, hits))


def ordinals_of(passage: Passage) -> list[int]:
    return [int(chunk.rpartition("#")[2]) for chunk in passage.chunk_ids]


def ordinal_with(page: Page, words: str) -> int:
    """The chunk that holds ``words`` beside what it repeats."""
    found = [c.ordinal for c in page.chunks if words in c.text[c.repeated :]]
    assert len(found) == 1
    return found[0]


def passage(text: str = "The text.", headings: Sequence[str] = (), **fields: Any) -> Passage:
    """A passage made by hand."""
    return Passage(document(**fields), tuple(headings), text, 1, 1, ("thesis.md#0",), 1)
