"""``edgewiki eval compare``: what changed between two runs, question by question."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval.commands.options import AsJson, print_json
from eval.commands.run import read_run
from eval.report import show_comparison, terminal
from eval.summary import compare as compare_runs
from eval.summary import compared_json

RunFile = Annotated[Path, typer.Argument(help="What eval run --output has written.")]


def compare(run: RunFile, baseline: RunFile, as_json: AsJson = False) -> None:
    """Compare a run with a baseline, paired by question: difference, interval and p."""
    ours, before = read_run(run), read_run(baseline)
    rows = compare_runs(ours, before)
    if as_json:
        names = {"version": ours.version, "baseline": before.version}
        print_json({**names, "compared": compared_json(rows)})
    else:
        console = terminal()
        console.print(f"{ours.version} against {before.version}", markup=False)
        show_comparison(console, rows)
