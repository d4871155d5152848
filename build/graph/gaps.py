"""Where facts were to be expected and none could be read."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from build.graph.profile import globs_pattern
from index_artifacts.graph.model import THESIS, WORK, Gap
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from build.graph.facts import PageFacts, WorkFacts
    from build.graph.people import Owners
    from build.graph.profile import Compiled
    from build.report import Report


_NOTHING_LOST = "empty"  # the code of a skipped page that had no facts to lose


def find_gaps(
    pages: Sequence[PageFacts], profiles: Sequence[Compiled], owners: Owners, report: Report
) -> list[Gap]:
    """Every gap: skipped pages, unreadable labels, announced theses, theses without a year."""
    gaps = [gap for page in pages for gap in page.gaps]
    for profile in profiles:
        gaps += _skipped(profile, report)
        gaps += _announced(pages, profile, owners)
    gaps += [
        Gap(page.document.path, work.spans[0][0], "year", "it says no year")
        for page in pages
        for work in page.works
        if work.year is None
    ]
    return gaps


def _skipped(profile: Compiled, report: Report) -> Iterator[Gap]:
    scope = globs_pattern(profile.profile.scope)
    for finding in report.findings:
        if finding.severity != "skipped" or finding.code == _NOTHING_LOST:
            continue
        if scope and scope.match(finding.path.lower()):
            for about in profile.profile.reads:
                yield Gap(finding.path, finding.line, about, f"skipped: {finding.reason}")


def _announced(pages: Sequence[PageFacts], profile: Compiled, owners: Owners) -> Iterator[Gap]:
    """Categories that announce a thesis which is on no page of the page's owner."""
    written: dict[str, list[WorkFacts]] = defaultdict(list)
    for page in pages:
        whose = owners.of.get(page.document.path, page.document.path)
        written[whose] += page.works
    for page in pages:
        path = page.document.path
        known = written[owners.of.get(path, path)]
        for category, kind, year in _expected(page, profile):
            if not any(w.kind == kind and year in {"", str(w.year)} for w in known):
                about = WORK if kind in profile.profile.works else THESIS
                reason = f"the category {category!r} announces one, and none was read"
                yield Gap(path, 1, about, reason)


def _expected(page: PageFacts, profile: Compiled) -> Iterator[tuple[str, str, str]]:
    """(category, kind, year) that a page's categories announce."""
    for category in page.document.categories:
        for expectation in profile.profile.expectations:
            for pattern in expectation.patterns:
                if found := profile.pattern(pattern).fullmatch(fold(category)):
                    groups = found.groupdict(default="")
                    kind = profile.value("kind", groups.get("kind", ""))
                    yield category, kind, groups.get("year", "")
