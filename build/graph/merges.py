"""What of the graph somebody should look at: spellings joined, and names of two types."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from index_artifacts.graph.model import AUTHOR, CATEGORY, KEYWORD, PERSON, TOPIC
from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from build.report import Report
    from index_artifacts.graph.model import Entity, KnowledgeGraph

_NAMED_BY_PAGES = (PERSON, AUTHOR, KEYWORD, TOPIC)
# A keyword is often a topic, too, and an author a person; a person is no topic.
_SUSPICIOUS = ((PERSON, TOPIC), (PERSON, KEYWORD), (PERSON, CATEGORY), (AUTHOR, TOPIC),
               (AUTHOR, KEYWORD))  # fmt: skip


def report_merges(
    graph: KnowledgeGraph, aliases: Mapping[str, Collection[str]], report: Report
) -> None:
    """Note every entity that joins different spellings, and every name that two types share.

    ``aliases`` are what pages, by path, call themselves besides: those were joined by somebody.
    """
    named: dict[tuple[str, ...], dict[str, Entity]] = defaultdict(dict)
    for entity in graph.entities:
        if entity.type in _NAMED_BY_PAGES:
            _note_merge(entity, aliases.get(entity.page or "", ()), report)
        if entity.type in {*_NAMED_BY_PAGES, CATEGORY}:
            for name in (entity.name, *entity.names):
                named[tuple(words(name))].setdefault(entity.type, entity)
    for shared in named.values():
        for one, other in _SUSPICIOUS:
            if one in shared and other in shared:
                path, line = _place(shared[one])
                reason = (
                    f"{shared[one].name!r} is a {one} ({shared[one].key}) and a {other} "
                    f"({shared[other].key}): two things, or one page filed wrongly?"
                )
                report.add("note", "graph-conflict", path, reason, line)


def _note_merge(entity: Entity, aliases: Collection[str], report: Report) -> None:
    found = [name for name in (*entity.names, entity.name) if name not in aliases]
    spellings = {name.casefold(): name for name in found}
    if len(spellings) > 1:
        path, line = _place(entity)
        listed = ", ".join(repr(spellings[folded]) for folded in sorted(spellings))
        reason = f"{listed} are one {entity.type} ({entity.key})"
        report.add("note", "graph-merge", path, reason, line)


def _place(entity: Entity) -> tuple[str, int]:
    first = entity.provenance[0] if entity.provenance else None
    return (first.path, first.line) if first else (entity.page or ".", 0)
