"""Lambda's Runtime API on the loopback, and the real runtime client as its process.

`LambdaProcess` does what the service does: it starts the client, hands it one event after the
other, and collects what it posts back.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import uuid
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
HANDLER = "functions.search.handler.handler"
PREFIX = "/2018-06-01/runtime"
TIMEOUT_SECONDS = 30


class InvocationError(Exception):
    """What the client posted to ``error``, or that it ended without a word."""


class LambdaProcess:
    """A started function. ``invoke`` may be called as often as one likes, one at a time."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self.process: subprocess.Popen[bytes] | None = None
        self._events: queue.Queue[tuple[str, bytes] | None] = queue.Queue()
        self._answers: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self._ready = threading.Event()

    @property
    def log(self) -> str:
        """What the process wrote so far."""
        return self._log.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """The process's id."""
        assert self.process is not None  # lambda_process has started it
        return self.process.pid

    def wait_until_ready(self) -> None:
        """Block until the handler is imported and asks for its first event."""
        if not self._ready.wait(TIMEOUT_SECONDS):
            raise InvocationError(f"not ready; the log: {self.log[-2000:]}")

    def invoke(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return what the handler returned. Raises `InvocationError`."""
        self._events.put((str(uuid.uuid4()), json.dumps(event).encode()))
        kind, body = self._answer()
        if kind != "response":
            raise InvocationError(f"{kind}: {body.decode()}")
        answer: dict[str, Any] = json.loads(body)
        return answer

    def init_error(self) -> dict[str, Any]:
        """Wait for the report that the function could not start."""
        kind, body = self._answer()
        assert kind == "init/error", f"{kind}: {body.decode()}"
        report: dict[str, Any] = json.loads(body)
        return report

    def next_event(self) -> tuple[str, bytes] | None:
        """Block until there is an event; None at the end."""
        self._ready.set()
        return self._events.get()

    def post(self, kind: str, body: bytes) -> None:
        """Take what the client sent."""
        self._answers.put((kind, body))

    def end(self) -> None:
        """Let a client that waits for an event go."""
        self._events.put(None)

    def _answer(self) -> tuple[str, bytes]:
        for _ in range(10 * TIMEOUT_SECONDS):
            ended = self.process is not None and self.process.poll() is not None
            with suppress(queue.Empty):
                return self._answers.get(timeout=0.1)
            if ended:
                break
        raise InvocationError(f"no answer; the log: {self.log[-2000:]}")


@contextmanager
def lambda_process(
    folder: Path,
    environ: dict[str, str],
    handler: str = HANDLER,
    cores: set[int] | None = None,
    *,
    task: Path = ROOT,
    python: Path = Path(sys.executable),
) -> Iterator[LambdaProcess]:
    """Start ``handler`` with only ``environ`` set; its log goes below ``folder``.

    ``cores`` are the processors it may run on; None for all. ``task`` is the folder with the
    code, which is ``/var/task`` on Lambda; ``python`` has awslambdaric installed.
    """
    process_state = LambdaProcess(folder / "lambda.log")
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(process_state)) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        with (folder / "lambda.log").open("wb") as log:
            process = subprocess.Popen(
                [python, "-m", "awslambdaric", handler],
                cwd=task,
                env=_environment(server.server_port, environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            if cores:
                os.sched_setaffinity(process.pid, cores)
            process_state.process = process
            try:
                yield process_state
            finally:
                process.kill()
                process.wait()
                process_state.end()
                server.shutdown()
                thread.join()


def _environment(port: int, environ: dict[str, str]) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{port}",
        "AWS_LAMBDA_FUNCTION_NAME": "edgewiki-search",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_REGION": "eu-central-1",
        **environ,
    }


def _handler_for(state: LambdaProcess) -> type[BaseHTTPRequestHandler]:
    class RuntimeApi(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Without these two every call waits 40 ms for an acknowledgement.
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self) -> None:
            assert self.path == f"{PREFIX}/invocation/next"
            event = state.next_event()
            if event is None:
                self._send(410, b"{}")
                return
            name, body = event
            self._send(
                200,
                body,
                {
                    "Content-Type": "application/json",  # without it the client crashes
                    "Lambda-Runtime-Aws-Request-Id": name,
                    "Lambda-Runtime-Deadline-Ms": "4102444800000",
                    "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-central-1:1:f",
                    "Lambda-Runtime-Trace-Id": "Root=1-65f0c1a2-4f1c7e6b2d3a4c5e6f708192",
                },
            )

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kind = self.path.removeprefix(f"{PREFIX}/")
            state.post("init/error" if kind == "init/error" else kind.rpartition("/")[2], body)
            self._send(202, b"{}")

        def handle(self) -> None:
            with suppress(ConnectionError):  # the client is killed while it waits
                super().handle()

        def finish(self) -> None:
            with suppress(ConnectionError):
                super().finish()

        def log_message(self, *args: object) -> None:
            """Say nothing: the process has a log of its own."""

        def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

    return RuntimeApi
