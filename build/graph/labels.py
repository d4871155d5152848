"""``Label: value`` in a line, in a row of a table with two cells, or in front matter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from build.graph.lines import cells
from build.graph.names import full_names
from index_artifacts.text import fold

if TYPE_CHECKING:
    from build.graph.lines import Line
    from build.graph.profile import Compiled, Label

_STATE = r"(?:\w+ ){{0,1}}(?:je |is |jest )?(?:iba |len |jen |only )?(?P<state>{})(?!\w)"
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label that was found; ``written`` as it stands there, ``value`` what follows it."""

    sets: str
    rule: str
    written: str
    value: str
    line: int


class Labels:
    """The labels of a profile."""

    def __init__(self, profile: Compiled) -> None:
        self._profile = profile
        patterns = tuple(p for label in profile.profile.labels for p in label.patterns)
        self._any = profile.any_of(patterns)

    def find(self, line: Line) -> Labelled | None:
        """The label that begins a line or a table row, if any does."""
        head, colon, value = line.text.partition(":")
        row = [] if colon else cells(line)
        if len(row) == 2 and not colon:
            head, value = row[0].rstrip(": "), row[1]
        elif not colon:
            return None
        folded = fold(head).strip()
        if not self._any or not self._any.fullmatch(folded):
            return None
        for label in self._profile.profile.labels:
            if _pattern(self._profile, label).fullmatch(folded):
                rule = self._profile.rule(label)
                return Labelled(label.sets, rule, head.strip(), value.strip(), line.number)
        return None

    def values(self, label: Labelled, text: str) -> list[str]:
        """What a label's value says; empty where it cannot be read."""
        if label.sets == "supervisor":
            return [text] if full_names(text) else []
        if label.sets in {"year", "start_year"}:
            found = _YEAR.search(text)
            return [found.group()] if found else []
        if label.sets == "state":
            return self._state(text)
        return [text] if text.strip(" .?!-–") else []

    def _state(self, text: str) -> list[str]:
        if "state" not in self._profile.profile.words:
            return []
        found = self._profile.pattern(_STATE.format("{state}")).match(fold(text))
        return [self._profile.value("state", found["state"])] if found else []


@lru_cache(maxsize=1000)
def _joined(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _pattern(profile: Compiled, label: Label) -> re.Pattern[str]:
    return profile.pattern(_joined(label.patterns))
