"""From a page to what is read off it: page by page, nothing of another page is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build.graph.facts import Fact, PageFacts
from build.graph.glossary import definitions_of, may_define
from build.graph.labels import Labelled, Labels
from build.graph.lines import lines_of
from build.graph.names import full_names
from build.graph.subjects import subjects_of
from build.graph.works import WorkReader
from index_artifacts.graph.model import PERSON
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from build.graph.facts import WorkFacts
    from build.graph.profile import Compiled
    from index_artifacts.records import Document


def read_page(document: Document, profiles: Sequence[Compiled]) -> PageFacts:
    """Apply the profiles to a page."""
    page = PageFacts(document, about=subjects_of(document, profiles))
    person = page.of_type(PERSON)
    defines = may_define(document, profiles)
    if not (person or defines):
        return page
    lines = list(lines_of(document))
    for profile in profiles:
        about = [item for item in page.about if item.profile == profile.name]
        people = [item.subject for item in about if item.subject.type == PERSON]
        if people:
            writes = any(subject.works for subject in people)
            WorkReader(page, profile).read(lines, works=writes)
            _read_front_matter(page, profile)
    page.works = _joined(page.works)
    if defines:
        page.definitions = definitions_of(document, lines, profiles)
    return page


def _read_front_matter(page: PageFacts, profile: Compiled) -> None:
    """What labels' keys say of the person, or of the page's only work."""
    labels, front = Labels(profile), page.document.front_matter
    for label in profile.profile.labels:
        written = next((key for key in label.keys if isinstance(front.get(key), str)), None)
        if written is None:
            continue
        found = Labelled(label.sets, profile.rule(label), written, str(front[written]), 1)
        for value in labels.values(found, found.value):
            fact = Fact(value, 1, found.rule)
            if label.sets == "start_year":
                page.start_years.append(fact)
            elif len(page.works) == 1 and label.sets == "supervisor":
                names = [Fact(name, 1, found.rule) for name in full_names(value)]
                page.works[0].supervisors = page.works[0].supervisors or names
            elif len(page.works) == 1 and label.sets in {"title", "state"}:
                page.works[0].facts.setdefault(label.sets, fact)


def _joined(works: list[WorkFacts]) -> list[WorkFacts]:
    """Blocks that tell of one work are one: of the same kind, year and title, where stated."""
    joined: list[WorkFacts] = []
    for work in works:
        same = [known for known in joined if _is_same(known, work)]
        if len(same) != 1:
            joined.append(work)
            continue
        known = same[0]
        known.year = known.year or work.year
        known.spans += work.spans
        known.facts = work.facts | known.facts
        known.supervisors = known.supervisors or work.supervisors
    return joined


def _is_same(one: WorkFacts, other: WorkFacts) -> bool:
    if one.kind != other.kind or (None not in {one.year, other.year} and one.year != other.year):
        return False
    titles = {fold(work.facts["title"].value) for work in (one, other) if "title" in work.facts}
    return len(titles) < 2
