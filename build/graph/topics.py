"""Topics: what pages are about by their titles, and what glossaries define."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from build.graph.assembly import Places
from index_artifacts.graph.model import TOPIC
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.graph.assembly import Assembly
    from build.graph.facts import PageFacts
    from build.graph.identity import Terms


def drop_common_titles(pages: Sequence[PageFacts]) -> None:
    """Forget topics that too many pages are called by: a template's title says nothing."""
    counted = Counter(
        (about.profile, about.subject.name, fold(about.name.value))
        for page in pages
        for about in page.about
    )
    for page in pages:
        page.about = [
            about
            for about in page.about
            if not 0
            < about.subject.most_pages
            < counted[about.profile, about.subject.name, fold(about.name.value)]
        ]


def see_terms(pages: Sequence[PageFacts], terms: Terms) -> None:
    """Let ``terms`` count every tag, topic, alias and defined term, with its page's language."""
    for page in pages:
        language = page.document.language
        for tag in page.document.tags:
            terms.see(tag, language)
        for definition in page.definitions:
            terms.see(definition.term, language)
        if about := page.of_type(TOPIC):
            for term in (about.name.value, *page.document.aliases):
                terms.see(term, language)
    titles = {terms.own_key(a.name.value) for page in pages if (a := page.of_type(TOPIC))}
    for page in pages:
        if about := page.of_type(TOPIC):
            for alias in page.document.aliases:
                if terms.own_key(alias) not in titles:  # a page's own title is its topic's name
                    terms.alias(alias, about.name.value)


def topic_key(term: str, terms: Terms) -> str:
    """The key of the topic that a term names."""
    return f"topic:{terms.key(term)}"


def add_topics(assembly: Assembly, pages: Sequence[PageFacts], terms: Terms) -> None:
    """Add topics with the pages that describe them, and the definitions of terms.

    Of several pages with one title, the one that a narrower rule knows is the topic's page.
    """
    described = [(page, about) for page in pages if (about := page.of_type(TOPIC))]
    for page, about in sorted(described, key=lambda item: not item[1].subject.categories):
        places = Places(page.document)
        key = topic_key(about.name.value, terms)
        where = places.at(about.name.line, about.name.rule)
        assembly.add(key, TOPIC, about.name.value, where, name=about.name.value,
                     page=page.document.path)  # fmt: skip
        assembly.relate(f"document:{page.document.path}", "DESCRIBES", key, where)
        for alias in page.document.aliases:
            if topic_key(alias, terms) == key:
                assembly.alias(key, alias)
    for page in pages:
        for definition in page.definitions:
            places = Places(page.document)
            key = topic_key(definition.term, terms)
            where = places.at(definition.line, definition.rule)
            assembly.add(key, TOPIC, definition.term, where)
            stated = places.at(definition.line, definition.rule, "definition")
            assembly.set(key, "definition", definition.text, stated)
            assembly.relate(f"document:{page.document.path}", "DESCRIBES", key, where)
