"""The page as HTML: a form, and what was found, grouped by page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, Template

from functions.ui.wording import age, words

if TYPE_CHECKING:
    from functions.models import HealthResponse
    from functions.tools.search import HitDocument, SearchHit, SearchResponse


@cache
def _template() -> Template:
    loader = FileSystemLoader(Path(__file__).parent)
    made = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return made.get_template("page.html")


def page(
    language: str,
    base: str,
    *,
    question: str = "",
    message: str = "",
    found: SearchResponse | None = None,
    health: HealthResponse | None = None,
) -> str:
    """The page in ``language``, below the address ``base``; everything in it is escaped."""
    said = words(language)
    filled: dict[str, Any] = {"words": said, "language": language, "base": base}
    filled |= {"question": question, "message": message}
    if found is not None:
        filled |= {
            "message": message or _verdict(found, said),
            "corrections": found.corrections,
            "incomplete": not found.complete,
            "pages": _pages(found),
        }
    if health is not None and health.index_version:
        since = age(health.age_seconds, language)
        filled |= {
            "version": health.index_version,
            "age": said["age"].format(age=since) if since else "",
            "encoder": found.encoder[:12] if found else "",
            "stale": bool(health.refresh_error),
        }
    return _template().render(filled)


def _verdict(found: SearchResponse, said: dict[str, Any]) -> str:
    if not found.hits:
        return str(said["nothing"])
    return str({"none": said["none"], "low_confidence": said["uncertain"]}.get(found.outcome, ""))


def _pages(found: SearchResponse) -> list[dict[str, Any]]:
    """The pages in the order of their best hits; without an answer the nearest one alone."""
    hits: dict[str, list[SearchHit]] = {}
    for hit in found.hits:
        hits.setdefault(hit.document.id, []).append(hit)
    shown = list(hits.values())[:1] if found.outcome == "none" else list(hits.values())
    return [
        {
            "title": of_page[0].document.title,
            "link": _link(of_page[0].document.source_url),
            "language": of_page[0].document.language,
            "published": of_page[0].document.published,
            "summary": of_page[0].document.summary,
            "facts": _facts(of_page[0].document),
            "fragments": [
                {"heading": " › ".join(hit.heading_path), "parts": marked(hit)} for hit in of_page
            ],
        }
        for of_page in shown
    ]


def marked(hit: SearchHit) -> list[tuple[str, bool]]:
    """The snippet in parts; True for those that match."""
    parts, at = [], 0
    for start, end in hit.highlights:
        parts += [(hit.snippet[at:start], False), (hit.snippet[start:end], True)]
        at = end
    return [(text, is_match) for text, is_match in [*parts, (hit.snippet[at:], False)] if text]


def _facts(document: HitDocument) -> list[str]:
    known = [*document.authors, str(document.year or ""), document.id]
    return [fact for fact in known if fact]


def _link(url: str) -> str:
    """An address that a browser may follow: what a wiki's settings say may be anything."""
    return url if url.startswith(("https://", "http://", "/")) else ""
