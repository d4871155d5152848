"""A command in a process group of its own: followed line by line, and ended when time is up."""

from __future__ import annotations

import atexit
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO

LAST_LINES = 20
TERM_SECONDS = 5.0
LONGEST_LINE = 10_000

_RUNNING: set[subprocess.Popen[bytes]] = set()
_STOPPING = threading.Event()


class StoppedError(Exception):
    """This very process comes to its end, and the command with it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. ``said`` are its last lines on standard error."""

    code: int
    out: str
    said: tuple[str, ...]

    @property
    def last_words(self) -> str:
        """What went wrong: as a rule the last line that is not empty."""
        if self.code < 0:
            return f"it was ended by {signal.Signals(-self.code).name}"
        said = next((line for line in reversed(self.said) if line.strip()), "")
        return said or f"exit code {self.code}"


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    deadline: float,
    on_line: Callable[[str], None],
    every: float,
) -> Ended:
    """Run ``command``; raises `TimeoutError` at ``deadline`` (of `time.monotonic`).

    ``on_line`` gets every line of standard error, and an empty one whenever ``every`` seconds
    passed without; what it raises ends the command too. Ending means the whole process group:
    what the command started goes with it. Raises `StoppedError` where this process ends.
    """
    if _STOPPING.is_set():
        raise StoppedError
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        _RUNNING.add(process)
        try:
            said = _follow(process, deadline, on_line, every)
        finally:
            _end(process)
            _RUNNING.discard(process)
        if _STOPPING.is_set():
            raise StoppedError
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return Ended(process.returncode, text, tuple(said))


def _follow(
    process: subprocess.Popen[bytes], deadline: float, on_line: Callable[[str], None], every: float
) -> deque[str]:
    assert process.stderr is not None  # it was asked for
    lines: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process.stderr, lines), daemon=True)
    reader.start()
    said: deque[str] = deque(maxlen=LAST_LINES)
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            line = lines.get(timeout=min(every, left))
        except queue.Empty:
            # Something that it started may hold the pipe open after its end.
            if process.poll() is not None:
                return said
            line = ""
        if line is None:
            process.wait(timeout=max(deadline - time.monotonic(), 0.1))
            return said
        if line:
            said.append(line)
        on_line(line)


def _read(stream: IO[bytes], lines: queue.Queue[str | None]) -> None:
    """Hand lines on until nobody holds the other end any more, which may be long after."""
    with stream:
        while line := stream.readline(LONGEST_LINE):
            lines.put(line.decode("utf-8", "replace").rstrip())
    lines.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the group if it runs, politely first: Git then takes its locks away."""
    if process.poll() is not None:
        return
    _signal(process, signal.SIGTERM)
    for _ in range(int(TERM_SECONDS / 0.1)):
        # Not reaped yet, its number is nobody else's while the group is killed.
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.1)
    _signal(process, signal.SIGKILL)
    process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


@atexit.register
def _end_all() -> None:
    """A server that stops takes its builds with it: the thread that follows them is a daemon."""
    _STOPPING.set()
    for process in tuple(_RUNNING):
        _end(process)
