"""A load run as tables in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from eval.load import Latency, LoadRun

_HEADS = ("requests", "mean ms", "p50", "p95", "p99", "errors", "timeouts")


def show_load(console: Console, run: LoadRun) -> None:
    """Cold against warm, the steps, where it bends, and the classes at the last good step."""
    head = f"{run.target}: first answer {run.cold:.1f} ms, warm p50 {run.warm.p50:.1f} ms"
    console.print(escape(head), soft_wrap=True)
    steps = Table("at a time", "requests/s", *_HEADS, title="steps")
    for step in run.steps:
        cells = _cells(step.overall)
        steps.add_row(str(step.concurrency), f"{step.per_second:.1f}", *cells)
    console.print(steps)
    where = f"bends at {run.bends_at} at a time: " if run.bends_at else ""
    console.print(escape(where + run.why), soft_wrap=True)
    classes = Table("class", *_HEADS, title=f"by class, {run.best.concurrency} at a time")
    for kind, latency in run.best.by_class.items():
        classes.add_row(escape(kind), *_cells(latency))
    console.print(classes)
    failures = {name for step in run.steps for name in step.overall.failures}
    if failures:
        console.print(escape(f"failures: {', '.join(sorted(failures))}"), soft_wrap=True)


def _cells(latency: Latency) -> list[str]:
    times = (latency.mean, latency.p50, latency.p95, latency.p99)
    shares = (latency.errors, latency.timeouts)
    return [
        str(latency.requests),
        *(f"{time:.1f}" for time in times),
        *(f"{100 * share:.1f} %" for share in shares),
    ]
