"""A small forge on the loopback: GitHub's and Gitea's API over a real bare Git repository.

What it answers, and with which status, is as both document it. Commits are made against the head
that was read, so that two writers really race. A `Fault` is what the next matching request meets.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.bare_repository import BareRepository
from tests.forge_api import Answer, Call, GiteaApi, GitHubApi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "forge-token-of-the-tests-0123456789"
REPOSITORY = "team/wiki"


@dataclass(frozen=True, slots=True)
class Fault:
    """What the next request with ``method`` meets; any if empty.

    ``status`` is answered instead of doing anything. ``lost`` does it and closes the connection,
    ``hang`` lets the client wait first, and ``late`` does it once the client has gone.
    """

    kind: str = "status"
    status: int = 500
    method: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class ForgeServer:
    """What a test sees of the forge."""

    def __init__(self, url: str, kind: str, repository: BareRepository) -> None:
        self.url, self.kind, self.repository = url, kind, repository
        self.api = (GitHubApi if kind == "github" else GiteaApi)(repository, f"{url}/web")
        self.requests: list[Call] = []
        self.started: list[dict[str, Any]] = []
        self.problems: list[Exception] = []
        self.ended = threading.Event()
        self._faults: deque[Fault] = deque()
        self._lock = threading.Lock()

    @property
    def root(self) -> str:
        """Where its API begins."""
        return self.url if self.kind == "github" else f"{self.url}/api/v1"

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of edgewiki that lead here."""
        return {
            "forge": self.kind,
            "forge_url": self.root,
            "forge_repository": REPOSITORY,
            "forge_token": TOKEN,
        }

    def fail(self, *faults: Fault) -> None:
        """Let the next requests meet these."""
        with self._lock:
            self._faults.extend(faults)

    def asked(self, method: str) -> list[str]:
        """The paths that were asked for with ``method``."""
        return [call.path for call in self.requests if call.method == method]

    def fault(self, method: str) -> Fault | None:
        """What the request that just came meets."""
        with self._lock:
            for fault in self._faults:
                if fault.method in ("", method):
                    self._faults.remove(fault)
                    return fault
        return None

    def answer(self, call: Call) -> Answer:
        """Do what ``call`` wants."""
        self.requests.append(call)
        if call.headers.get("authorization") not in (f"Bearer {TOKEN}", f"token {TOKEN}"):
            return Answer(401, {"message": "Bad credentials"})
        prefix = f"{urlsplit(self.root).path}/repos/{REPOSITORY}/"
        if not call.path.startswith(prefix):
            return Answer(404, {"message": "Not Found"})
        rest = call.path.removeprefix(prefix)
        if rest == "actions/workflows/edgewiki.yml/dispatches" and call.method == "POST":
            self.started.append(call.body)
            return Answer(204, None)
        return self.api.answer(rest, call)


@contextmanager
def running_forge(kind: str, folder: Path) -> Iterator[ForgeServer]:
    """A forge over the repository in ``folder``, made if it is not there, until the block ends."""
    repository = BareRepository(folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            self.close_connection = True
            url = urlsplit(self.path)
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size)
            call = Call(
                self.command,
                unquote(url.path),
                {name: values[0] for name, values in parse_qs(url.query).items()},
                json.loads(body) if body else {},
                {name.lower(): value for name, value in self.headers.items()},
            )
            try:
                self._meet(call)
            except Exception as error:
                server.problems.append(error)
                raise

        def _meet(self, call: Call) -> None:
            fault = server.fault(call.method)
            if fault is None:
                return self._send(server.answer(call))
            if fault.kind == "status":
                server.requests.append(call)
                return self._send(Answer(fault.status, {"message": "fault"}, fault.headers))
            if fault.kind == "hang":
                server.requests.append(call)
                server.ended.wait(2)
            elif fault.kind == "lost":
                server.answer(call)
            return None

        def _send(self, answer: Answer) -> None:
            data = answer.bytes()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815

        def log_message(self, *args: object) -> None:
            """Say nothing: the test reads the error, not the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = False
        server = ForgeServer(f"http://127.0.0.1:{running.server_port}", kind, repository)
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            running.shutdown()
            thread.join()
    if server.problems:
        raise server.problems[0]
