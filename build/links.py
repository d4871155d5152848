"""Resolving links between pages: relative and absolute paths, Grav routes, wikilinks."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from build.sources import MARKDOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from build.report import Report
    from index_artifacts.records import Document, Link

_ORDER_PREFIX = re.compile(r"^\d+\.(?=.)")
REPLY = "reply"
"""The kind of a link from a mail to the one it answers; its target is a Message-ID."""
# File names that stand for their folder, in Grav, on forges and in static site generators.
_FOLDER_PAGES = {"readme", "index", "_index", "default", "item", "home"}


def route(path: str) -> str:
    """The address a page has on its site: no extension, no ``01.`` prefixes, no README."""
    pure = PurePosixPath(path)
    bare = pure.with_suffix("") if pure.name else pure  # the root itself has no name
    parts = [_ORDER_PREFIX.sub("", part) for part in bare.parts]
    if len(parts) > 1 and parts[-1].lower() in _FOLDER_PAGES:
        parts.pop()
    return "/".join(parts)


def stands_for_folder(path: str) -> bool:
    """True where the file's own name says nothing about its page."""
    return PurePosixPath(path).stem.lower() in _FOLDER_PAGES


class LinkResolver:
    """Finds the page that a link means; of several, the nearest."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._mail: dict[str, list[str]] = defaultdict(list)
        self._exact: dict[str, str] = {}
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        folders: dict[str, list[str]] = defaultdict(list)
        for document in documents:
            path = document.path
            if message_id := document.front_matter.get("message_id"):
                self._mail[str(message_id)].append(path)
            for key in (path, str(PurePosixPath(path).with_suffix("")), route(path)):
                self._exact.setdefault(key, path)  # where two paths differ by case alone
                self._by_path.setdefault(_key(key), path)
            if "/" not in path and stands_for_folder(path):
                self._by_path.setdefault("", path)  # the root's own page
            if document.permalink:
                self._by_path.setdefault(_key(document.permalink), path)
            folders[_key(route(posixpath.dirname(path) + "/_"))].append(path)
            names = {PurePosixPath(path).stem, route(path).rpartition("/")[2], document.title}
            for name in names | set(document.aliases):
                self._by_name[_key(name)].append(path)
        for folder, paths in folders.items():  # Grav: a folder with one page is that page
            address = folder.rpartition("/")[0]
            if len(paths) == 1 and address:
                self._by_path.setdefault(address, paths[0])

    def resolve(self, link: Link, source: str) -> str | None:
        """Return the path of the page that ``link`` on page ``source`` leads to, or None."""
        if link.kind == "url":
            return None
        if link.kind == REPLY:
            return _nearest(self._mail.get(link.target, []), source)
        if not link.target:
            return source  # a fragment of this very page
        return self._as_path(link.target, source) or (
            self._as_name(link.target, source) if link.kind != "markdown" else None
        )

    def _as_path(self, target: str, source: str) -> str | None:
        here = posixpath.dirname(source)
        for base in ("",) if target.startswith("/") else (here, route(source), ""):
            joined = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
            joined = "" if joined == "." else joined
            for address in (joined, _address(joined)):
                if found := self._exact.get(address) or self._by_path.get(_key(address)):
                    return found
        return None

    def _as_name(self, target: str, source: str) -> str | None:
        suffix = PurePosixPath(target).suffix.lower()
        name = target[: -len(suffix)] if suffix in MARKDOWN else target
        candidates = self._by_name.get(_key(name.rpartition("/")[2]), [])
        wanted = _key(name)
        fitting = [path for path in candidates if "/" not in name or _key(path).find(wanted) >= 0]
        return _nearest(fitting, source)


def resolve_links(documents: list[Document], report: Report) -> list[Document]:
    """Return the documents with each link's page filled in; broken ones are noted."""
    resolver = LinkResolver(documents)
    resolved = []
    for document in documents:
        links = []
        for link in document.links:
            found = resolver.resolve(link, document.path)
            links.append(replace(link, document=found))
            if found is None and _means_a_page(link):
                reason = f"no page for the link {link.target!r}"
                report.add("note", "broken-link", document.path, reason, link.line)
        resolved.append(replace(document, links=tuple(links)))
    return resolved


def _means_a_page(link: Link) -> bool:
    if link.kind == "wikilink":
        return PurePosixPath(link.target).suffix.lower() in {"", *MARKDOWN}
    return link.kind == "markdown" and PurePosixPath(link.target).suffix.lower() in {"", *MARKDOWN}


def _nearest(paths: list[str], source: str) -> str | None:
    return min(paths, key=lambda path: (_distance(path, source), path), default=None)


def _distance(path: str, source: str) -> int:
    common = posixpath.commonpath(
        [posixpath.dirname(path) or ".", posixpath.dirname(source) or "."]
    )
    shared = len(PurePosixPath(common).parts)
    return len(PurePosixPath(path).parts) + len(PurePosixPath(source).parts) - 2 * shared


def _address(target: str) -> str:
    """The route of a target, whose name may hold a dot and no extension: ``release 1.9``."""
    is_page = PurePosixPath(target).suffix.lower() in {*MARKDOWN, ".html", ".htm"}
    return route(target if is_page else f"{target}.md")


def _key(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip("/ ")
