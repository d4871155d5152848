"""Bar charts of metrics with their intervals, as SVG that a page can hold inside itself."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from eval.metrics import Interval

_INCHES_A_BAR = 0.16
_COLOURS = (
    "#1f4e79", "#c55a11", "#548235", "#7f6000", "#7030a0", "#2e9e9e", "#a02b3c", "#7f7f7f",
)  # fmt: skip


def bar_chart(title: str, groups: Sequence[str], bars: Mapping[str, Sequence[Interval]]) -> bytes:
    """SVG of one bar with its interval for each of ``bars`` in each of ``groups``.

    Each value of ``bars`` has an interval for every group; means lie in [0, 1]. Equal input
    gives equal bytes. Raises `ConfigError` where matplotlib is not installed.
    """
    figure = _figure(len(groups) * (len(bars) + 1))
    axes = figure.add_subplot()
    width = 0.8 / len(bars)
    for number, (name, found) in enumerate(bars.items()):
        means = np.array([interval.mean for interval in found])
        low = means - [interval.low for interval in found]
        high = np.array([interval.high for interval in found]) - means
        # A mean may lie outside its percentile interval by the last bit of a float.
        errors = np.maximum((low, high), 0)
        places = np.arange(len(groups)) + (number - (len(bars) - 1) / 2) * width
        axes.bar(
            places, means, width * 0.92, yerr=errors, label=name, capsize=1.5,
            color=_COLOURS[number % len(_COLOURS)], error_kw={"linewidth": 0.8},
        )  # fmt: skip
    lowest = min(interval.low for found in bars.values() for interval in found)
    # Good systems differ in the last tenth; the axis says where it begins.
    axes.set_ylim(max(0.0, np.floor(lowest * 10 - 0.5) / 10), 1.0)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_title(title, fontsize=10)
    axes.tick_params(labelsize=8)
    axes.grid(axis="y", linewidth=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return _svg(figure)


def _figure(bars: int) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigError("charts need matplotlib: pip install matplotlib") from None
    # A figure of its own draws with Agg or SVG alone: pyplot would look for a screen.
    return Figure(figsize=(max(6.0, 2.2 + bars * _INCHES_A_BAR), 3.0), layout="constrained")


def _svg(figure: Figure) -> bytes:
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "edgewiki"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()
