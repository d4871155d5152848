"""Documents and what their fields say: tags, categories, authors, collections, links, headings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from build.graph.assembly import Places
from build.graph.names import name_words
from build.links import REPLY
from index_artifacts.graph.model import (
    AUTHOR,
    CATEGORY,
    COLLECTION,
    DOCUMENT,
    KEYWORD,
    SECTION,
)
from index_artifacts.schema import facet_key
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from build.graph.assembly import Assembly
    from build.graph.facts import PageFacts
    from build.graph.identity import Terms
    from build.graph.people import Owners
    from build.graph.profile import Compiled, Field_
    from index_artifacts.graph.model import Provenance
    from index_artifacts.records import Document, Link


def add_documents(
    assembly: Assembly, pages: Sequence[PageFacts], profiles: Sequence[Compiled],
    terms: Terms, owners: Owners,
) -> None:  # fmt: skip
    """Add every page, and what the profiles' fields make of it."""
    for page in pages:
        document, places = page.document, Places(page.document)
        key = f"document:{document.path}"
        end = max(document.body_line - 1, 1)
        itself = places.at(1, "document", last_line=end)
        assembly.add(key, DOCUMENT, document.title, itself, name=document.title, page=document.path)
        for profile in profiles:
            for field in profile.profile.fields:
                rule = profile.rule(field)
                front = places.at(1, rule, last_line=end)
                _add_field(assembly, document, field, front, places, terms)
    if any(field.source == "authors" for p in profiles for field in p.profile.fields):
        _join_authors(assembly, pages, owners)


def _add_field(
    assembly: Assembly, document: Document, field: Field_, front: Provenance, places: Places,
    terms: Terms,
) -> None:  # fmt: skip
    here = f"document:{document.path}"
    match field.source:
        case "tags":
            for tag in document.tags:
                there = assembly.add(f"keyword:{terms.own_key(tag)}", KEYWORD, tag, front)
                assembly.relate(here, "HAS_KEYWORD", there, front)
        case "categories":
            for category in document.categories:
                key = f"category:{facet_key(category)}"
                assembly.relate(
                    here, "IN_CATEGORY", assembly.add(key, CATEGORY, category, front), front
                )
        case "authors":
            for author in document.authors:
                there = assembly.add(_author_key(author), AUTHOR, author, front)
                assembly.relate(there, "AUTHORED_DOCUMENT", here, front)
        case "collection":
            key = f"collection:{document.collection}"
            there = assembly.add(key, COLLECTION, document.collection, front)
            assembly.relate(here, "IN_COLLECTION", there, front)
        case "links":
            for link in _to_others(document):
                if link.kind != REPLY:
                    where = places.at(link.line, front.rule)
                    assembly.relate(here, "LINKS_TO", f"document:{link.document}", where)
        case "replies":
            # What a mail answers stands in its headers, the nearest first; that is enough.
            for link in [link for link in _to_others(document) if link.kind == REPLY][:1]:
                assembly.relate(here, "REPLIES_TO", f"document:{link.document}", front)
        case "sections":
            for key, heading, line in _headings(document, field.level):
                where = places.at(line, front.rule)
                there = assembly.add(key, SECTION, heading, where, page=document.path)
                assembly.relate(here, "HAS_SECTION", there, where)


def _to_others(document: Document) -> Iterator[Link]:
    """The links that lead to another page."""
    return (link for link in document.links if link.document not in {None, document.path})


def _headings(document: Document, level: int) -> Iterator[tuple[str, str, int]]:
    """(key, heading, line) of the headings of a level; one that comes again is numbered."""
    seen: Counter[str] = Counter()
    for section in document.sections:
        if section.level == level and section.heading:
            slug = "-".join(words(section.heading)) or "section"
            seen[slug] += 1
            number = f"-{seen[slug]}" if seen[slug] > 1 else ""
            yield f"section:{document.path}#{slug}{number}", section.heading, section.line


def _author_key(author: str) -> str:
    return "author:" + ("-".join(name_words(author)) or facet_key(author))


def _join_authors(assembly: Assembly, pages: Sequence[PageFacts], owners: Owners) -> None:
    """An author is the person of the same full name, where there is one alone."""
    for page in pages:
        for author in page.document.authors:
            same = owners.people.named(author)
            if len(same) == 1 and len(same[0].words) > 1 and assembly.knows(same[0].key):
                where = Places(page.document).at(
                    1, "same-full-name", last_line=max(page.document.body_line - 1, 1)
                )
                assembly.relate(_author_key(author), "IS_PERSON", same[0].key, where)
