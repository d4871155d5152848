"""How fast a wiki is compiled, first from nothing and then with nothing changed."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval.benchmark.process import run

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class BuildSpeed:
    """One build as a whole process. Seconds of wall clock, peak resident memory in MB."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    summary: dict[str, Any]

    @property
    def pages_per_second(self) -> float:
        """Documents compiled in a second of wall clock."""
        return float(self.summary["counts"]["documents"]) / self.seconds


def measure(wiki: Path, folder: Path, model: str) -> tuple[BuildSpeed, BuildSpeed]:
    """Build ``wiki`` into ``folder / "artifact"`` twice, with an embedding cache beside it."""
    command = [
        sys.executable, "-m", "edgewiki", "build", str(wiki), "--json", "--model", model,
        "--output", str(folder / "artifact"), "--store", f"file://{folder / 'store'}",
    ]  # fmt: skip
    first, second = (_build(command) for _ in range(2))
    if first.summary["version"] != second.summary["version"]:
        raise RuntimeError("two builds of one wiki gave two versions")
    return first, second


def _build(command: list[str]) -> BuildSpeed:
    usage = run(command, dict(os.environ))
    return BuildSpeed(usage.wall, usage.cpu, usage.peak_mb, json.loads(usage.output))
