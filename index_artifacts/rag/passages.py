"""From hits to passages: each hit with what its section says at the start, once.

A section's first chunk tends to hold the topic, the year and the names that later chunks leave
out. It joins the chunk that was found and does not count as a hit of its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from index_artifacts.hits import DocumentInfo, Hit
    from index_artifacts.index import Index

GAP = "\n\n[…]\n\n"
"""Stands where a passage leaves something of its page out."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence: one stretch of a page, or a few joined by `GAP`.

    ``heading_path`` is that of the chunk that was found; ``line`` and ``last_line`` are 1-based
    lines of the file; ``chunk_ids`` are ``path#ordinal``, in the page's order. ``rank`` is the
    1-based rank of its best hit.
    """

    document: DocumentInfo
    heading_path: tuple[str, ...]
    text: str
    line: int
    last_line: int
    chunk_ids: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class PageChunk:
    """A chunk as `index_artifacts.records.Chunk` has it; ``section`` is its section's row id."""

    ordinal: int
    section: int
    text: str
    repeated: int
    start: int
    end: int
    line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Page:
    """All chunks of a page, and the heading paths of all its sections by row id, in order."""

    chunks: tuple[PageChunk, ...]
    sections: dict[int, tuple[str, ...]]


def gather_passages(index: Index, hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """The passages of ``hits``, best first; no text of a page occurs in two of them.

    Hits whose passages share a chunk become one: those of one section always do.
    """
    by_document: dict[str, list[tuple[int, Hit]]] = {}
    for rank, hit in enumerate(hits, 1):
        by_document.setdefault(hit.document.id, []).append((rank, hit))
    passages = [
        passage
        for path, found in by_document.items()
        for passage in passages_of_page(read_page(index, path), found)
    ]
    return tuple(sorted(passages, key=lambda passage: passage.rank))


def bare_passage(index: Index, hit: Hit) -> Passage:
    """The chunk that was found and nothing else, of rank 1."""
    page = read_page(index, hit.document.id)
    return _join(hit, 1, page, [page.chunks[_ordinal(hit.chunk_id)]])


def passages_of_page(page: Page, found: Sequence[tuple[int, Hit]]) -> Iterable[Passage]:
    """The passages of one page's hits, given with their ranks, in order of rank."""
    groups: list[tuple[int, Hit, set[int]]] = []
    for rank, hit in found:
        ordinal = _ordinal(hit.chunk_id)
        members = {*_leads(page, ordinal, hit.document.title), ordinal}
        touching = [group for group in groups if group[2] & members]
        if not touching:
            groups.append((rank, hit, members))
            continue
        first, *others = touching
        first[2].update(members, *(group[2] for group in others))
        groups = [group for group in groups if group not in others]
    for rank, hit, members in groups:
        yield _join(hit, rank, page, [page.chunks[ordinal] for ordinal in sorted(members)])


def _leads(page: Page, ordinal: int, title: str) -> list[int]:
    """Ordinals of the first chunk of its section, and of the section around that one."""
    own = page.chunks[ordinal].section
    around = _section_around(page, own)
    # Under the title stands what introduces the page, not what the section is about.
    wanted = [own] if around is None or page.sections[around] == (title,) else [own, around]
    firsts = (
        next((chunk.ordinal for chunk in page.chunks if chunk.section == section), None)
        for section in wanted
    )
    return [first for first in firsts if first is not None]


def _section_around(page: Page, section: int) -> int | None:
    """The section whose heading is one level out. Headings may repeat: the nearest one above."""
    outer = page.sections[section][:-1]
    above = [row for row, path in page.sections.items() if row < section and path == outer]
    return above[-1] if outer and above else None


def _join(hit: Hit, rank: int, page: Page, chunks: Sequence[PageChunk]) -> Passage:
    return Passage(
        document=hit.document,
        heading_path=hit.heading_path,
        text=GAP.join(stretch for stretch in _stretches(page, chunks) if stretch),
        line=chunks[0].line,
        last_line=max(chunk.last_line for chunk in chunks),
        chunk_ids=tuple(f"{hit.document.id}#{chunk.ordinal}" for chunk in chunks),
        rank=rank,
    )


def _stretches(page: Page, chunks: Sequence[PageChunk]) -> Iterable[str]:
    """The text of ``chunks``, in order, whatever they repeat of each other left out."""
    body = "".join(chunk.text[chunk.repeated :] for chunk in page.chunks)
    stretch, end = "", 0
    for number, chunk in enumerate(chunks):
        repeated, own = chunk.text[: chunk.repeated], chunk.text[chunk.repeated :]
        start = chunk.start - chunk.repeated
        # What is repeated stood just before the chunk, but for the header of a divided table.
        is_overlap = body[start : chunk.start] == repeated
        if number and (chunk.start <= end or (is_overlap and start <= end)):
            stretch += body[end : chunk.start] + own
        else:
            yield _trimmed(stretch)
            place = body.rfind(repeated, 0, chunk.start)
            is_known = not is_overlap and any(
                other.start <= place < other.end for other in chunks[:number]
            )
            stretch = own if is_known else repeated + own
        end = chunk.end
    yield _trimmed(stretch)


def _trimmed(stretch: str) -> str:
    # The first line keeps what indents it: that may be code.
    return stretch.rstrip().lstrip("\r\n") if stretch.strip() else ""


def _ordinal(chunk_id: str) -> int:
    return int(chunk_id.rpartition("#")[2])


def read_page(index: Index, path: str) -> Page:
    """The chunks and sections of the page at ``path``."""
    document = index.connection.execute(
        "SELECT id FROM documents WHERE path = ?", (path,)
    ).fetchone()
    sections = index.connection.execute(
        "SELECT id, path FROM sections WHERE document_id = ? ORDER BY id", document
    )
    chunks = index.connection.execute(
        "SELECT ordinal, section_id, text, repeated, start, end, line, last_line "
        "FROM chunks WHERE document_id = ? ORDER BY ordinal",
        document,
    )
    return Page(
        tuple(PageChunk(*row) for row in chunks),
        {row: tuple(json.loads(headings)) for row, headings in sections},
    )
