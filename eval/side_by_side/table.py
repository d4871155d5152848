"""The Markdown that a comparison prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eval.side_by_side.contestants import BASELINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from eval.metrics import Difference
    from eval.side_by_side.contestants import Served
    from eval.side_by_side.quality import Lead, Quality

SHOWN = {"hit@1": "R@1", "hit@10": "R@10", "mrr@10": "MRR@10"}
_COSTS = ("p50 / p95 ms", "with encoder", "peak MB", "index MB", "index s", "import ms", "cold ms")

NOTES = """\
In brackets: the paired difference to edgewiki hybrid, starred where its 95 % bootstrap interval
leaves out zero. One core, one thread; ms rank 50 chunks, and a vector is one exact search away
for all. The encoder's time, memory and opening are edgewiki's, added to all that need a vector;
memory without vectors is without it. Cold: import, open, first answer. Every index holds the texts,
edgewiki's also sentence vectors, dictionary forms and spelling; `build` writes it."""


def comparison(title: str, qualities: Sequence[Quality], served: Sequence[Served]) -> str:
    """The table of one set, who leads it, and what its figures mean."""
    lines = [f"## {title}", "", *_table(qualities, served), "", *_leads(qualities), "", NOTES]
    return "\n".join(lines)


def _table(qualities: Sequence[Quality], served: Sequence[Served]) -> Iterator[str]:
    head = ["", *(f"{q.level} {name}" for q in qualities for name in SHOWN.values()), *_COSTS]
    yield _row(head)
    yield "|" + "---|" * len(head)
    encoder = next(one for one in served if one.contestant.name == BASELINE)
    for one in served:
        name = one.contestant.name
        cells = [_metric(quality, name, metric) for quality in qualities for metric in SHOWN]
        yield _row([name, *cells, *_costs(one, encoder)])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _metric(quality: Quality, name: str, metric: str) -> str:
    mean = f"{quality.means[name][metric]:.3f}"
    best = name in quality.leads[metric].best
    shown = f"**{mean}**" if best else mean
    if name not in quality.differences:
        return shown
    return f"{shown} ({signed(quality.differences[name][metric])})"


def signed(difference: Difference) -> str:
    """A difference with its sign, and a star where it is significant."""
    return f"{difference.mean:+.3f}{'*' if difference.significant else ''}"


def _costs(one: Served, baseline: Served) -> list[str]:
    """Each figure as shown; ``baseline`` has measured what the encoder costs."""
    vectors, own = one.contestant.vectors, one is baseline
    added = baseline.costs if vectors and not own else {}
    encoder = np.array(baseline.encoder_ms) if vectors else 0.0
    return [
        _percentiles(np.array(one.ranking_ms)),
        _percentiles(np.array(one.ranking_ms) + encoder) if vectors else "no vector",
        f"{one.peak_mb + added.get('encoder_mb', 0.0):.0f}",
        f"{one.index_mb:.1f}",
        "built" if one.contestant.engine == "edgewiki" else f"{one.index_ms / 1000:.1f}",
        f"{one.import_ms:.0f}",
        f"{one.cold_ms + added.get('encoder_open_ms', 0.0):.0f}",
    ]


def _percentiles(milliseconds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    p50, p95 = np.percentile(milliseconds, (50, 95))
    return f"{p50:.1f} / {p95:.1f}"


def _leads(qualities: Sequence[Quality]) -> Iterator[str]:
    for quality in qualities:
        for metric, name in SHOWN.items():
            yield f"- {quality.level} {name}: {_lead(quality.leads[metric], quality.means, metric)}"


def _lead(lead: Lead, means: Mapping[str, Mapping[str, float]], metric: str) -> str:
    best = f"{' and '.join(lead.best)} {means[lead.best[0]][metric]:.3f}"
    if lead.difference is None:
        return f"{best}, all equal"
    sure = "" if lead.difference.significant else ", not surely"
    return (
        f"{best}, before {lead.second} {means[lead.second][metric]:.3f} by "
        f"{lead.difference.mean:.3f} [{lead.difference.low:.3f}, {lead.difference.high:.3f}]{sure}"
    )
