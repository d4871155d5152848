"""``edgewiki eval robustness``: what slips and rewordings cost."""

from __future__ import annotations

from typing import Annotated

import typer

from build.console import Console
from eval.commands.options import (
    ArtifactFolder,
    AsJson,
    Channel,
    Golden,
    LimitQuestions,
    Split,
    StoreUrl,
    print_json,
)
from eval.golden_check import check_against
from eval.golden_set import count_look, load_golden
from eval.opening import open_searcher, open_version
from eval.report import terminal
from eval.robustness import measure
from eval.robustness_report import tables


def robustness(
    golden: Golden,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    split: Split = "dev",
    mode: Annotated[str, typer.Option(help="The mode of search.")] = "hybrid",
    perturbation: Annotated[
        list[str] | None, typer.Option(help="Only this one; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, other slips.")] = 0,
    limit_questions: LimitQuestions = None,
    as_json: AsJson = False,
) -> None:
    """Ask a golden set clean and under each perturbation, and say what each of them costs."""
    found = load_golden(golden, split)
    searcher = open_searcher(open_version(artifact, store, channel))
    check_against(found, searcher.index)
    if limit_questions:
        found = found.spread(limit_questions)
    looks = count_look(found) if found.holds_test else 0
    with Console(quiet=as_json).progress() as progress:
        run = measure(
            searcher, found, names=perturbation or (), mode=mode, seed=seed, progress=progress
        )
    if as_json:
        print_json(run.to_dict() | {"test_looks": looks})
        return
    console = terminal()
    if looks:
        console.print(f"the TEST split of this set was looked at {looks} times")
    for table in tables(run):
        console.print(table)
