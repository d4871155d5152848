"""``edgewiki eval contexts``: evidence from pages, from the graph, and from both joined."""

from __future__ import annotations

from dataclasses import asdict

import typer

from build.console import Console
from eval.answer_opening import EXTRACTIVE, Generator, opened_set
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
from eval.golden_set import load_golden
from eval.graph_contexts import compare_contexts


def contexts(
    golden: Golden,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    split: Split = "dev",
    limit_questions: LimitQuestions = None,
    as_json: AsJson = False,
) -> None:
    """Compare the evidence of pages, of the graph, and of both: what it holds, what it costs.

    Works with sets of answers and of the graph. Without --artifact and --store the set's wiki is
    built first.
    """
    found = load_golden(golden, split)
    with (
        Console(quiet=as_json).progress() as progress,
        opened_set(
            found,
            Generator(EXTRACTIVE),
            artifact=artifact,
            store=store,
            channel=channel,
            limit=limit_questions,
            progress=progress,
        ) as (state, asked, _),
    ):
        runs = compare_contexts(state, asked, progress)
    if as_json:
        print_json([asdict(run) for run in runs])
        return
    typer.echo("| evidence | questions | recall | whole | none | tokens |")
    typer.echo("|---|--:|--:|--:|--:|--:|")
    for run in runs:
        figures = f"{run.recall:.3f} | {run.whole:.3f} | {run.empty:.3f} | {run.tokens:,.0f}"
        typer.echo(f"| {run.engine} | {run.questions} | {figures} |")
