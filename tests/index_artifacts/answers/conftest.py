"""Evidence by hand, with the words of the small wiki: what the tests of answers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index_artifacts.answers.grounds import Grounds
from index_artifacts.hits import DocumentInfo
from index_artifacts.index import Index
from index_artifacts.query import analyse
from index_artifacts.rag.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.artifact import Artifact


@pytest.fixture(scope="session")
def index(small_artifact: Artifact) -> Index:
    return Index(small_artifact)


@pytest.fixture(scope="session")
def evidence(index: Index) -> Callable[..., Grounds]:
    """Grounds of passages with the texts given, one a page, for a question."""

    def build(
        *texts: str,
        question: str = "",
        title: str = "",
        authors: tuple[str, ...] = (),
        headings: tuple[str, ...] = (),
        complete: bool = False,
    ) -> Grounds:
        passages = [
            Passage(page(title, authors, number), headings, text, 1, 9, (f"{number}.md#0",), number)
            for number, text in enumerate(texts, 1)
        ]
        return Grounds(index, analyse(index, question), passages, complete=complete)

    return build


def page(
    title: str, authors: tuple[str, ...] = (), number: int = 1, source_url: str = ""
) -> DocumentInfo:
    return DocumentInfo(
        id=f"{number}.md",
        title=title,
        summary="",
        authors=authors,
        tags=(),
        categories=(),
        language="sk",
        collection="wiki",
        published=True,
        created=None,
        updated=None,
        year=None,
        source_url=source_url,
    )
