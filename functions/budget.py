"""How many answers a caller may have: what a language model writes is paid for by the word.

Each process counts for itself, since readers may write nothing anywhere: all callers together get
at most the budget times the processes that may run, which reserved concurrency bounds.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from index_artifacts.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600.0
_MOST_CALLERS = 10_000


class Budget:
    """A token bucket for each caller: ``per_hour`` at once, then one every 1/``per_hour`` hours."""

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_hour, self._clock = per_hour, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def spend(self, name: str) -> None:
        """Take one for ``name``. Raises `BudgetError`, which says when there will be another."""
        if not self._per_hour:
            return
        most = float(self._per_hour)
        with self._lock:
            now = self._clock()
            left, since = self._buckets.pop(name, (most, now))
            left = min(most, left + (now - since) * most / HOUR)
            spent = left >= 1 - 1e-9  # a hair of rounding must cost nobody another wait
            self._buckets[name] = (max(0.0, left - 1) if spent else left, now)
            if len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)  # whoever asked longest ago
        if not spent:
            raise BudgetError((1 - left) * HOUR / most)
