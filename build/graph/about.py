"""What theses are about: links under them to topic pages, and topic pages' lists of works."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from build.graph.assembly import Places
from build.graph.lines import clean, lines_of
from build.graph.topics import topic_key
from index_artifacts.graph.model import TOPIC
from index_artifacts.text import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from build.graph.assembly import Assembly
    from build.graph.facts import PageFacts
    from build.graph.identity import Terms
    from build.graph.people import Written
    from build.graph.profile import Compiled, Mentions
    from build.lemmas import Lemmas
    from index_artifacts.graph.model import Provenance
    from index_artifacts.records import Document

_BRACKETS = re.compile(r"\s*\([^()]*\)")
_TARGET = re.compile(
    r"!?\[[^\[\]]*\]\((?:<(?P<angled>[^<>\n]*)>|(?P<plain>[^()\s]*))[^()\n]*\)"
    r"|\[\[(?P<wiki>[^\[\]|#\n]*)[^\[\]\n]*\]\]"
)


@dataclass(frozen=True, slots=True)
class _Wiki:
    """What every rule looks at."""

    pages: dict[str, PageFacts]
    profile: Compiled
    terms: Terms
    lemmas: Lemmas
    works: Sequence[Written]

    def topics(self, subjects: Sequence[str]) -> dict[str, str]:
        """The topics that the pages of some subjects describe, by the pages' paths."""
        return {
            path: topic_key(about.name.value, self.terms)
            for path, page in self.pages.items()
            for about in page.about
            if about.profile == self.profile.name
            and about.subject.name in subjects
            and about.subject.type == TOPIC
        }


def add_subjects_of_works(
    assembly: Assembly, pages: Sequence[PageFacts], profiles: Sequence[Compiled],
    terms: Terms, lemmas: Lemmas, works: Sequence[Written],
) -> None:  # fmt: skip
    """Relate theses and works to the topics that pages say they are about."""
    by_path = {page.document.path: page for page in pages}
    for profile in profiles:
        wiki = _Wiki(by_path, profile, terms, lemmas, works)
        for about in (*_linked(wiki), *_titled(wiki), *_mentioned(wiki)):
            assembly.relate(about.work, "ABOUT", about.topic, about.where)


@dataclass(frozen=True, slots=True)
class _About:
    work: str
    topic: str
    where: Provenance


def _linked(wiki: _Wiki) -> Iterator[_About]:
    """Links under a thesis, or on a page of one, to pages of topics."""
    for rule in wiki.profile.profile.links:
        topics = wiki.topics(rule.to)
        for work in wiki.works:
            page = wiki.pages[work.path]
            alone = rule.where == "page-of-one"
            if alone and len(page.works) != 1:
                continue
            places = Places(page.document)
            spans = [(0, sys.maxsize)] if alone else work.facts.spans
            for link in page.document.links:
                topic = topics.get(link.document or "")
                if topic and any(first <= link.line <= last for first, last in spans):
                    where = places.at(link.line, wiki.profile.rule(rule))
                    yield _About(work.key, topic, where)


def _titled(wiki: _Wiki) -> Iterator[_About]:
    """Titles that hold a topic's name or alias, word by word, in any case."""
    for rule in wiki.profile.profile.titles:
        names: dict[tuple[str, ...], str] = {}
        for path, topic in wiki.topics(rule.to).items():
            document = wiki.pages[path].document
            for name in (document.title, _BRACKETS.sub("", document.title), *document.aliases):
                for form in _forms(name, document.language, wiki.lemmas):
                    names.setdefault(form, topic)
        longest = max(map(len, names), default=0)
        for work in wiki.works:
            if title := work.facts.facts.get("title"):
                document = wiki.pages[work.path].document
                where = Places(document).at(title.line, wiki.profile.rule(rule))
                for form in _forms(title.value, document.language, wiki.lemmas):
                    for part in _parts(form, longest):
                        if topic := names.get(part, ""):
                            yield _About(work.key, topic, where)


def _forms(text: str, language: str, lemmas: Lemmas) -> list[tuple[str, ...]]:
    return [tuple(lemmas.text(text, language)), tuple(words(text))]


def _parts(form: tuple[str, ...], longest: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(form)):
        for end in range(start + 1, min(len(form), start + longest) + 1):
            yield form[start:end]


def _mentioned(wiki: _Wiki) -> Iterator[_About]:
    """What stands in the topic pages' lists of works."""
    by_page: dict[str, list[Written]] = defaultdict(list)
    for work in wiki.works:
        by_page[work.path].append(work)
    for rule in wiki.profile.profile.mentions:
        for path, topic in wiki.topics(rule.on).items():
            document = wiki.pages[path].document
            places = Places(document)
            for person, text, line in _listed(document, rule, wiki.profile):
                where = places.at(line, wiki.profile.rule(rule))
                for work in _meant(by_page.get(person, []), text, wiki.profile):
                    yield _About(work.key, topic, where)


def _listed(
    document: Document, rule: Mentions, profile: Compiled
) -> Iterator[tuple[str, str, int]]:
    """(the page linked, what is said until the next link to a page, line) under the headings."""
    links = {link.target: link.document for link in document.links if link.document}
    level, path, text, start = 0, "", "", 0
    for line in lines_of(document):
        if line.heading and (not level or line.heading <= level):
            named = any(profile.pattern(p).fullmatch(line.folded) for p in rule.headings)
            level = line.heading if named else 0
        if not level or line.heading:
            continue
        at = 0
        for found in _TARGET.finditer(line.raw):
            target = found["angled"] or found["plain"] or found["wiki"] or ""
            linked = links.get(unquote(target.partition("#")[0]).strip())
            aside = _TARGET.sub("", text + line.raw[at : found.start()])
            if linked is None or aside.count("(") > aside.count(")"):
                continue  # in brackets stands somebody else, or somebody's other work
            if path:
                yield path, text + " " + line.raw[at : found.start()], start
            path, text, start, at = linked, "", line.number, found.end()
        text += " " + line.raw[at:]
    if path:
        yield path, text, start


def _meant(works: Sequence[Written], text: str, profile: Compiled) -> list[Written]:
    """The works of a person that a line speaks of: of the kind it names, or the only one."""
    folded = fold(clean(text))
    if "kind" in profile.profile.words:
        pattern = profile.pattern(r"(?<!\w)(?P<kind>{kind})(?!\w)")
        named = {profile.value("kind", found["kind"]) for found in pattern.finditer(folded)}
        if named:
            return [work for work in works if work.facts.kind in named]
    return list(works) if len(works) == 1 else []
