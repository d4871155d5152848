"""What a sweep shows: a table in the terminal, JSON for scripts, a page with charts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from eval.html_report import chart, html_table, page
from eval.report import marked, signed
from eval.sweep_settings import DEFAULT
from eval.sweep_summary import DECIDES, SHOWN, recommend, setting_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from eval.metrics import Difference, Interval
    from eval.sweep import SetSweep
    from eval.sweep_summary import SettingRow

_NOTE = (
    "By each figure its 95 % interval, below it the difference from the default, paired by "
    "question (* its interval leaves out zero), and p. MB: the index. vectors: computed, + out of "
    "the cache. build s: with an empty cache; ≈ where it was not empty, reckoned from the seconds "
    "a character took in this sweep's builds; reused: nothing was computed to reckon from. p50: "
    "of ranking an answer, on this machine."
)
_COSTS = ("MB", "build s", "vectors", "p50 ms")


def show_sweep(console: Console, sweeps: Sequence[SetSweep]) -> None:
    """A table for each set, one of their means where there are several, and the recommendation."""
    for title, rows in _tables(sweeps):
        console.print(_table(title, rows))
    for line in (*_remarks(sweeps), _NOTE, f"Recommended: {recommend(sweeps).sentence}"):
        console.print(line, markup=False, soft_wrap=True)


def sweep_json(sweeps: Sequence[SetSweep]) -> dict[str, Any]:
    """What ``--json`` prints: rows by set and over all of them, and the recommendation."""
    recommended = recommend(sweeps)
    return {
        "sets": [
            {
                "golden": sweep.golden.name,
                "golden_sha256": sweep.golden.sha256,
                "split": sweep.golden.split,
                "questions": len(sweep.measured[0].run.questions),
                "test_looks": sweep.test_looks,
                "rows": [_row_json(row) for row in setting_rows([sweep])],
            }
            for sweep in sweeps
        ],
        "mean": [_row_json(row) for row in setting_rows(sweeps)],
        "decides": DECIDES,
        "recommended": dict(recommended.setting.changes),
        "recommendation": recommended.sentence,
    }


def sweep_html(sweeps: Sequence[SetSweep]) -> str:
    """One page that needs nothing but itself. Raises `ConfigError` without matplotlib."""
    body = [f"<p><b>Recommended: {escape(recommend(sweeps).sentence)}</b></p>"]
    body += [f"<p>{escape(line)}</p>" for line in (*_remarks(sweeps), _NOTE)]
    for title, rows in _tables(sweeps):
        body.append(f"<h2>{escape(title)}</h2>")
        for level in rows[0].levels:
            bars = {
                row.setting.name: [row.levels[level].metrics[name] for name in SHOWN]
                for row in rows
            }
            body.append(chart(f"{level} level", SHOWN, bars))
        head = ("setting", "level", *SHOWN, *_COSTS)
        body.append(html_table("", head, [line for row in rows for line in _html_lines(row)]))
    return page("A sweep over settings", body)


def _tables(sweeps: Sequence[SetSweep]) -> Iterator[tuple[str, list[SettingRow]]]:
    for sweep in sweeps:
        count = len(sweep.measured[0].run.questions)
        yield f"{sweep.golden.name}, {count} questions", setting_rows([sweep])
    if len(sweeps) > 1:
        yield f"mean of {len(sweeps)} sets (MB, seconds, vectors: sums)", setting_rows(sweeps)


def _remarks(sweeps: Sequence[SetSweep]) -> Iterator[str]:
    for sweep in sweeps:
        name = sweep.golden.name
        if sweep.test_looks:
            yield f"the TEST split of {name} was looked at {sweep.test_looks} times"
        if left_out := sweep.measured[0].run.left_out:
            yield f"{name}: {left_out} questions that the wiki does not answer are left out"
        answers = sweep.measured[0].run.outcomes
        if incomplete := sum(not outcome.complete for outcome in answers):
            yield f"{name}: {incomplete} answers came without a leg, or without heeding quotes"


def _table(title: str, rows: Sequence[SettingRow]) -> Table:
    table = Table(
        "setting", "level", *SHOWN, *_COSTS, title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    table.columns[0].no_wrap = True
    for row in rows:
        name, costs = row.setting.name.replace(", ", "\n"), _costs(row)
        for level, figures in row.levels.items():
            cells = [
                _cell(figures.metrics[name], _own(row, figures.differences[name])) for name in SHOWN
            ]
            table.add_row(name, level, *cells, *costs)
            name, costs = "", ("",) * len(costs)  # its other level stands below
    return table


def _own(row: SettingRow, difference: Difference) -> Difference | None:
    """The default has no difference from itself."""
    return None if row.setting == DEFAULT else difference


def _cell(found: Interval, difference: Difference | None) -> str:
    text = f"{found.mean:.3f} {_short(found.low)}-{_short(found.high)}"
    return f"{text}\n{marked(difference)} p{_short(difference.p)}" if difference else text


def _short(value: float) -> str:
    """A figure in [0, 1] in four characters."""
    return "1.00" if value >= 0.9995 else f"{value:.3f}".removeprefix("0")


def _costs(row: SettingRow) -> tuple[str, ...]:
    build = "" if row.seconds is None else "reused"
    if row.empty_seconds is not None:
        build = f"{'≈' if row.estimated else ''}{row.empty_seconds:.0f}"
    built = row.seconds is not None
    vectors = f"{row.vectors_computed:,}\n+{row.vectors_reused:,}" if built else ""
    return f"{row.index_bytes / 1e6:.2f}", build, vectors, f"{row.p50:.1f}"


def _html_lines(row: SettingRow) -> Iterator[list[str]]:
    for level, figures in row.levels.items():
        cells = [f"<td>{escape(text)}</td>" for text in (row.setting.name, level)]
        for name in SHOWN:
            found, difference = figures.metrics[name], _own(row, figures.differences[name])
            kind, below = "n", f"{found.low:.3f}–{found.high:.3f}"
            if difference:
                below += f"<br>{signed(difference)}, p {difference.p:.3f}"
                if difference.significant:
                    kind = "n up" if difference.mean > 0 else "n down"
            cells.append(
                f'<td class="{kind}">{found.mean:.3f}<br><span class="range">{below}</span></td>'
            )
        yield cells + [f'<td class="n">{escape(text)}</td>' for text in _costs(row)]


def _row_json(row: SettingRow) -> dict[str, Any]:
    return {
        "setting": dict(row.setting.changes),
        "system": row.setting.system,
        "levels": {
            level: {
                name: {
                    "mean": _rounded(figures.metrics[name]),
                    "difference": _rounded(figures.differences[name]),
                    "p": round(figures.differences[name].p, 4),
                }
                for name in SHOWN
            }
            for level, figures in row.levels.items()
        },
        "index_bytes": row.index_bytes,
        "build_seconds": row.seconds and round(row.seconds, 1),
        "build_seconds_empty_cache": row.empty_seconds and round(row.empty_seconds, 1),
        "empty_cache_estimated": row.estimated,
        "vectors_computed": row.vectors_computed,
        "vectors_reused": row.vectors_reused,
        "p50_ms": round(row.p50, 3),
    }


def _rounded(found: Interval | Difference) -> list[float]:
    """[mean, low, high]"""
    return [round(value, 4) for value in (found.mean, found.low, found.high)]
