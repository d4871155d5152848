"""``edgewiki serve`` as a process of its own, on the loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

from eval.s3_server import unused_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

READY_ATTEMPTS = 600


@dataclass(frozen=True, slots=True)
class ServedProcess:
    """A running server: its address, its process id and where its log is."""

    url: str
    pid: int
    log: Path


@contextmanager
def served_process(
    folder: Path, store: str, environ: Mapping[str, str], *arguments: str
) -> Iterator[ServedProcess]:
    """Serve ``store`` until the block ends; the cache and the log lie in ``folder``."""
    port = unused_port()
    log = folder / "serve.log"
    command = [sys.executable, "-m", "edgewiki", "serve", str(folder), "--store", store]
    with log.open("ab") as file:
        process = subprocess.Popen(
            [*command, "--port", str(port), *arguments],
            env={**os.environ, "EDGEWIKI_CACHE_DIR": str(folder / "cache"), **environ},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
        try:
            served = ServedProcess(f"http://127.0.0.1:{port}", process.pid, log)
            _wait_until_ready(served, process)
            yield served
        finally:
            process.kill()
            process.wait()


def _wait_until_ready(served: ServedProcess, process: subprocess.Popen[bytes]) -> None:
    for _ in range(READY_ATTEMPTS):
        if process.poll() is not None:
            raise RuntimeError(f"edgewiki serve ended: {served.log.read_text()[-2000:]}")
        try:
            httpx.get(f"{served.url}/openapi.json")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"edgewiki serve is not ready: {served.log.read_text()[-2000:]}")
