"""``edgewiki eval answers``: ask a golden set for answers and judge what would be delivered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from build.console import Console
from eval.answer_opening import EXTRACTIVE, Generator, opened_set
from eval.answer_report import answers_json, answers_markdown, show_answers
from eval.answers import measure_answers
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
from eval.report import terminal

if TYPE_CHECKING:
    from build.pipeline import Progress
    from eval.answer_outcomes import AnswerRun
    from eval.golden_set import GoldenSet
    from functions.state import State


def answers(
    golden: Golden,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    split: Split = "dev",
    generator: Annotated[
        str,
        typer.Option(help="extractive, small-model, or the URL of an OpenAI-compatible API."),
    ] = EXTRACTIVE,
    json_mode: Annotated[
        str, typer.Option(help="How a model is asked: schema, object or text; else its setting.")
    ] = "",
    output: Annotated[Path | None, typer.Option(help="Write the run here, as JSON.")] = None,
    limit_questions: LimitQuestions = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a table for a README instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure answers: refusals, facts, sources, and statements that their pages do not prove.

    Without --artifact and --store the set's wiki is built first, its overlay laid over it. With
    --output a run that was killed goes on where it stopped.
    """
    found, writer = load_golden(golden, split), Generator(generator, json_mode)
    quiet = as_json or markdown
    with (
        Console(quiet=quiet).progress() as progress,
        opened_set(
            found,
            writer,
            artifact=artifact,
            store=store,
            channel=channel,
            limit=limit_questions,
            progress=progress,
        ) as (state, asked, looks),
    ):
        done = _measure(state, asked, writer, output, progress, looks)
    if markdown:
        typer.echo(answers_markdown(done))
    elif as_json:
        print_json(answers_json(done))
    else:
        show_answers(terminal(), done)


def _measure(
    state: State,
    golden: GoldenSet,
    generator: Generator,
    output: Path | None,
    progress: Progress,
    looks: int,
) -> AnswerRun:
    checkpoint = None
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        checkpoint = output.with_name(f"{output.name}.partial")
    done = measure_answers(
        state, golden, generator, progress=progress, checkpoint=checkpoint, test_looks=looks
    )
    if output and checkpoint:
        text = json.dumps(answers_json(done, outcomes=True), ensure_ascii=False, indent=1)
        output.write_text(f"{text}\n", encoding="utf-8")
        checkpoint.unlink(missing_ok=True)
    return done
