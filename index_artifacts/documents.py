"""The pages of a version: listed, read whole or in part, and their history."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from index_artifacts.addresses import find_document
from index_artifacts.errors import DocumentNotFoundError, QueryError
from index_artifacts.filters import allowed_documents, chosen_collections
from index_artifacts.hits import DOCUMENT_COLUMNS, document_info
from index_artifacts.records import Revision, Section
from index_artifacts.schema import facet_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from index_artifacts.hits import DocumentInfo
    from index_artifacts.index import Index

_HEADINGS_NAMED = 12

_DOCUMENTS = f"""
SELECT documents.id, {DOCUMENT_COLUMNS}
FROM documents JOIN collections ON collections.id = collection_id
WHERE documents.id IN ({{marks}})
"""


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Which pages to list. ``prefix`` is how their paths begin, such as a folder."""

    prefix: str = ""
    collections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    published_only: bool = True
    limit: int = 50
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Pages in the order of their paths; ``total`` counts those beyond the limit too."""

    documents: tuple[DocumentInfo, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Reading:
    """``text`` is the part of a page, or of one of its sections, from ``offset`` on.

    ``characters`` is the length of the whole that it is a part of, and ``heading_path`` says
    which section that is; it is empty for a page. ``sections`` are those of the whole page.
    """

    document: DocumentInfo
    heading_path: tuple[str, ...]
    text: str
    offset: int
    characters: int
    sections: tuple[Section, ...]

    @property
    def end(self) -> int:
        """Where to go on reading; ``characters`` at the end."""
        return self.offset + len(self.text)


@dataclass(frozen=True, slots=True)
class History:
    """A page's commits, newest first; none where the build saw no history."""

    document: DocumentInfo
    revisions: tuple[Revision, ...]


def list_documents(index: Index, request: ListRequest) -> Listing:
    """List pages; raises `QueryError` for an unknown collection."""
    names = [c.id for c in chosen_collections(index, request.collections)]
    allowed = allowed_documents(index, request)
    prefix = request.prefix.lstrip("/")
    rows = index.connection.execute("SELECT id, path, collection_id FROM documents ORDER BY path")
    found = [
        number
        for number, path, collection in rows
        if allowed[number - 1] and collection in names and path.startswith(prefix)
    ]
    page = found[request.offset : request.offset + request.limit]
    return Listing(_read_infos(index, page), len(found))


def read_document(
    index: Index,
    address: str,
    *,
    heading: str = "",
    offset: int = 0,
    max_characters: int = 0,
    published_only: bool = True,
) -> Reading:
    """Read a page's text below its front matter, or one section of it with all that is in it.

    After the text of a mail stands what it quotes, which is not searched.

    ``address``: see `find_document`. ``heading`` is a heading or a whole path of them, joined by
    " > ". Of a longer text than ``max_characters`` (0: no limit) a part is returned, which ends
    at a line's end where it can. Raises `DocumentNotFoundError`; `QueryError` for an ``offset``
    beyond the end.
    """
    number = find_document(index, address, published_only=published_only)
    (document,) = _read_infos(index, [number])
    body, sections = _body(index, number), _sections(index, number)
    path: tuple[str, ...] = ()
    if heading:
        section, end = _section(document.id, sections, heading)
        path, body = section.path, body[section.start : end]
    if offset > len(body):
        raise QueryError(f"offset {offset} is beyond the end, {len(body)}")
    return Reading(document, path, _cut(body, offset, max_characters), offset, len(body), sections)


def document_history(index: Index, address: str, *, published_only: bool = True) -> History:
    """The commits that changed a page. Raises `DocumentNotFoundError`."""
    number = find_document(index, address, published_only=published_only)
    rows = index.connection.execute(
        "SELECT revision, date, author, subject FROM revisions WHERE document_id = ? "
        "ORDER BY position",
        (number,),
    )
    (document,) = _read_infos(index, [number])
    return History(document, tuple(Revision(*row) for row in rows))


def describe_documents(index: Index, paths: Sequence[str]) -> tuple[DocumentInfo, ...]:
    """What is known of the pages at ``paths``, in their order; one there is not is left out."""
    marks = ", ".join("?" * len(paths))
    numbers = dict(
        index.connection.execute(f"SELECT path, id FROM documents WHERE path IN ({marks})", paths)
    )
    return _read_infos(index, [numbers[path] for path in paths if path in numbers])


def _read_infos(index: Index, numbers: Sequence[int]) -> tuple[DocumentInfo, ...]:
    marks = ", ".join("?" * len(numbers))
    rows = index.connection.execute(_DOCUMENTS.format(marks=marks), numbers)
    by_number = {row[0]: document_info(row[1:]) for row in rows}
    return tuple(by_number[number] for number in numbers)


def _body(index: Index, number: int) -> str:
    rows = index.connection.execute(
        "SELECT text, repeated FROM chunks WHERE document_id = ? ORDER BY ordinal", (number,)
    )
    (folded,) = index.connection.execute(
        "SELECT folded FROM documents WHERE id = ?", (number,)
    ).fetchone()
    return "".join(text[repeated:] for text, repeated in rows) + (folded and f"\n\n{folded}")


def _sections(index: Index, number: int) -> tuple[Section, ...]:
    rows = index.connection.execute(
        'SELECT ordinal, level, path, start, "end", line FROM sections WHERE document_id = ? '
        "ORDER BY ordinal",
        (number,),
    )
    return tuple(
        Section(ordinal, level, tuple(json.loads(path)), start, end, line)
        for ordinal, level, path, start, end, line in rows
    )


def _section(page: str, sections: Sequence[Section], heading: str) -> tuple[Section, int]:
    """The first section called ``heading``, and where the last one that lies in it ends."""
    wanted = facet_key(heading.lstrip("# "))
    for section in sections:
        names = {facet_key(section.heading), facet_key(" > ".join(section.path))}
        if section.path and wanted in names:
            below = [s for s in sections if s.ordinal > section.ordinal]
            after = next((s.start for s in below if s.level <= section.level), sections[-1].end)
            return section, after
    there = [section.heading for section in sections if section.path]
    more = ", …" if len(there) > _HEADINGS_NAMED else ""
    shown = ", ".join(map(repr, there[:_HEADINGS_NAMED])) + more
    raise DocumentNotFoundError(
        f"{page} has no heading {heading[:200]!r}; it has {shown or 'none'}"
    )


def _cut(body: str, offset: int, most: int) -> str:
    end = offset + most
    if not most or end >= len(body):
        return body[offset:]
    line_end = body.rfind("\n", offset + most // 2, end) + 1
    return body[offset : line_end or end]
