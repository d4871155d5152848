"""One HTML page of a retrieval run that needs nothing but itself."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from eval.charts import bar_chart
from eval.metrics import METRICS
from eval.outcomes import LEVELS
from eval.report import grouped, heading, legs, signed
from eval.summary import ALL, failures, summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from eval.metrics import Interval
    from eval.outcomes import Asked, Outcome, Ranked, RetrievalRun
    from eval.summary import ComparedRow, Row

# What the charts compare at a glance; the tables have every metric.
_CHARTED = ("hit@1", "hit@3", "hit@10", "mrr@10", "ndcg@10")

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;
       padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .6rem 0; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .22rem .6rem; border-bottom: 1px solid #ddd; text-align: left;
         vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.best { font-weight: 700; } td.up { color: #1a6b2a; } td.down { color: #a3231f; }
.range, .legs { color: #666; font-size: .82em; } img { max-width: 100%; }
"""


def render_html(run: RetrievalRun, compared: Sequence[ComparedRow] = ()) -> str:
    """The page: what was measured, charts, tables, what changed, every failure.

    Raises `ConfigError` where matplotlib is not installed.
    """
    title = f"{run.golden}: retrieval of version {run.version}"
    rows = summarise(run)
    body = [
        *(f"<p>{escape(line)}</p>" for line in heading(run)),
        "<p>Error bars and small figures are 95 % bootstrap intervals; axes begin above zero.</p>",
        "<h2>Systems</h2>",
        *_charts(rows),
        *(_metrics_table(name, found) for name, found in grouped(rows)),
    ]
    if compared:
        body += ["<h2>Difference from the baseline</h2>", _comparison_table(compared)]
    for system in run.systems:
        body += _failures(run, system)
    return page(title, body)


def page(title: str, body: Sequence[str]) -> str:
    """A whole page of the elements ``body`` below its heading; ``title`` is plain text."""
    named = escape(title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{named}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join([f"<h1>{named}</h1>", *body])
        + "\n</body></html>\n"
    )


def _charts(rows: Sequence[Row]) -> Iterator[str]:
    for level in LEVELS:
        whole = [row for row in rows if (row.level, row.group) == (level, ALL)]
        if whole:
            bars = {row.system: [row.metrics[name] for name in _CHARTED] for row in whole}
            yield chart(f"{level} level", _CHARTED, bars)
        for prefix, name in (("lang ", "language"), ("kind ", "kind")):
            some = [r for r in rows if r.level == level and r.group.startswith(prefix)]
            groups = list(dict.fromkeys(row.group for row in some))
            if len(groups) > 1:
                by_system: dict[str, list[Row]] = {}
                for row in some:
                    by_system.setdefault(row.system, []).append(row)
                bars = {s: [r.metrics["hit@1"] for r in found] for s, found in by_system.items()}
                shown = [group.removeprefix(prefix) for group in groups]
                yield chart(f"hit@1 by {name}, {level} level", shown, bars)


def chart(title: str, groups: Sequence[str], bars: dict[str, list[Interval]]) -> str:
    """A bar chart (see `eval.charts.bar_chart`) as an element."""
    # As an image of its own, its ids cannot meet those of another chart.
    data = b64encode(bar_chart(title, groups, bars)).decode()
    return f'<p><img alt="{escape(title)}" src="data:image/svg+xml;base64,{data}"></p>'


def _metrics_table(title: str, rows: Sequence[Row]) -> str:
    best = {name: max(row.metrics[name].mean for row in rows) for name in METRICS}
    lines = []
    for row in rows:
        cells = [f"<td>{escape(row.system)}</td>"]
        for name in METRICS:
            found = row.metrics[name]
            kind = "n best" if found.mean == best[name] else "n"
            span = f'<span class="range">{found.low:.3f}–{found.high:.3f}</span>'
            cells.append(f'<td class="{kind}">{found.mean:.3f} {span}</td>')
        lines.append([*cells, f'<td class="n">{row.p50:.1f}</td>'])
    return html_table(title, ("system", *METRICS, "p50 ms"), lines)


def _comparison_table(rows: Sequence[ComparedRow]) -> str:
    lines = []
    for row in rows:
        named = (row.system, row.level, row.group, str(row.questions))
        cells = [f"<td>{escape(value)}</td>" for value in named]
        for name in METRICS:
            found = row.metrics[name]
            kind = "" if not found.significant else " up" if found.mean > 0 else " down"
            span = f'<span class="range">{found.low:+.3f}…{found.high:+.3f}, p {found.p:.3f}</span>'
            cells.append(f'<td class="n{kind}">{signed(found)} {span}</td>')
        lines.append(cells)
    return html_table("", ("system", "level", "group", "questions", *METRICS), lines)


def _failures(run: RetrievalRun, system: str) -> list[str]:
    missed = failures(run, system)
    head = ("question", "gold", "rank", "what ranked above, and the gold: scores by leg")
    lines = [list(_failure(asked, outcome)) for asked, outcome in missed]
    summary = f"{escape(system)}: {len(missed)} of {len(run.questions)} not first"
    opened = " open" if system == run.systems[0] else ""
    table = html_table("", head, lines) if lines else ""
    return [f"<details{opened}><summary><b>{summary}</b></summary>{table}</details>"]


def _failure(asked: Asked, outcome: Outcome) -> Iterator[str]:
    yield f'<td>{escape(asked.text)}<br><span class="legs">{escape(asked.id)}</span></td>'
    yield f"<td>{'<br>'.join(escape(gold) for gold in asked.gold)}</td>"
    yield f'<td class="n">{outcome.best or "not found"}</td>'
    hits = [_hit(hit) for hit in outcome.above]
    if outcome.gold:
        hits.append(f"<b>{_hit(outcome.gold)}</b>")
    yield f"<td>{'<br>'.join(hits) or 'nothing was found'}</td>"


def _hit(hit: Ranked) -> str:
    place = f"{hit.page} › {hit.heading}" if hit.heading else hit.page
    scores = f"{hit.score:.3f}: {legs(hit.lemma, hit.trigram, hit.cosine)}"
    return f'{hit.rank}. {escape(place)} <span class="legs">{escape(scores)}</span>'


def html_table(title: str, head: Iterable[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of ``lines``, whose cells are ``td`` elements already."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    rows = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in lines)
    return f"<table>{caption}<thead><tr>{top}</tr></thead>\n<tbody>{rows}</tbody></table>"
