"""Reading one page for a summary, as a build does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build.lemmas import Lemmas, compile_lemmas, surfaces
from build.markdown import parse
from index_artifacts.records import Document

if TYPE_CHECKING:
    from build.markdown import Structure


def read(
    body: str, title: str = "", language: str = "sk", *, dictionary: bool = False
) -> tuple[Document, Structure, Lemmas]:
    """A page; a ``dictionary`` is read where inflected forms matter, which takes seconds."""
    structure = parse(body)
    document = Document(
        path="page.md",
        collection="wiki",
        title=title,
        language=language,
        body=body,
        content_hash="",
        sections=structure.sections,
    )
    if not dictionary:
        return document, structure, Lemmas()
    return document, structure, compile_lemmas(surfaces([(language, f"{title}\n{body}")]))
