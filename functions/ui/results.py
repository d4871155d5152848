"""What was found, grouped by page and told apart by strength."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from functions.ui.reading import Parts, seen_snippet, seen_text
from index_artifacts.calibration import NONE
from index_artifacts.records import AUTHOR, EXTRACTIVE

if TYPE_CHECKING:
    from functions.tools.search import HitDocument, SearchHit, SearchResponse

STRONG, WEAK, HIDDEN, UNKNOWN = "strong", "weak", "hidden", "unknown"
_ORDER = (HIDDEN, UNKNOWN, WEAK, STRONG)

# So many pages are shown where it is not certain that any of them answers.
_WHERE_UNCERTAIN = 3


_TAGS = 6


@dataclass(frozen=True, slots=True)
class Fragment:
    """A chunk of a page; ``parts`` are its snippet, True for those that match."""

    chunk_id: str
    heading: str
    parts: Parts
    text: str
    strength: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its fragments, the best first; as strong as the strongest of them."""

    document: HitDocument
    link: str
    strength: str
    fragments: list[Fragment]

    @property
    def facts(self) -> list[str]:
        """Who wrote it and when."""
        return [fact for fact in (*self.document.authors, str(self.document.year or "")) if fact]

    @property
    def tags(self) -> list[str]:
        """Its tags, or the keywords that the build found where it states none."""
        return (self.document.tags or self.document.keywords)[:_TAGS]

    @property
    def model(self) -> str:
        """The language model that wrote the summary; empty where the page's own words are it."""
        by = self.document.summary_by
        return "" if by in {"", AUTHOR, EXTRACTIVE} else by


@dataclass(frozen=True, slots=True)
class Results:
    """Pages in the order of their best hits. What is ``hidden`` is shown on demand alone."""

    shown: list[Page]
    hidden: list[Page]

    @property
    def size(self) -> int:
        """How many pages were found."""
        return len(self.shown) + len(self.hidden)


def grouped(found: SearchResponse) -> Results:
    """The hits by page.

    Where nothing answers, the nearest page alone is shown; where that is not certain, the first
    few are, however weak.
    """
    hits: dict[str, list[SearchHit]] = {}
    for hit in found.hits:
        hits.setdefault(hit.document.id, []).append(hit)
    pages = [_page(of_page) for of_page in hits.values()]
    if found.outcome == NONE:
        return Results(pages[:1], pages[1:])
    certain = pages[0].strength in {STRONG, UNKNOWN} if pages else True
    least = 1 if certain else _WHERE_UNCERTAIN
    shown = [p for place, p in enumerate(pages) if place < least or p.strength != HIDDEN]
    return Results(shown, [page for page in pages if page not in shown])


def _page(hits: list[SearchHit]) -> Page:
    document = hits[0].document
    return Page(
        document=document,
        link=web_address(document.source_url),
        strength=max((hit.strength for hit in hits), key=_ORDER.index),
        fragments=[
            Fragment(
                chunk_id=hit.chunk_id,
                heading=" › ".join(hit.heading_path),
                parts=seen_snippet(hit),
                text=seen_text(hit.text),
                strength=hit.strength,
            )
            for hit in hits
        ],
    )


def web_address(url: str) -> str:
    """An address that a browser may follow: what a wiki's settings say may be anything."""
    return url if url.startswith(("https://", "http://", "/")) else ""
