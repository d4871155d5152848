"""``edgewiki eval run``: ask a golden set of a version and report how well it is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from eval.html_report import render_html
from eval.opening import open_searcher, open_version
from eval.outcomes import RetrievalRun
from eval.report import show_run, terminal
from eval.retrieval import measure
from eval.summary import compare, to_json
from eval.systems import ALL_SYSTEMS, parse_systems
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from eval.golden_set import GoldenSet
    from index_artifacts.search import Searcher


def run(
    golden: Golden,
    artifact: ArtifactFolder = None,
    store: StoreUrl = None,
    channel: Channel = None,
    split: Split = "dev",
    systems: Annotated[str, typer.Option(help="Names, by commas.")] = ",".join(ALL_SYSTEMS),
    baseline: Annotated[Path | None, typer.Option(help="A run to compare with.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write the run here, as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with charts here.")] = None,
    limit_questions: LimitQuestions = None,
    as_json: AsJson = False,
) -> None:
    """Measure retrieval: every system side by side, with intervals, groups and failures.

    With --output a run that was killed goes on where it stopped.
    """
    names = [name.strip() for name in systems.split(",") if name.strip()]
    parse_systems(names)  # before anything slow
    before = read_run(baseline) if baseline else None
    found = load_golden(golden, split)
    searcher = open_searcher(open_version(artifact, store, channel))
    check_against(found, searcher.index)
    if limit_questions:
        found = found.spread(limit_questions)
    done = _measure(searcher, found, names, output, quiet=as_json)
    if output:  # first of all: what went wrong below would cost the whole run
        _write(output, done.to_json())
        _checkpoint(output).unlink(missing_ok=True)
    compared = compare(done, before) if before else []
    if html:
        _write(html, render_html(done, compared))
    if as_json:
        print_json(to_json(done, compared))
    else:
        show_run(terminal(), done, compared)


def read_run(path: Path) -> RetrievalRun:
    """Read a run that ``--output`` has written; raises `ConfigError` where it is none."""
    try:
        return RetrievalRun.from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as a run: {error}") from None


def _measure(
    searcher: Searcher, golden: GoldenSet, names: list[str], output: Path | None, *, quiet: bool
) -> RetrievalRun:
    looks = count_look(golden) if golden.holds_test else 0
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = _checkpoint(output) if output else None
    with Console(quiet=quiet).progress() as progress:
        return measure(
            searcher, golden, names, progress=progress, checkpoint=checkpoint, test_looks=looks
        )


def _checkpoint(output: Path) -> Path:
    return output.with_name(f"{output.name}.partial")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
