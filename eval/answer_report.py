"""What a run of answers shows in the terminal, prints for scripts and puts into a README."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from eval.answer_metrics import answer_rows, severity
from eval.answer_text import without_sources
from eval.metric_rows import row_json

if TYPE_CHECKING:
    from rich.console import Console

    from eval.answer_metrics import AnswerRow
    from eval.answer_outcomes import AnswerOutcome, AnswerRun

_SHOWN = 10
_LONGEST = 300
# What is told of each group, right or wrongly answered or refused; the set has every metric.
_OF_GROUPS = ("should_answer", "wrongly_answered", "wrongly_refused", "fact_recall",
              "fact_recall_answered", "source", "citation_precision", "strict")  # fmt: skip
_HEADINGS = ("right", "ans- wered", "re- fused", "facts", "if ans.", "source", "preci- sion",
             "strict")  # fmt: skip
_MARKDOWN = {
    "should_answer": "should_answer",
    "wrongly_answered": "wrongly answered",
    "wrongly_refused": "wrongly refused",
    "fact_recall": "facts",
    "source": "source",
    "citation_precision": "precision",
    "strict": "strict",
    "first_pass": "first pass",
    "after_repair": "repaired",
    "refused": "refused",
    "failed": "failed",
}


def show_answers(console: Console, run: AnswerRun) -> None:
    """Tables of figures and checks, and of DEV questions the worst failures."""
    whole, *groups = answer_rows(run.outcomes)
    for line in _heading(run, whole):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_metrics(whole))
    console.print(_groups([whole, *groups]))
    if any(whole.refusals.values()):
        console.print(_checks(whole))
    _show_unsupported(console, run)
    _show_failures(console, run)


def _heading(run: AnswerRun, whole: AnswerRow) -> list[str]:
    name = run.generator + (f" (JSON by {run.json_mode})" if run.json_mode else "")
    lines = [
        f"{run.golden}, split {run.split}: {whole.questions} questions by {name}, "
        f"version {run.version}",
        f"{whole.unsupported} unsupported statements of {whole.claims} delivered; "
        f"{whole.forbidden} answers hold a forbidden string",
        f"p50 {whole.p50:.0f} ms, p95 {whole.p95:.0f} ms; "
        f"{whole.prompt_tokens} + {whole.completion_tokens} tokens",
    ]
    if run.overridden:
        lines.append(f"{run.overridden} questions have overridden wording")
    if run.test_looks:
        lines.append(f"the TEST split of this set was looked at {run.test_looks} times")
    return lines


def _metrics(row: AnswerRow) -> Table:
    table = Table("metric", "mean", "95 %", "questions", title="answers")
    for name, (interval, count) in row.metrics.items():
        between = f"{interval.low:.3f}-{interval.high:.3f}"
        table.add_row(name, f"{interval.mean:.3f}", between, str(count))
    return table


def _groups(rows: list[AnswerRow]) -> Table:
    table = Table(title="by language and kind")
    table.add_column("group", no_wrap=True)
    for heading in ("n", *_HEADINGS, "unsup.", "forb."):
        table.add_column(heading)
    for row in rows:
        cells = [_cell(row, name) for name in _OF_GROUPS]
        counts = (f"{row.unsupported}/{row.claims}", str(row.forbidden))
        table.add_row(escape(row.group), str(row.questions), *cells, *counts)
    return table


def _cell(row: AnswerRow, metric: str) -> str:
    mean = row.mean(metric)
    return "-" if mean is None else f"{mean:.3f}"


def _checks(row: AnswerRow) -> Table:
    table = Table("check", "claims refused", title=f"{row.checked} claims checked")
    for name, count in sorted(row.refusals.items(), key=lambda item: -item[1]):
        table.add_row(escape(name), str(count))
    return table


def _show_unsupported(console: Console, run: AnswerRun) -> None:
    table = Table("question", "fault", "what", "statement", title="unsupported statements")
    for one in run.outcomes:
        for fault in one.unsupported:
            cells = (one.question, fault.kind, _cut(fault.what), _cut(fault.claim))
            table.add_row(*(escape(cell) for cell in cells))
    if table.row_count:
        console.print(table)


def _show_failures(console: Console, run: AnswerRun) -> None:
    """DEV alone: whoever reads a TEST question will answer it better the next time."""
    failed = [one for one in run.outcomes if one.split != "test" and severity(one) > (0, 0.0)]
    failed.sort(key=severity, reverse=True)
    if not failed:
        return
    table = Table("question", "wrong", "answer", title=f"{len(failed)} DEV failures, the worst")
    for one in failed[:_SHOWN]:
        cells = (f"{one.question}: {one.asked}", _why(one), _cut(without_sources(one.answer)))
        table.add_row(*(escape(cell) for cell in cells))
    console.print(table)


def _why(one: AnswerOutcome) -> str:
    if one.accepted != one.should_answer:
        return "answered" if one.accepted else f"{one.outcome}: {one.reason}"
    wrong = [f"{len(one.unsupported)} unsupported"] if one.unsupported else []
    wrong += one.notes
    if one.gold and not {*one.cited} & {*one.gold}:
        wrong.append(f"not from {', '.join(one.gold)}")
    return "; ".join(wrong)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def answers_json(run: AnswerRun, *, outcomes: bool = False) -> dict[str, Any]:
    """A run for scripts: figures by group, each metric as [mean, low, high, questions]."""
    described = {
        "format": "edgewiki-answers/1",
        "golden": run.golden,
        "golden_sha256": run.golden_sha256,
        "split": run.split,
        "version": run.version,
        "generator": run.generator,
        "json_mode": run.json_mode,
        "questions": len(run.outcomes),
        "overridden": run.overridden,
        "test_looks": run.test_looks,
        "rows": [row_json(row, p50=row.p50, p95=row.p95) for row in answer_rows(run.outcomes)],
    }
    if outcomes:
        described["outcomes"] = [asdict(one) for one in run.outcomes]
    return described


def answers_markdown(run: AnswerRun) -> str:
    """A table for a README: one line for the run, with its heading."""
    whole = answer_rows(run.outcomes)[0]
    name = run.generator + (f", {run.json_mode}" if run.json_mode else "")
    heading = ["generator", "split", "questions", "unsupported", "forbidden", *_MARKDOWN.values(),
               "p50 ms", "p95 ms", "tokens"]  # fmt: skip
    cells = [name, run.split, str(whole.questions), f"{whole.unsupported} of {whole.claims}",
             str(whole.forbidden), *(_short(whole, metric) for metric in _MARKDOWN),
             f"{whole.p50:.0f}", f"{whole.p95:.0f}",
             f"{whole.prompt_tokens + whole.completion_tokens:,}"]  # fmt: skip
    rule = ["---", "---", *["--:"] * (len(heading) - 2)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, cells))


def _short(row: AnswerRow, metric: str) -> str:
    mean = row.mean(metric)
    return "–" if mean is None else f"{mean:.3f}".removeprefix("0")
