"""Running a child process and reading what it used from the operating system."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds of wall clock and of processor, peak resident memory in MB, what it printed."""

    wall: float
    cpu: float
    peak_mb: float
    output: str


def one_core() -> set[int]:
    """The last of the cores that this process may use."""
    return {max(os.sched_getaffinity(0))}


def run(command: Sequence[str], environ: Mapping[str, str], cores: set[int] | None = None) -> Usage:
    """Run ``command`` to its end; raises `RuntimeError` with its errors where it fails."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, env={**os.environ, **environ}, stdout=output, stderr=errors
        )
        if cores:
            os.sched_setaffinity(process.pid, cores)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            said = errors.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} failed: {said}")
        cpu = usage.ru_utime + usage.ru_stime
        return Usage(wall, cpu, usage.ru_maxrss / 1024, output.read().decode())
