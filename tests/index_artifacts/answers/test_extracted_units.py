"""Whatever stands in the evidence word for word passes every check, on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.checks import CHECKS
from index_artifacts.answers.claims import Claim
from index_artifacts.answers.grounds import Grounds
from index_artifacts.answers.markdown import read_row, visible_text
from index_artifacts.answers.units import CODE, ITEM, ROW, Unit
from index_artifacts.documents import ListRequest, list_documents, read_document
from index_artifacts.query import analyse
from index_artifacts.rag.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.index import Index


def passages(index: Index) -> Iterator[Passage]:
    """Each section of each page, and each page as a whole."""
    request = ListRequest(limit=100, published_only=False)
    for document in list_documents(index, request).documents:
        page = read_document(index, document.id, published_only=False)
        yield Passage(document, (), page.text, 1, 1, (f"{document.id}#0",), 1)
        for section in page.sections:
            text = page.text[section.start : section.end].strip()
            yield Passage(document, section.path, text, 1, 1, (f"{document.id}#0",), 1)


def said(unit: Unit) -> str:
    if unit.kind == ROW:
        return read_row(unit.header, unit.text)
    if unit.kind == CODE:
        return " ".join(unit.text.split())
    led = unit.kind == ITEM and unit.intro
    return (
        f"{visible_text(unit.intro)} {visible_text(unit.text)}" if led else visible_text(unit.text)
    )


def test_every_unit_of_the_small_wiki_passes_every_check(index: Index) -> None:
    checked = 0
    for passage in passages(index):
        grounds = Grounds(index, analyse(index, "?"), [passage])
        for unit in grounds.sources[0].units:
            claim = Claim(said(unit), (1,), unit.text)
            failed = {name: why for name, check in CHECKS.items() if (why := check(claim, grounds))}
            assert not failed, (passage.document.id, unit.text, failed)
            checked += 1
    assert checked > 200
