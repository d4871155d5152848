"""The records that a version is made of, as the build writes and the reader returns them."""

from __future__ import annotations

from dataclasses import dataclass, field

AUTHOR, EXTRACTIVE = "author", "extractive"
"""Who a document's summary is by, unless it is by a language model."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link out of a document. ``kind`` is ``markdown``, ``wikilink``, ``embed`` or ``url``.

    ``target`` is as written; ``document`` is the path it resolves to, or None.
    """

    target: str
    kind: str
    line: int
    fragment: str = ""
    document: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what lies under it up to the next heading. Lines are 1-based.

    ``path`` holds the headings from the outermost down to this one; the text before the first
    heading is a section of level 0 with an empty path. ``start`` and ``end`` are character
    offsets into the body, the heading line included.
    """

    ordinal: int
    level: int
    path: tuple[str, ...]
    start: int
    end: int
    line: int

    @property
    def heading(self) -> str:
        """The innermost heading, or an empty string before the first one."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document that is found and quoted as one.

    ``text[repeated:]`` is exactly ``body[start:end]``; the first ``repeated`` characters stand
    already in an earlier chunk: the overlap, or the header of a table that was split.
    """

    ordinal: int
    section: int
    text: str
    repeated: int
    start: int
    end: int
    line: int
    last_line: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit that changed a document: its full hash, ISO 8601 date in UTC, author's name.

    ``subject`` is the commit's title, as ``git log --oneline`` shows it. E-mail addresses are
    left in Git.
    """

    revision: str
    date: str
    author: str
    subject: str


@dataclass(frozen=True, slots=True)
class Document:
    """A page: what its front matter, its text and Git say of it.

    ``path`` is relative to the wiki's root, with ``/``, and is the document's id. Dates are
    ISO 8601 strings or None; ``summary_by`` is `AUTHOR`, `EXTRACTIVE` or the name of the language
    model that wrote the summary, and empty without one; ``keywords`` were found in a page that
    states no tags; ``folded`` is read with the page and never searched, such as what a
    mail quotes; ``year`` is the year the page states for itself. ``revisions`` are
    the newest first; without Git, or with its history cut, there are none.
    """

    path: str
    collection: str
    title: str
    language: str
    body: str
    content_hash: str
    source_url: str = ""
    published: bool = True
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    permalink: str = ""
    created: str | None = None
    updated: str | None = None
    year: int | None = None
    commit_date: str | None = None
    commit_author: str | None = None
    summary: str = ""
    summary_by: str = ""
    keywords: tuple[str, ...] = ()
    body_line: int = 1
    folded: str = ""
    front_matter: dict[str, object] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    links: tuple[Link, ...] = ()
    revisions: tuple[Revision, ...] = ()
