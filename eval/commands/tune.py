"""``edgewiki eval tune``: fit weights and the calibration of "no answer" to DEV questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from build.console import Console
from eval.commands.options import LimitQuestions
from eval.golden_set import load_golden
from eval.report import terminal
from eval.tune import Tuned
from eval.tune import tune as run_tune
from index_artifacts.calibration import OUTCOMES
from index_artifacts.errors import ConfigError


def tune(
    goldens: Annotated[list[Path], typer.Argument(help="Golden sets with their wikis.")],
    output: Annotated[Path, typer.Option(help="The tuning file to write.")],
    store: Annotated[
        str | None, typer.Option("--store", help="Whose vector cache builds share.")
    ] = None,
    keep_weights: Annotated[
        bool, typer.Option("--keep-weights", help="Fit the calibration only.")
    ] = False,
    limit_questions: LimitQuestions = None,
) -> None:
    """Fit on DEV, validate by leaving one set out, and write what a build puts into versions."""
    found = [load_golden(path, "dev") for path in goldens]
    if len({golden.name for golden in found}) < len(found):
        raise ConfigError("two golden sets have one name: rename a folder")
    if limit_questions:
        found = [golden.spread(limit_questions) for golden in found]
    say = Console().say
    done = run_tune(found, store=store, keep_weights=keep_weights, say=say)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(done.to_json(), encoding="utf-8")
    show(done)


def show(done: Tuned) -> None:
    """Print what was fitted, and how it does where it was not."""
    console = terminal()
    ranking = Table("MRR@10", "before", "fitted", "fitted without it", title="ranking")
    for name, row in done.ranking.items():
        ranking.add_row(name, *(f"{value:.4f}" for value in row))
    console.print(ranking)
    judging = Table("evidence", "set", "AUROC far", "AUROC near", title="judging, set left out")
    for kind, by_set in done.judging.items():
        for name, aurocs in by_set.items():
            shown = (f"{aurocs[sort]:.3f}" if sort in aurocs else "" for sort in ("far", "near"))
            judging.add_row(kind, name, *shown)
    console.print(judging)
    errors = Table(
        "evidence", "questions", *OUTCOMES[:3], title="outcomes on what it was fitted on"
    )
    for kind, model in done.calibration.models.items():
        for sort in ("answerable", "far", "near"):
            shares = [model.errors.get(f"{sort}_{outcome}") for outcome in OUTCOMES[:3]]
            if None not in shares:
                errors.add_row(
                    kind, sort, *(f"{share:.1%}" for share in shares if share is not None)
                )
    console.print(errors)
