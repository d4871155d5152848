"""What a retrieval run shows in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from eval.metrics import METRICS
from eval.outcomes import LEVELS
from eval.summary import ALL, failures, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.metrics import Difference
    from eval.outcomes import RetrievalRun
    from eval.summary import ComparedRow, Row

# Columns of a table in a log, where nobody can tell how wide the reader's window is.
_WIDTH = 120
# Failures that are shown in the terminal; the HTML page and the run have all of them.
_SHOWN = 5


def terminal() -> Console:
    """A console on standard output."""
    console = Console(highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _WIDTH
    return console


def show_run(console: Console, run: RetrievalRun, compared: Sequence[ComparedRow]) -> None:
    """Tables by level and group, what changed, and the worst failures of the first system."""
    for line in heading(run):
        console.print(line, markup=False, soft_wrap=True)
    for title, rows in grouped(summarise(run)):
        console.print(_table(title, rows))
    if compared:
        show_comparison(console, compared)
    _show_failures(console, run)


def heading(run: RetrievalRun) -> list[str]:
    """Sentences that say what was measured, and what to keep in mind."""
    lines = [
        f"{run.golden}, split {run.split}: {len(run.questions)} questions, version {run.version}"
    ]
    if run.left_out:
        lines.append(f"{run.left_out} questions that the wiki does not answer are left out")
    if run.test_looks:
        lines.append(f"the TEST split of this set was looked at {run.test_looks} times")
    if incomplete := sum(not outcome.complete for outcome in run.outcomes):
        lines.append(f"{incomplete} answers came without the vector leg")
    return lines


def grouped(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Rows by (level, group) under a title; groups that are the whole set are left out."""
    whole = {row.level: row.questions for row in rows if row.group == ALL}
    tables: dict[str, list[Row]] = {}
    for level in LEVELS:
        for row in rows:
            if row.level == level and (row.group == ALL or row.questions < whole[level]):
                title = f"{level} level, {row.group} ({row.questions} questions)"
                tables.setdefault(title, []).append(row)
    return list(tables.items())


def show_comparison(console: Console, rows: Sequence[ComparedRow]) -> None:
    """Differences from a baseline run; what is surely another is marked."""
    table = Table("system", "level", "group", "n", *METRICS, title="difference from the baseline")
    for row in rows:
        cells = [marked(row.metrics[name]) for name in METRICS]
        table.add_row(row.system, row.level, escape(row.group), str(row.questions), *cells)
    console.print(table)
    console.print("* the 95 % interval leaves out zero", markup=False)


def signed(difference: Difference) -> str:
    """A difference with its sign, and a star where it is significant."""
    return f"{difference.mean:+.3f}{'*' if difference.significant else ''}"


def marked(difference: Difference) -> str:
    """`signed` as markup: green or red where it is significant."""
    if not difference.significant:
        return signed(difference)
    return f"[{'green' if difference.mean > 0 else 'red'}]{signed(difference)}[/]"


def _table(title: str, rows: Sequence[Row]) -> Table:
    table = Table("system", *METRICS, "hit@1, 95 %", "p50 ms", title=escape(title))
    best = {name: max(row.metrics[name].mean for row in rows) for name in METRICS}
    for row in rows:
        cells = []
        for name in METRICS:
            mean = row.metrics[name].mean
            cells.append(f"[bold]{mean:.3f}[/bold]" if mean == best[name] else f"{mean:.3f}")
        first = row.metrics["hit@1"]
        table.add_row(row.system, *cells, f"{first.low:.3f}-{first.high:.3f}", f"{row.p50:.1f}")
    return table


def _show_failures(console: Console, run: RetrievalRun) -> None:
    system = run.systems[0]
    missed = failures(run, system)
    if not missed:
        return
    table = Table("question", "gold", "rank", "first instead", "its score by leg",
                  title=f"{system}: {len(missed)} not first, the worst")  # fmt: skip
    for asked, outcome in missed[:_SHOWN]:
        first = outcome.above[0] if outcome.above else None
        instead = f"{first.page} › {first.heading}" if first else "nothing"
        scores = legs(first.lemma, first.trigram, first.cosine) if first else ""
        cells = (f"{asked.id}: {asked.text}", ", ".join(asked.gold), str(outcome.best or "none"))
        table.add_row(*(escape(cell) for cell in (*cells, instead)), scores)
    console.print(table)


def legs(lemma: float | None, trigram: float | None, cosine: float | None) -> str:
    """Scores by leg, of the legs that ran."""
    named = (("lemma", lemma, 2), ("trigram", trigram, 2), ("vector", cosine, 3))
    return " · ".join(f"{name} {value:.{n}f}" for name, value, n in named if value is not None)
