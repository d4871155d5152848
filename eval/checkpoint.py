"""A file of outcomes, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eval.outcomes import Outcome

if TYPE_CHECKING:
    from pathlib import Path


def append_line(path: Path, value: dict[str, Any]) -> None:
    """Add ``value`` to a JSON lines file, at once on disk."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(value, ensure_ascii=False) + "\n")


def read_whole_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file; a last line that a kill has cut off is cut away."""
    text = path.read_text(encoding="utf-8", errors="replace")
    whole, newline, torn = text.rpartition("\n")
    if torn:
        path.write_text(whole + newline, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


class Checkpoint:
    """Outcomes in a JSON lines file; without a path, nothing is kept.

    Only outcomes with the same ``stamp`` count: it names whatever decides them, such as the
    version and the golden set. A last line that was cut off by a kill does not.
    """

    def __init__(self, path: Path | None, stamp: str) -> None:
        self._path, self._stamp = path, stamp
        self._known: dict[tuple[str, str], Outcome] = {}
        if path is not None and path.is_file():
            self._read(path)

    def get(self, question: str, system: str) -> Outcome | None:
        """What an earlier run has found out."""
        return self._known.get((question, system))

    def add(self, outcome: Outcome) -> None:
        """Write one more outcome to disk."""
        if self._path is not None:
            append_line(self._path, {"stamp": self._stamp, **asdict(outcome)})

    def _read(self, path: Path) -> None:
        for values in read_whole_lines(path):
            if values.pop("stamp") == self._stamp:
                outcome = Outcome.from_dict(values)
                self._known[outcome.question, outcome.system] = outcome
