"""``edgewiki eval sweep``: what other settings would find, and what they would cost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from build.console import Console
from eval.commands.options import AsJson, LimitQuestions, Split, print_json
from eval.golden_set import QUESTIONS_FILE, GoldenSet, load_golden
from eval.report import terminal
from eval.sweep import SetSweep, Target, common_base
from eval.sweep import sweep as run_sweep
from eval.sweep_report import show_sweep, sweep_html, sweep_json
from eval.sweep_settings import MOST_SETTINGS, Setting, parse_factors, plan
from index_artifacts.artifact import open_artifact
from index_artifacts.errors import ConfigError

GoldenSets = Annotated[
    list[Path], typer.Argument(help="Golden sets: folders with their wiki, or .jsonl files in one.")
]


def sweep(
    goldens: GoldenSets,
    wiki: Annotated[
        list[Path] | None, typer.Option(help="A set's wiki, where it lies elsewhere; one for each.")
    ] = None,
    artifact: Annotated[
        list[Path] | None,
        typer.Option(help="Build nothing, ask this folder: weights only; one for each set."),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=VALUE,VALUE: chunk_max_tokens, chunk_overlap_tokens or any weight; the "
            "first two and rrf_k need no values. May be repeated; nothing: these three."
        ),
    ] = None,
    grid: Annotated[bool, typer.Option("--grid", help="Every combination of the values.")] = False,
    max_settings: Annotated[
        int, typer.Option(min=1, help="Refuse more than so many.")
    ] = MOST_SETTINGS,
    store: Annotated[
        str | None,
        typer.Option("--store", help="Whose vector cache builds share; else the wiki's."),
    ] = None,
    split: Split = "dev",
    output: Annotated[Path | None, typer.Option(help="Write the figures here, as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with charts here.")] = None,
    limit_questions: LimitQuestions = None,
    as_json: AsJson = False,
) -> None:
    """Try chunk sizes, overlaps and weights on golden sets; recommend the cheapest that holds.

    One setting at a time is changed from the default. A build of new chunks computes only
    vectors that the store has not. With --output a sweep that was killed goes on where it stopped.
    """
    factors = parse_factors(vary or (), built=not artifact)
    targets = _targets(goldens, wiki or [], artifact or [], store, split, limit_questions)
    settings = plan(factors, common_base(targets), grid=grid, most=max_settings)
    done = _sweep(targets, settings, output, quiet=as_json)
    if output:
        output.write_text(json.dumps(sweep_json(done), ensure_ascii=False, indent=2) + "\n")
        _checkpoint(output).unlink(missing_ok=True)
    if html:
        html.parent.mkdir(parents=True, exist_ok=True)
        html.write_text(sweep_html(done), encoding="utf-8")
    if as_json:
        print_json(sweep_json(done))
    else:
        show_sweep(terminal(), done)


def _targets(
    goldens: list[Path],
    wikis: list[Path],
    artifacts: list[Path],
    store: str | None,
    split: str,
    limit: int | None,
) -> list[Target]:
    if wikis and artifacts:
        raise ConfigError("give --wiki to build, or --artifact to ask what is built, not both")
    for option, given in (("--wiki", wikis), ("--artifact", artifacts)):
        if given and len(given) != len(goldens):
            raise ConfigError(
                f"{option} is given {len(given)} times for {len(goldens)} golden sets"
            )
    targets = []
    for number, path in enumerate(goldens):
        places = wikis or artifacts
        golden = _golden(path, places[number] if places else None, split)
        if limit:
            golden = golden.spread(limit)
        opened = open_artifact(artifacts[number]) if artifacts else None
        targets.append(Target(golden, store, opened))
    return targets


def _golden(path: Path, place: Path | None, split: str) -> GoldenSet:
    """The set; where ``place`` says what to ask, it may lie anywhere."""
    if place is None:
        return load_golden(path, split)
    file = path / QUESTIONS_FILE if path.is_dir() else path
    if not file.is_file():
        raise ConfigError(f"{path} is no golden set: it holds no {QUESTIONS_FILE}")
    return replace(load_golden(file, split), wiki=place.resolve())


def _sweep(
    targets: list[Target], settings: list[Setting], output: Path | None, *, quiet: bool
) -> list[SetSweep]:
    checkpoint = _checkpoint(output) if output else None
    if checkpoint:
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
    console = Console(quiet=quiet)
    with console.progress() as progress:
        return run_sweep(
            targets, settings, progress=progress, say=console.say, checkpoint=checkpoint
        )


def _checkpoint(output: Path) -> Path:
    return output.with_name(f"{output.name}.partial")
