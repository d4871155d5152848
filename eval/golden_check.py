"""Holding a golden set against a version: is everything there that its questions name?"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.golden_set import GoldenSet, Question
    from index_artifacts.index import Index

# More than this many lines nobody reads.
_LISTED = 20


def check_against(golden: GoldenSet, index: Index) -> None:
    """Check that each gold page, heading and text is in the version.

    A text is compared with spaces, line breaks and Unicode composition evened out, and looked
    for in the gold section where a heading is given. Raises one `ConfigError` that counts all
    problems and lists the first twenty.
    """
    pages = _Pages(index)
    problems = [
        f"{question.id}: {problem}"
        for question in golden.questions
        for problem in _problems(question, pages)
    ]
    if not problems:
        return
    listed = "\n".join(f"  {problem}" for problem in problems[:_LISTED])
    more = f"\n  and {len(problems) - _LISTED} more" if len(problems) > _LISTED else ""
    raise ConfigError(
        f"{golden.path} does not fit version {index.manifest.version}: {len(problems)} problems; "
        f"correct them, or take the version built from {golden.wiki}\n{listed}{more}"
    )


def missing_gold(golden: GoldenSet, index: Index) -> dict[str, tuple[str, ...]]:
    """Which gold pages and headings the version lacks, by the id of the question they are of."""
    pages = _Pages(index)
    found = {question.id: tuple(_missing(question, pages)) for question in golden.questions}
    return {name: problems for name, problems in found.items() if problems}


def _missing(question: Question, pages: _Pages) -> Iterator[str]:
    for page in question.gold_docs:
        if page not in pages.ids:
            yield f"page {page!r} is not in the version"
    for page, heading in question.gold_sections:
        if page in pages.ids and heading not in pages.headings(page):
            yield f"page {page!r} has no heading {heading!r} with a text"


def _problems(question: Question, pages: _Pages) -> Iterator[str]:
    missing = list(_missing(question, pages))
    yield from missing
    if question.gold_text and question.gold_docs and not missing:
        wanted = _evened(question.gold_text)
        if not any(wanted in text for text in pages.gold_texts(question)):
            yield f"the text {question.gold_text[:60]!r} is not in {', '.join(question.gold_docs)}"


class _Pages:
    """The pages of a version: their headings and texts, read once each."""

    def __init__(self, index: Index) -> None:
        self._connection = index.connection
        self._read: dict[str, dict[str, list[str]]] = {}

    @cached_property
    def ids(self) -> dict[str, int]:
        """Each page's path and its id in the database."""
        return dict(self._connection.execute("SELECT path, id FROM documents").fetchall())

    def headings(self, page: str) -> dict[str, list[str]]:
        """Each innermost heading of a page and the texts of the sections so called.

        A section's text is put together from its chunks without what they repeat.
        """
        if page not in self._read:
            sections: dict[tuple[str, int], str] = {}
            rows = self._connection.execute(
                "SELECT heading, section_id, substr(text, repeated + 1) FROM chunks "
                "JOIN sections ON sections.id = section_id WHERE chunks.document_id = ? "
                "ORDER BY chunks.id",
                (self.ids[page],),
            )
            for heading, section, text in rows:
                sections[heading, section] = sections.get((heading, section), "") + text
            found = self._read[page] = {}
            for (heading, _), text in sections.items():
                found.setdefault(heading, []).append(text)
        return self._read[page]

    def gold_texts(self, question: Question) -> Iterator[str]:
        """The texts in which a question's gold text may stand, evened out."""
        for page, heading in question.gold_sections:
            yield from map(_evened, self.headings(page)[heading])
        if not question.gold_sections:
            for page in question.gold_docs:
                texts = self.headings(page).values()
                yield _evened("\n".join(text for section in texts for text in section))


def _evened(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
