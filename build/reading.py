"""From a page's file to a document."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from build.chunks import ChunkSizes, make_chunks
from build.decoding import decode
from build.front_matter import split_front_matter
from build.languages import commonest, detect
from build.links import route, stands_for_folder
from build.mail.documents import MailReader
from build.markdown import parse
from build.metadata import Metadata, read_metadata
from build.plain_text import first_line_title, plain_structure
from index_artifacts.records import AUTHOR, Document, Link

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from build.chunks import Tokenizer
    from build.config import BuildConfig, CollectionConfig
    from build.git import Repository
    from build.markdown import Structure
    from build.pages import Page
    from build.report import Report
    from index_artifacts.manifest import Source


class PageReader:
    """Reads pages into documents, and splits them once the tokenizer is known."""

    def __init__(
        self, config: BuildConfig, source: Source, repository: Repository | None, report: Report
    ) -> None:
        self._config, self._source, self._report = config, source, report
        self._history = repository.history() if repository else {}
        self._structures: dict[str, Structure] = {}
        self._unsummarised: set[str] = set()
        if repository and not self._history:
            reason = "the history is cut (shallow clone): pages have no commit date or history"
            report.add("note", "shallow-clone", ".", reason)

    def read(
        self, pages: Sequence[Page], progress: Callable[[str, int, int], None]
    ) -> list[Document]:
        """Return the documents in the order of the collections, then of their paths."""
        documents = []
        mail = MailReader(self._config, self._report)
        for number, page in enumerate(pages, 1):
            found: list[Document] = []
            if page.kind == "mail":
                for message, structure in mail.read(page):
                    self._structures[message.path] = structure
                    found.append(message)
            elif document := self._read_page(page):
                found.append(document)
            documents += found
            if not page.summaries:
                self._unsummarised.update(document.path for document in found)
            progress("reading", number, len(pages))
        default = self._config.default_language or commonest(
            (document.language for document in documents), self._config.languages[0]
        )
        order = [collection.name for collection in self._config.collections]
        known = [d if d.language else replace(d, language=default) for d in documents]
        return sorted(known, key=lambda d: (order.index(d.collection), d.path))

    def structure(self, document: Document) -> Structure:
        """The structure of a document that was read."""
        return self._structures[document.path]

    def wants_summary(self, document: Document) -> bool:
        """False where its author wrote one, or the wiki or its source is to have none."""
        wanted = self._config.summaries != "none" and document.path not in self._unsummarised
        return wanted and not document.summary

    def split(self, document: Document, tokenizer: Tokenizer) -> Document:
        """Return the document with its chunks."""
        config = self._config
        sizes = ChunkSizes(
            config.chunk_max_tokens, config.chunk_overlap_tokens, config.chunk_min_tokens
        )
        structure = self._structures[document.path]
        chunks = make_chunks(document.body, structure, sizes, tokenizer, document.body_line)
        return replace(document, chunks=tuple(chunks))

    def _read_page(self, page: Page) -> Document | None:
        report, path = self._report, page.path
        collection = self._config.collection_of(path)
        if collection is None:
            reason = 'in no [[collections]]: add one whose path is "."'
            report.add("skipped", "no-collection", path, reason)
            return None
        try:
            data = page.file.read_bytes()
        except OSError as error:
            report.add("skipped", "unreadable", path, f"cannot be read: {error.strerror}")
            return None
        text = decode(path, data, self._config.fallback_encoding, report)
        if text is None:
            return None
        if page.kind == "text":
            return self._text_document(path, collection, text)
        front = split_front_matter(path, text, report)
        metadata = read_metadata(path, front, report)
        published = metadata.published or self._config.publication == "ignore"
        if not published and self._config.publication == "exclude":
            report.add("excluded", "unpublished", path, "published: false")
            return None
        if not front.body.strip():
            report.add("degraded", "no-text", path, "no text below its front matter: title only")
        structure = parse(front.body, front.body_line)
        self._structures[path] = structure
        document = self._document(path, collection, metadata, structure, front.body)
        return replace(
            document,
            published=published,
            body_line=front.body_line,
            front_matter=dict(front.values),
        )

    def _text_document(self, path: str, collection: CollectionConfig, text: str) -> Document:
        structure = self._structures[path] = plain_structure(text)
        metadata = Metadata(title=first_line_title(text))
        return self._document(path, collection, metadata, structure, text)

    def _document(
        self,
        path: str,
        collection: CollectionConfig,
        metadata: Metadata,
        structure: Structure,
        body: str,
    ) -> Document:
        revisions = self._history.get(path, ())
        in_values = tuple(_value_link(target, line) for target, line in metadata.links)
        return Document(
            path=path,
            collection=collection.name,
            title=metadata.title or structure.first_h1 or _title_of_file(path),
            language=self._language(path, metadata, structure),
            body=body,
            content_hash=hashlib.sha256(body.encode()).hexdigest(),
            source_url=self._source_url(path, collection),
            authors=metadata.authors,
            tags=metadata.tags,
            categories=metadata.categories,
            aliases=metadata.aliases,
            permalink=metadata.permalink,
            created=metadata.created,
            updated=metadata.updated,
            year=metadata.year,
            commit_date=revisions[0].date if revisions else None,
            commit_author=revisions[0].author if revisions else None,
            summary=metadata.summary,
            summary_by=AUTHOR if metadata.summary else "",
            sections=structure.sections,
            links=in_values + structure.links,
            revisions=tuple(revisions),
        )

    def _language(self, path: str, metadata: Metadata, structure: Structure) -> str:
        """The declared language, else the detected one, else empty: the wiki's commonest."""
        stated = metadata.language
        if stated in self._config.languages:
            return stated
        if stated:
            reason = f"language {stated!r} is not in [wiki] languages: it was detected instead"
            self._report.add("note", "language", path, reason)
        title = metadata.title or _title_of_file(path)
        return detect(f"{title}\n{structure.prose}", self._config.languages) or ""

    def _source_url(self, path: str, collection: CollectionConfig) -> str:
        template = collection.source_url or self._config.source_url
        return template.format(
            path=quote(path),
            path_without_extension=quote(str(PurePosixPath(path).with_suffix(""))),
            route=quote(route(path)),
            collection=collection.name,
            revision=self._source.revision or "",
        )


def _value_link(written: str, line: int) -> Link:
    target, _, fragment = written.partition("#")
    return Link(target.strip(), "wikilink", line, fragment.strip())


def _title_of_file(path: str) -> str:
    name = route(path) if stands_for_folder(path) else str(PurePosixPath(path).with_suffix(""))
    last = name.rpartition("/")[2]
    return " ".join(last.replace("-", " ").replace("_", " ").split()) or path
