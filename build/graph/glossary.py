"""Definitions on glossary pages: bold terms with a dash, definition lists, tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from build.graph.facts import Definition
from build.graph.lines import cells, clean
from build.graph.subjects import holds
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from build.graph.lines import Line
    from build.graph.profile import Compiled, Glossary
    from index_artifacts.records import Document

_DASH = re.compile(
    r"[ \t]*(?:[-+*•][ \t]+|\d+[.)][ \t]+)?\*\*([^*\n]{1,80})\*\*[ \t]*(\([^()\n]*\))?"
    r"[ \t]*(?:[–—:]|-(?=[ \t]))[ \t]*(\S.*)"
)
_DEFINES = re.compile(r"[ \t]*:[ \t]+(\S.*)")
_RULER = re.compile(r"[ \t]*\|?[ \t:|-]+\|?[ \t]*")
_PARENTHESES = re.compile(r"\s*\([^()]*\)\s*$")
_LONGEST_TERM = 80


def definitions_of(
    document: Document, lines: Sequence[Line], profiles: Sequence[Compiled]
) -> list[Definition]:
    """The terms that a page defines; of two rules for one term the first counts."""
    found: dict[tuple[str, int], Definition] = {}
    for profile in profiles:
        for glossary in profile.profile.glossaries:
            if holds(glossary, document, profile):
                below = list(_below(glossary, lines, profile))
                for term, text, line in _read(glossary, below):
                    definition = Definition(term, text, line, profile.rule(glossary))
                    found.setdefault((term, line), definition)
    return list(found.values())


def may_define(document: Document, profiles: Sequence[Compiled]) -> bool:
    """False where no rule can find anything, so that the page's lines need not be read."""
    return any(
        holds(glossary, document, profile)
        and (
            not glossary.headings
            or any(
                profile.pattern(pattern).fullmatch(section_heading)
                for section_heading in _headings(document)
                for pattern in glossary.headings
            )
        )
        for profile in profiles
        for glossary in profile.profile.glossaries
    )


def _headings(document: Document) -> Iterator[str]:
    return (fold(section.heading) for section in document.sections if section.level)


def _below(glossary: Glossary, lines: Sequence[Line], profile: Compiled) -> Iterator[Line]:
    """The lines under the headings that a glossary names, or all."""
    level = 0
    for line in lines:
        if line.heading and (not level or line.heading <= level):
            named = any(profile.pattern(p).fullmatch(line.folded) for p in glossary.headings)
            level = line.heading if named else 0
        if level or not glossary.headings:
            yield line


def _read(glossary: Glossary, lines: Sequence[Line]) -> Iterator[tuple[str, str, int]]:
    if "dash" in glossary.forms:
        yield from _dashes(lines)
    if "definition-list" in glossary.forms:
        yield from _definition_lists(lines)
    if "table" in glossary.forms:
        yield from _tables(lines)


def _dashes(lines: Sequence[Line]) -> Iterator[tuple[str, str, int]]:
    """``**term** – definition``, also as a list item."""
    for line in lines:
        if found := _DASH.match(line.raw):
            yield clean(found[1]).strip(" :"), clean(found[3]).rstrip(","), line.number


def _definition_lists(lines: Sequence[Line]) -> Iterator[tuple[str, str, int]]:
    """A term on a line of its own, and ``: definition`` below it, continued by plain lines."""
    term, text, start = "", "", 0
    for before, line in zip([None, *lines], [*lines, None], strict=True):
        found = _DEFINES.match(line.raw) if line else None
        if found and line and before:
            if term and text:
                yield term, text, start
            term = _PARENTHESES.sub("", before.text) if before.number == line.number - 1 else ""
            term = term if len(term) <= _LONGEST_TERM and not before.heading else ""
            text, start = clean(found[1]), before.number
        elif line and before and text and line.number == before.number + 1 and line.plain:
            text += " " + line.text
        elif text:
            if term:
                yield term, text, start
            term, text = "", ""


def _tables(lines: Sequence[Line]) -> Iterator[tuple[str, str, int]]:
    """Rows below a header: the first cell is the term, the others define it."""
    last, in_body = 0, False
    for line in lines:
        row = cells(line)
        if line.number != last + 1:
            in_body = False
        last = line.number
        if not row:
            in_body = False
        elif _RULER.fullmatch(line.raw):
            in_body = True
        elif in_body and 0 < len(row[0]) <= _LONGEST_TERM and any(row[1:]):
            yield row[0], "; ".join(cell for cell in row[1:] if cell), line.number
