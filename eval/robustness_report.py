"""A robustness run as tables in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from eval.perturbations import PERTURBATIONS
from eval.robustness import EVERY_LANGUAGE, METRICS, SHOWN_BROKEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from eval.robustness import Broken, Drop, RobustnessRun


def tables(run: RobustnessRun) -> Iterator[RenderableType]:
    """What the perturbations cost, over all and by language, then the first broken questions."""
    for lang in dict.fromkeys(drop.lang for drop in run.drops):
        yield _drops(run, [drop for drop in run.drops if drop.lang == lang], lang)
    if run.broken:
        yield _broken(run.broken)


def _drops(run: RobustnessRun, drops: Sequence[Drop], lang: str) -> Table:
    which = "" if lang == EVERY_LANGUAGE else f", {lang}"
    metrics = [metric for metric in METRICS if any(drop.metric == metric for drop in drops)]
    clean = {drop.metric: drop.clean for drop in drops}
    heads = ", ".join(f"{metric} {100 * clean[metric]:.1f}" for metric in metrics)
    table = Table(title=f"{run.golden}{which}, {run.mode}: clean {heads}", title_justify="left")
    table.add_column("perturbation")
    table.add_column("severity")
    table.add_column("changed", justify="right")
    for metric in metrics:
        table.add_column(f"{metric}, points [95 %]", justify="right")
    cells = {(drop.perturbation, drop.severity, drop.metric): drop for drop in drops}
    for name, severity in dict.fromkeys((drop.perturbation, drop.severity) for drop in drops):
        row = [cells[name, severity, metric] for metric in metrics]
        if row[0].changed:  # nothing was there to perturb: no row of zeros
            done = PERTURBATIONS[name].severities[severity - 1]
            changed = f"{row[0].changed}/{row[0].asked}"
            table.add_row(name, f"{severity}: {done}", changed, *map(_points, row))
    return table


def _points(drop: Drop) -> str:
    difference = drop.difference
    mark = "*" if difference.significant else " "
    low, high = 100 * difference.low, 100 * difference.high
    return f"{100 * difference.mean:+.1f} [{low:+.1f}, {high:+.1f}]{mark}"


def _broken(broken: Sequence[Broken]) -> Table:
    """Taken in turns from every condition, so that the first does not fill the table."""
    shown = first_broken(broken, SHOWN_BROKEN)
    title = f"{len(broken)} times the page came no longer first; {len(shown)} of them"
    table = Table(title=title, title_justify="left", show_lines=True)
    for head in ("question", "how", "asked", "corrected", "gold", "found first"):
        table.add_column(head, overflow="fold")
    for one in shown:
        corrections = ", ".join(f"{typed} → {better}" for typed, better in one.corrections.items())
        how = f"{one.perturbation} {one.severity}"
        table.add_row(one.id, how, one.perturbed, corrections, one.gold, one.found)
    return table


def first_broken(broken: Sequence[Broken], count: int) -> list[Broken]:
    """The first of every condition, then the second, up to ``count``."""
    turns: dict[tuple[str, int], int] = {}
    order = []
    for position, one in enumerate(broken):
        key = one.perturbation, one.severity
        turns[key] = turns.get(key, 0) + 1
        order.append((turns[key], position))
    return [broken[position] for _, position in sorted(order)[:count]]
