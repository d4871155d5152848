"""Reading the theses and works off a person's page, block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build.graph.facts import Fact, WorkFacts
from build.graph.labels import Labels
from build.graph.names import full_names
from build.graph.profile import ATTRIBUTE_GROUPS
from index_artifacts.graph.model import Gap
from index_artifacts.text import words

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from build.graph.facts import PageFacts
    from build.graph.labels import Labelled
    from build.graph.lines import Line
    from build.graph.profile import Block, Compiled

_LONGEST_TITLE = 250
_SHORTEST_TITLE = 10
_QUOTES = " \"'„“”‚‘’«».,;"


class WorkReader:
    """Goes through a page's lines once and adds to its facts what stands there."""

    def __init__(self, page: PageFacts, profile: Compiled) -> None:
        self._page, self._profile = page, profile
        self._labels = Labels(profile)
        rules = profile.profile
        self._ends_head = profile.any_of(rules.closing)
        self._opens_at = {
            place: profile.any_of(
                tuple(p for b in rules.blocks if place in b.at for p in b.patterns)
            )
            for place in ("heading", "line")
        }
        self._states = {
            where: profile.any_of(
                tuple(p for s in rules.statements if s.where == where for p in s.patterns)
            )
            for where in ("person", "head", "block")
        }
        self._current: WorkFacts | None = None
        self._head = False
        # The level of the heading, or 7 of the line, below which nothing of a thesis is stated.
        self._closed = 0
        self._pending: Labelled | None = None

    def read(self, lines: Sequence[Line], *, works: bool) -> None:
        """Read a page; without ``works`` only what is said of the person."""
        for line, following in zip(lines, [*lines[1:], None], strict=True):
            self._close(line)
            block = self._opens(line) if works else None
            if block:
                self._open(line, *block)
                self._first_line(block[0], line, following)
            elif not line.heading:
                self._read_line(line)
        self._end(lines[-1].number if lines else 0)
        self._drop_pending()

    def _close(self, line: Line) -> None:
        closes = _may_match(self._ends_head, line)
        if line.heading:
            self._drop_pending()
            if self._current and line.heading <= self._current.level:
                self._end(line.number - 1)
            if line.heading <= self._closed or self._closed == 7:
                self._closed = 0
            if closes and not self._closed:
                self._closed = line.heading
        elif closes and line.plain and not self._closed:
            self._closed = 7
        self._head = self._current is not None and not self._closed

    def _opens(self, line: Line) -> tuple[Block, re.Match[str]] | None:
        place = "heading" if line.heading else "line"
        if place == "line" and (self._closed or (self._current and self._current.level < 7)):
            return None
        if not _may_match(self._opens_at[place], line):
            return None
        for block in self._profile.profile.blocks:
            if place not in block.at:
                continue
            for pattern in block.patterns:
                if found := self._profile.pattern(pattern).match(line.folded):
                    return block, found
        return None

    def _open(self, line: Line, block: Block, found: re.Match[str]) -> None:
        self._end(line.number - 1)
        values = self._groups(line, found) | {k: str(v) for k, v in block.sets.items()}
        rule = self._profile.rule(block)
        kind, year = values.pop("kind", ""), values.pop("year", "")
        self._current = WorkFacts(
            kind, int(year) if year else None, line.number, rule, line.heading or 7,
            is_work=kind in self._profile.profile.works,
        )  # fmt: skip
        self._head = True
        self._page.works.append(self._current)
        for name, value in values.items():
            self._set(name, value, line, rule)

    def _first_line(self, block: Block, line: Line, following: Line | None) -> None:
        """Take the line below a heading as the title where it stands alone and has no label."""
        if not (block.first_line and line.heading and following and self._current):
            return
        text = following.text
        if following.plain and text[-1] not in ".:;!?" and not self._labels.find(following):
            alone = following.number + 1 not in self._lines_with_text
            if alone and _SHORTEST_TITLE <= len(text) <= _LONGEST_TITLE:
                rule = f"{self._profile.rule(block)}/first-line"
                self._current.facts["first_line"] = Fact(text, following.number, rule)

    @property
    def _lines_with_text(self) -> set[int]:
        body = self._page.document
        return {n for n, t in enumerate(body.body.split("\n"), body.body_line) if t.strip()}

    def _end(self, last_line: int) -> None:
        if self._current:
            self._current.spans.append((self._current.line, last_line))
            first = self._current.facts.pop("first_line", None)
            if first:
                self._current.facts.setdefault("title", first)
        self._current = None
        self._head = False

    def _read_line(self, line: Line) -> None:
        if self._pending:
            pending, self._pending = self._pending, None
            if not self._labels.find(line) and self._take(pending, line.text, line):
                return
        found = None if self._closed else self._labels.find(line)
        if found and (found.sets == "start_year") == (self._current is None):
            if found.value:
                if not self._take(found, found.value, line):
                    self._unreadable(found, line)
            elif found.sets != "state":
                self._pending = found
        else:
            self._read_statements(line)

    def _take(self, label: Labelled, text: str, line: Line) -> bool:
        """Set what a label says; False where its value cannot be read."""
        values = self._labels.values(label, text)
        for value in values:
            self._set(label.sets, value, line, label.rule)
        return bool(values) or label.sets == "state"

    def _read_statements(self, line: Line) -> None:
        if not any(self._applies(w) and _may_match(p, line) for w, p in self._states.items()):
            return
        for statement in self._profile.profile.statements:
            if not self._applies(statement.where):
                continue
            for pattern in statement.patterns:
                if found := self._profile.pattern(pattern).match(line.folded):
                    values = self._groups(line, found)
                    values |= {k: str(v) for k, v in statement.sets.items()}
                    for name, value in values.items():
                        self._set(name, value, line, self._profile.rule(statement))
                    return

    def _applies(self, where: str) -> bool:
        if where == "person":
            return self._current is None and not self._closed
        return self._current is not None and (where == "block" or self._head)

    def _groups(self, line: Line, found: re.Match[str]) -> dict[str, str]:
        values = {}
        for name in found.groupdict():
            start, end = found.span(name)
            if start >= 0 and name in ATTRIBUTE_GROUPS:
                listed = name in self._profile.profile.words
                values[name] = (
                    self._profile.value(name, found[name]) if listed else line.original(start, end)
                )
        return values

    def _set(self, name: str, value: str, line: Line, rule: str) -> None:
        fact = Fact(value, line.number, rule)
        if name == "start_year":
            self._page.start_years.append(fact)
        elif self._current is None:
            return
        elif name == "supervisor":
            self._add_supervisors(fact)
        elif name == "year":
            if self._current.year is None:
                self._current.year = int(value)
                self._current.facts.setdefault("year", fact)
        elif name == "title":
            if title := value.strip(_QUOTES):
                self._current.facts.setdefault("title", Fact(title, line.number, rule))
        else:
            self._current.facts.setdefault(name, fact)

    def _add_supervisors(self, fact: Fact) -> None:
        if self._current and not self._current.supervisors:
            known = self._profile.profile.words
            nobody = self._profile.pattern("{nobody}") if "nobody" in known else None
            for name in full_names(fact.value):
                if not (nobody and any(nobody.fullmatch(word) for word in words(name))):
                    self._current.supervisors.append(Fact(name, fact.line, fact.rule))

    def _drop_pending(self) -> None:
        if self._pending:
            self._unreadable(self._pending, None)
        self._pending = None

    def _unreadable(self, label: Labelled, line: Line | None) -> None:
        about = "SUPERVISED" if label.sets == "supervisor" else label.sets
        reason = f"the label {label.written!r} has no value that can be read"
        number = line.number if line else label.line
        self._page.gaps.append(Gap(self._page.document.path, number, about, reason))


def _may_match(pattern: re.Pattern[str] | None, line: Line) -> bool:
    return pattern is not None and bool(pattern.match(line.folded))
