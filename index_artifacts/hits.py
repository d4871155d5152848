"""Hits: what a reader sees of a chunk that was found."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.calibration import Verdict
    from index_artifacts.index import Index
    from index_artifacts.query import Term

SNIPPET_CHARACTERS = 240


@dataclass(frozen=True, slots=True)
class LegScores:
    """The score that ranks, and each leg's own: BM25, BM25 over trigrams, cosine.

    A leg that did not run has None. ``score`` is in (0, 1] but for ``rrf``, whose sums of
    reciprocal ranks are small, and ``vector``, where it is the cosine.
    """

    score: float
    lemma: float | None
    trigram: float | None
    cosine: float | None


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """The page that a hit is in; its path is its id.

    ``summary_by`` and ``keywords`` are those of `records.Document`.
    """

    id: str
    title: str
    summary: str
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    language: str
    collection: str
    published: bool
    created: str | None
    updated: str | None
    year: int | None
    source_url: str
    summary_by: str = ""
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk. ``highlights`` are (start, end) in ``snippet``; lines are 1-based in the file.

    ``chunk_id`` is ``path#ordinal``. ``verdict`` says whether this chunk by itself answers, by
    the models that judge a first hit.
    """

    chunk_id: str
    document: DocumentInfo
    heading_path: tuple[str, ...]
    text: str
    snippet: str
    highlights: tuple[tuple[int, int], ...]
    line: int
    last_line: int
    scores: LegScores
    verdict: Verdict


DOCUMENT_COLUMNS = """
       documents.path, title, summary, authors, tags, categories, language, collections.name,
       published, created, updated, year, source_url, summary_by, keywords
"""
"""What `document_info` reads, of ``documents`` joined with ``collections``."""

_HIT = f"""
SELECT chunks.id - 1, chunks.ordinal, text, sections.path, chunks.line, last_line,
{DOCUMENT_COLUMNS}
FROM chunks
JOIN sections ON sections.id = section_id
JOIN documents ON documents.id = chunks.document_id
JOIN collections ON collections.id = documents.collection_id
WHERE chunks.id IN ({{marks}})
"""


def read_hits(
    index: Index,
    positions: Sequence[int],
    scores: Sequence[LegScores],
    verdicts: Sequence[Verdict],
    terms: Sequence[Term],
    quoted: frozenset[str],
) -> tuple[Hit, ...]:
    """Read the chunks at ``positions``, in that order; of ``quoted`` words only they match."""
    marks = ", ".join("?" * len(positions))
    rows = index.connection.execute(
        _HIT.format(marks=marks), [position + 1 for position in positions]
    )
    by_position = {row[0]: row[1:] for row in rows}
    forms = matching_forms(index, [term for term in terms if term.word not in quoted]) | quoted
    return tuple(
        _hit(by_position[position], score, verdict, forms)
        for position, score, verdict in zip(positions, scores, verdicts, strict=True)
    )


def matching_forms(index: Index, terms: Sequence[Term]) -> frozenset[str]:
    """Every form of the words looked up: what counts as a match is what is marked."""
    lemmas = [lemma for term in terms for lemma in term.lemmas]
    marks = ", ".join("?" * len(lemmas))
    rows = index.connection.execute(
        f"SELECT word FROM lemma_words WHERE lemma IN ({marks})", lemmas
    )
    return frozenset(word for (word,) in rows) | {term.word for term in terms}


def _hit(row: Sequence[object], scores: LegScores, verdict: Verdict, forms: frozenset[str]) -> Hit:
    ordinal, text, path, line, last_line, *page = row
    document = document_info(page)
    snippet, highlights = make_snippet(str(text), forms)
    return Hit(
        chunk_id=f"{document.id}#{ordinal}",
        document=document,
        heading_path=_strings(path),
        text=str(text),
        snippet=snippet,
        highlights=highlights,
        line=int(str(line)),
        last_line=int(str(last_line)),
        scores=scores,
        verdict=verdict,
    )


def document_info(row: Sequence[object]) -> DocumentInfo:
    """A page from a row of `DOCUMENT_COLUMNS`."""
    (path, title, summary, authors, tags, categories, language, collection, published,
     created, updated, year, url, by, keywords) = row  # fmt: skip
    return DocumentInfo(
        id=str(path),
        title=str(title),
        summary=str(summary),
        authors=_strings(authors),
        tags=_strings(tags),
        categories=_strings(categories),
        language=str(language),
        collection=str(collection),
        published=bool(published),
        created=_text_or_none(created),
        updated=_text_or_none(updated),
        year=year if isinstance(year, int) else None,
        source_url=str(url),
        summary_by=str(by),
        keywords=_strings(keywords),
    )


def make_snippet(
    text: str, forms: frozenset[str], length: int = SNIPPET_CHARACTERS
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The stretch of ``text`` with the most different matches, and where they are in it."""
    matches = [(word, start, end) for word, start, end in word_spans(text) if word in forms]
    first = len(text) - len(text.lstrip())
    margin = length // 6
    start = _best_start(matches, length)
    # Begin at the very start if that is near, else a little before the match, at a word.
    start = first if start <= first + margin else text.rfind(" ", first, start - margin) + 1
    end = _word_end(text, start + length)
    before, after = ("…" if start > first else ""), ("…" if end < len(text.rstrip()) else "")
    shift = len(before) - start
    inside = [(a + shift, b + shift) for _, a, b in matches if a >= start and b <= end]
    # Line breaks become spaces one for one, so that the offsets stay true.
    shown = before + text[start:end].replace("\n", " ").rstrip() + after
    return shown, tuple(inside)


def _best_start(matches: Sequence[tuple[str, int, int]], length: int) -> int:
    best, best_start = 0, 0
    for number, (_, start, _) in enumerate(matches):
        inside = {word for word, _, end in matches[number : number + 40] if end <= start + length}
        if len(inside) > best:
            best, best_start = len(inside), start
    return best_start


def _word_end(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", 0, end)
    return space if space > end - SNIPPET_CHARACTERS // 4 else end


def _strings(value: object) -> tuple[str, ...]:
    return tuple(json.loads(str(value)))


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)
