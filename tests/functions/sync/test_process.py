"""Commands that are followed, and ended with everything they started."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from functions.sync.process import Ended, run

SLEEPERS = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, file=sys.stderr, flush=True)
time.sleep(600)
"""


def ran(code: str, seconds: float = 60.0, every: float = 5.0) -> tuple[Ended, list[str]]:
    lines: list[str] = []
    ended = run(
        [sys.executable, "-c", code],
        env=dict(os.environ),
        deadline=time.monotonic() + seconds,
        on_line=lines.append,
        every=every,
    )
    return ended, lines


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def is_gone_soon(pid: int) -> bool:
    for _ in range(200):
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


def test_what_it_says_is_followed_and_what_it_prints_is_kept() -> None:
    ended, lines = ran(
        "import sys; print('{\"a\": 1}'); print('one', file=sys.stderr);"
        "print('two', file=sys.stderr); sys.exit(3)"
    )
    assert (ended.code, ended.out) == (3, '{"a": 1}\n')
    assert lines == ["one", "two"]
    assert ended.last_words == "two"


def test_one_that_was_killed_is_said_to_be() -> None:
    ended, _ = ran(
        "import os, sys; print('embedding 10/400', file=sys.stderr, flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    assert ended.last_words == "it was ended by SIGKILL"
    assert ran("import sys; sys.exit(4)")[0].last_words == "exit code 4"


def test_more_than_a_pipe_holds_is_no_trouble() -> None:
    ended, lines = ran(
        "import sys\nfor _ in range(5000): print('x' * 200); print('y' * 200, file=sys.stderr)\n"
        "sys.stderr.write('z' * 100_000)"
    )
    assert (ended.code, len(ended.out)) == (0, 5000 * 201)
    assert lines[4999] == "y" * 200
    assert "".join(lines[5000:]) == "z" * 100_000


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    ended, lines = ran("import sys; sys.stderr.buffer.write(b'\\xff\\n')")
    assert (ended.code, lines) == (0, ["�"])


def test_silence_is_told_now_and_then() -> None:
    _, lines = ran("import time; time.sleep(1)", every=0.1)
    assert lines.count("") >= 2


def test_when_time_is_up_the_whole_group_is_ended() -> None:
    pids: list[int] = []

    def note(line: str) -> None:
        if line:
            pids.append(int(line))

    with pytest.raises(TimeoutError):
        run(
            [sys.executable, "-c", SLEEPERS],
            env=dict(os.environ),
            deadline=time.monotonic() + 2,
            on_line=note,
            every=0.1,
        )
    assert pids
    assert is_gone_soon(pids[0])


def test_one_that_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.sync.process.TERM_SECONDS", 0.3)
    pids: list[int] = []
    code = (
        "import os, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print(os.getpid(), file=sys.stderr, flush=True); time.sleep(600)"
    )
    with pytest.raises(TimeoutError):
        run(
            [sys.executable, "-c", code],
            env=dict(os.environ),
            deadline=time.monotonic() + 2,
            on_line=lambda line: pids.append(int(line)) if line else None,
            every=0.1,
        )
    assert is_gone_soon(pids[0])


def test_whoever_follows_may_end_it() -> None:
    pids: list[int] = []

    def stop(line: str) -> None:
        pids.append(int(line))
        raise LookupError("the lease is another's")

    with pytest.raises(LookupError, match="another's"):
        run(
            [sys.executable, "-c", SLEEPERS],
            env=dict(os.environ),
            deadline=time.monotonic() + 60,
            on_line=stop,
            every=5,
        )
    assert is_gone_soon(pids[0])


def test_what_it_leaves_behind_with_the_pipe_open_does_not_hold_it_up() -> None:
    code = SLEEPERS.rpartition("time.sleep")[0]
    ended, lines = ran(code, every=0.1)
    assert ended.code == 0
    os.kill(int(lines[0]), signal.SIGKILL)
