"""``edgewiki eval graph``: ask a golden set of the knowledge graph and compare every fact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from eval.graph_facts import read_known_facts
from eval.graph_opening import graph_of
from eval.graph_report import graph_json, graph_markdown, show_graph
from eval.graph_runner import measure_graph
from eval.graph_variants import PLAIN, VARIANTS
from eval.report import terminal
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from eval.graph_outcomes import GraphRun


def graph(
    golden: Golden,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    split: Split = "dev",
    variant: Annotated[
        str, typer.Option(help="How questions are written: plain, no-diacritics or typo.")
    ] = PLAIN,
    output: Annotated[Path | None, typer.Option(help="Write the run here, as JSON.")] = None,
    limit_questions: LimitQuestions = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a table for a README instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure the graph's answers: typed facts, missing and extra, and what it claims to know.

    Without --artifact and --store the set's wiki is built first.
    """
    if variant not in VARIANTS:
        raise ConfigError(f"variant {variant!r} is unknown; use {', '.join(VARIANTS)}")
    found, quiet = load_golden(golden, split), as_json or markdown
    with (
        Console(quiet=quiet).progress() as progress,
        opened_set(
            found,
            Generator(EXTRACTIVE),
            artifact=artifact,
            store=store,
            channel=channel,
            limit=limit_questions,
            progress=progress,
        ) as (state, asked, looks),
    ):
        done = measure_graph(
            graph_of(state),
            asked,
            read_known_facts(asked),
            version=state.version().name,
            variant=variant,
            progress=progress,
            test_looks=looks,
        )
    if output:
        _write(output, done)
    if markdown:
        typer.echo(graph_markdown(done))
    elif as_json:
        print_json(graph_json(done))
    else:
        show_graph(terminal(), done)


def _write(output: Path, run: GraphRun) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(graph_json(run, outcomes=True), ensure_ascii=False, indent=1)
    output.write_text(f"{text}\n", encoding="utf-8")
