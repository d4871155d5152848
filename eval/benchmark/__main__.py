"""``python -m eval.benchmark [--wiki PATH]``: measure, and print a Markdown report."""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eval.benchmark import build_speed, cold_start, latency
from index_artifacts.artifact import open_artifact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eval.benchmark.build_speed import BuildSpeed
    from eval.benchmark.cold_start import ColdStart
    from eval.benchmark.latency import ModeLatency

DEMO = Path(__file__).parent.parent / "corpora" / "demo"


def main() -> None:
    """Build the wiki, ask it warm and cold, and print what that cost."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmark", description=__doc__)
    parser.add_argument("--wiki", type=Path, default=DEMO, help="the wiki to measure on")
    parser.add_argument("--questions", type=Path, help="JSON lines with a field question")
    parser.add_argument("--model", default="onnx", help="onnx or cooccurrence")
    parser.add_argument("--artifact", type=Path, help="take this artifact instead of building")
    parser.add_argument("--skip", nargs="*", default=[], choices=["warm", "cold"])
    parser.add_argument(
        "--cold-question",
        default="how is the index built and searched",
        help="the first question of a cold process; one with a name has the graph answer it",
    )
    options = parser.parse_args()
    print(f"# Benchmark: {options.wiki.name}\n\n{_machine()}\n")
    with tempfile.TemporaryDirectory(prefix="edgewiki-benchmark-") as folder:
        if options.artifact is None:
            builds = build_speed.measure(options.wiki, Path(folder), options.model)
            _print(_build_table(*builds))
        artifact = open_artifact(options.artifact or Path(folder) / "artifact")
        if "warm" not in options.skip:
            _print(_latency_table(latency.measure(artifact, options.questions)))
        if "cold" not in options.skip:
            baseline = cold_start.measure_baseline()
            starts = cold_start.measure(artifact, options.cold_question)
            _print(_cold_table(baseline, starts))


def _machine() -> str:
    cores = len(os.sched_getaffinity(0))
    return f"Python {platform.python_version()}, {platform.machine()}, {cores} cores."


def _print(lines: Iterator[str]) -> None:
    print("\n".join(lines) + "\n", flush=True)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield from ("| " + " | ".join(row) + " |" for row in rows)


def _build_table(first: BuildSpeed, second: BuildSpeed) -> Iterator[str]:
    counts, sizes = first.summary["counts"], first.summary["bytes"]
    yield "## Build\n"
    yield (
        f"{counts['documents']:,} pages, {counts['chunks']:,} chunks, "
        f"index {sizes['index.sqlite'] / 1e6:.1f} MB.\n"
    )
    head = ("build", "seconds", "of the first", "pages/s", "embedded", "reused", "peak MB")
    rows = []
    for name, build in (("from nothing", first), ("nothing changed", second)):
        embeddings = build.summary["embeddings"]
        rows.append((
            name, f"{build.seconds:.1f}", f"{build.seconds / first.seconds:.2f}",
            f"{build.pages_per_second:.1f}", f"{embeddings['computed']:,}",
            f"{embeddings['reused']:,}", f"{build.peak_mb:.0f}",
        ))  # fmt: skip
    yield from _table(head, rows)


def _latency_table(modes: Sequence[ModeLatency]) -> Iterator[str]:
    lexical = next(mode for mode in modes if mode.mode == "lexical")
    yield "## Warm, one core\n"
    head = ("mode", "p50 ms", "p95 ms", "p99 ms", "of lexical", "where the median goes, ms")
    rows = []
    for mode in modes:
        parts = ", ".join(f"{name} {value:.1f}" for name, value in mode.parts.items())
        rows.append((
            mode.mode, f"{mode.p50:.1f}", f"{mode.p95:.1f}", f"{mode.p99:.1f}",
            f"{mode.p50 / lexical.p50:.1f}×", parts,
        ))  # fmt: skip
    yield from _table(head, rows)


def _cold_table(baseline: float, starts: Sequence[ColdStart]) -> Iterator[str]:
    yield "## Cold, one core, from a local S3 server\n"
    yield f"Importing fastapi and mangum alone takes {baseline:.0f} ms.\n"
    head = ("mode", "start ms", "first answer ms", "together", "of the imports", "second ms", "MB")
    rows = [
        (
            start.mode, f"{start.start:.0f}", f"{start.first:.0f}", f"{start.total:.0f}",
            f"{start.total / baseline:.1f}×", f"{start.second:.1f}", f"{start.peak_mb:.0f}",
        )
        for start in starts
    ]  # fmt: skip
    yield from _table(head, rows)


if __name__ == "__main__":
    main()
