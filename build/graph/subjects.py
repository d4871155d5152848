"""Whom and what a page is about, by the subjects of a profile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from build.graph.facts import About, Fact
from build.graph.names import full_names, looks_like_name
from build.links import route
from index_artifacts.graph.model import PERSON, TOPIC
from index_artifacts.schema import facet_key
from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from build.graph.profile import Compiled, Pages, Subject
    from index_artifacts.records import Document

_NUMBER_BEHIND = re.compile(r"(?<=[^\W\d])\d+$")


def subjects_of(document: Document, profiles: Sequence[Compiled]) -> list[About]:
    """What the page is about. A person's page is not about a topic of that name, too."""
    found = [about for profile in profiles for about in _subjects(document, profile)]
    kinds = {about.subject.type for about in found}
    return [about for about in found if about.subject.type == PERSON or PERSON not in kinds]


def holds(pages: Pages, document: Document, profile: Compiled) -> bool:
    """True where the page is one of ``pages``."""
    if pages.path_pattern and not pages.path_pattern.match(document.path.lower()):
        return False
    filed = pages.category_pattern
    if filed and not any(filed.match(facet_key(category)) for category in document.categories):
        return False
    title = fold(document.title)
    return not pages.titles or any(profile.pattern(p).fullmatch(title) for p in pages.titles)


def _subjects(document: Document, profile: Compiled) -> Iterator[About]:
    for subject in profile.profile.subjects:
        if holds(subject, document, profile) and (name := _name(subject, document, profile)):
            yield About(subject, name, profile.name)


def _name(subject: Subject, document: Document, profile: Compiled) -> Fact | None:
    rule = profile.rule(subject)
    if subject.type == TOPIC and subject.shape == "any":
        return Fact(document.title, 1, rule)
    heading = next((section for section in document.sections if section.level == 1), None)
    written = [(heading.heading, heading.line)] if heading else []
    for text, line in [*written, (document.title, 1)]:
        if subject.shape == "any" or _is_person(text, profile):
            name = full_names(text)[0] if full_names(text) else text
            if not subject.slug or _in_address(name, document.path):
                return Fact(name, line, rule)
    return None


def _is_person(text: str, profile: Compiled) -> bool:
    if not looks_like_name(text):
        return False
    return "nobody" not in profile.profile.words or not any(
        profile.pattern("{nobody}").fullmatch(word) for word in words(text)
    )


def _in_address(name: str, path: str) -> bool:
    last = route(path).rpartition("/")[2]
    return bool({_NUMBER_BEHIND.sub("", word) for word in words(last)} & set(words(name)))
