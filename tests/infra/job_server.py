"""A sync function's place for reports, on a real socket: it keeps what it is told."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class JobServer:
    """``reports`` holds (path, Authorization, body); ``statuses`` are answered first, then 202."""

    url: str = ""
    reports: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What was reported, in order."""
        return [body for _, _, body in self.reports]

    @property
    def states(self) -> list[str]:
        """State and phase of each report."""
        return [f"{body['state']} {body['phase']}" for body in self.bodies]


@contextmanager
def running_job_server() -> Iterator[JobServer]:
    """A server on the loopback until the block ends."""
    jobs = JobServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            jobs.reports.append((self.path, self.headers.get("Authorization", ""), body))
            self.send_response(jobs.statuses.pop(0) if jobs.statuses else 202)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Say nothing: the test reads the reports."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        jobs.url = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield jobs
        finally:
            running.shutdown()
            thread.join()
