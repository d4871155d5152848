"""What a run over a graph set shows in the terminal, prints for scripts, puts into a README."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from eval.graph_metrics import METRICS, graph_rows, severity
from eval.metric_rows import row_json

if TYPE_CHECKING:
    from rich.console import Console

    from eval.graph_metrics import GraphRow
    from eval.graph_outcomes import GraphOutcome, GraphRun

_SHOWN = 20
_LONGEST = 300


def show_graph(console: Console, run: GraphRun) -> None:
    """Tables of figures, and of DEV questions the worst failures."""
    rows = graph_rows(run.outcomes)
    for line in _heading(run, rows[0]):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_groups(rows))
    _show_failures(console, run)


def _heading(run: GraphRun, whole: GraphRow) -> list[str]:
    against = f"{whole.denied} facts denied by {run.known} known ones" if run.known else ""
    lines = [
        f"{run.golden}, split {run.split}, {run.variant}: {whole.questions} questions, "
        f"version {run.version}",
        f"{whole.wrong} wrong answers delivered; {against or 'no known facts'}; "
        f"{whole.overclaimed} times called complete wrongly",
        f"p50 {whole.p50:.1f} ms, p95 {whole.p95:.1f} ms",
    ]
    if run.overridden:
        lines.append(f"{run.overridden} questions have overridden wording")
    if run.test_looks:
        lines.append(f"the TEST split of this set was looked at {run.test_looks} times")
    return lines


def _groups(rows: list[GraphRow]) -> Table:
    table = Table(title="by language and kind")
    table.add_column("group", no_wrap=True)
    for heading in ("n", *METRICS, "wrong", "denied", "over", "p50", "p95"):
        table.add_column(heading.replace("_", " "))
    for row in rows:
        cells = [_cell(row, metric) for metric in METRICS]
        counts = [str(count) for count in (row.wrong, row.denied, row.overclaimed)]
        times = [f"{value:.1f}" for value in (row.p50, row.p95)]
        table.add_row(escape(row.group), str(row.questions), *cells, *counts, *times)
    return table


def _cell(row: GraphRow, metric: str) -> str:
    mean = row.mean(metric)
    return "-" if mean is None else f"{mean:.3f}"


def _show_failures(console: Console, run: GraphRun) -> None:
    """DEV alone: whoever reads a TEST question will answer it better the next time."""
    failed = [one for one in run.outcomes if one.split != "test" and severity(one) > (0, 0)]
    failed.sort(key=severity, reverse=True)
    if not failed:
        return
    table = Table("question", "wrong", title=f"{len(failed)} DEV failures, the worst")
    for one in failed[:_SHOWN]:
        table.add_row(escape(f"{one.question}: {one.asked}"), escape(_why(one)))
    console.print(table)


def _why(one: GraphOutcome) -> str:
    wrong = [] if one.outcome == one.expected else [f"{one.outcome}, not {one.expected}"]
    wrong += ["other candidates"] if one.candidates is False else []
    wrong += ["calls itself complete"] if one.overclaimed else []
    line = "; ".join([*wrong, *one.notes, *([one.reason] if one.reason else [])])
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def graph_json(run: GraphRun, *, outcomes: bool = False) -> dict[str, Any]:
    """A run for scripts: figures by group, each metric as [mean, low, high, questions]."""
    described = {
        "format": "edgewiki-graph/1",
        "golden": run.golden,
        "golden_sha256": run.golden_sha256,
        "split": run.split,
        "version": run.version,
        "variant": run.variant,
        "questions": len(run.outcomes),
        "known_facts": run.known,
        "overridden": run.overridden,
        "test_looks": run.test_looks,
        "rows": [row_json(row, p50=row.p50, p95=row.p95) for row in graph_rows(run.outcomes)],
    }
    if outcomes:
        described["outcomes"] = [{**asdict(one), "strict": one.strict} for one in run.outcomes]
    return described


def graph_markdown(run: GraphRun) -> str:
    """A table for a README: one line for the run, with its heading."""
    whole = graph_rows(run.outcomes)[0]
    heading = ["questions as", "split", "questions", *(name.replace("_", " ") for name in METRICS),
               "wrong answers", "denied facts", "overclaimed", "p50 ms", "p95 ms"]  # fmt: skip
    cells = [run.variant, run.split, str(whole.questions), *(_short(whole, one) for one in METRICS),
             str(whole.wrong), str(whole.denied), str(whole.overclaimed),
             f"{whole.p50:.1f}", f"{whole.p95:.1f}"]  # fmt: skip
    rule = ["---", "---", *["--:"] * (len(heading) - 2)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, cells))


def _short(row: GraphRow, metric: str) -> str:
    mean = row.mean(metric)
    return "–" if mean is None else f"{mean:.3f}".removeprefix("0")
