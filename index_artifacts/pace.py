"""The slowest that a download may be, as curl's ``--speed-limit`` and ``--speed-time``.

A time limit of a socket ends silence alone: a server that sends a few bytes every now and then
would hold a download, and with it every later version, for hours.
"""

from __future__ import annotations

import threading
import time

from index_artifacts.errors import UnavailableError

LEAST_BYTES_PER_SECOND = 8 << 10
WINDOW_SECONDS = 20.0


class Pace:
    """Called with each piece's bytes, from any thread; raises `UnavailableError` when too slow.

    Threads that are frozen, as Lambda freezes them between two requests, count as slow, too:
    what they held is begun again.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._bytes, self._since = 0, time.monotonic()

    def __call__(self, count: int) -> None:
        with self._lock:
            self._bytes += count
            seconds = time.monotonic() - self._since
            if seconds < WINDOW_SECONDS:
                return
            if self._bytes < LEAST_BYTES_PER_SECOND * seconds:
                raise UnavailableError(
                    f"{self._what} comes too slowly: {self._bytes} bytes in {seconds:.0f} s"
                )
            self._bytes, self._since = 0, time.monotonic()
