"""A file of outcomes, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from eval.outcomes import Outcome

if TYPE_CHECKING:
    from pathlib import Path


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
        if self._path is None:
            return
        line = json.dumps({"stamp": self._stamp, **asdict(outcome)}, ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def _read(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8", errors="replace")
        whole, newline, torn = text.rpartition("\n")
        if torn:
            path.write_text(whole + newline, encoding="utf-8")
        for line in whole.splitlines():
            values = json.loads(line)
            if values.pop("stamp") == self._stamp:
                outcome = Outcome.from_dict(values)
                self._known[outcome.question, outcome.system] = outcome
