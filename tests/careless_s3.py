"""A tiny S3 server with one bad habit, for what real servers do only on bad days."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from index_artifacts.s3_store import S3Store
from tests.s3_server import make_client

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def careless_store(habit: str, *, conditional_writes: bool = True) -> Iterator[S3Store]:
    """A store on a server with a bad habit."""
    server = CarelessServer(habit)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    client = make_client(f"http://127.0.0.1:{server.server_port}", "key", "secret", attempts=2)
    try:
        yield S3Store("wiki", "", client, conditional_writes=conditional_writes)
    finally:
        client.close()
        server.shutdown()
        thread.join()
        server.server_close()


class CarelessServer(ThreadingHTTPServer):
    """Holds objects by path. Its habit says what it does with a conditional PUT."""

    def __init__(self, habit: str) -> None:
        super().__init__(("127.0.0.1", 0), CarelessHandler)
        self.habit = habit
        self.objects: dict[str, bytes] = {}
        self.puts: dict[tuple[str, bytes], int] = {}


class CarelessHandler(BaseHTTPRequestHandler):
    server: CarelessServer
    protocol_version = "HTTP/1.1"  # answers "Expect: 100-continue", else boto3 waits a second

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        times = self.server.puts[self.path, body] = self.server.puts.get((self.path, body), 0) + 1
        status = self._status(times)
        if status in {200, 500}:
            self.server.objects[self.path] = body
        self._answer(status, b"")

    def _status(self, times: int) -> int:
        habit = self.server.habit
        match, none_match = self.headers.get("If-Match"), self.headers.get("If-None-Match")
        if habit == "rejects" and (match or none_match):
            return 501
        if habit == "is racing" and times == 1:
            return 409
        if none_match and habit != "ignores" and self.path in self.server.objects:
            return 412
        if match and not habit.startswith("ignores") and match != self._etag():
            return 412
        return 500 if habit == "loses answers" and times == 1 else 200

    def do_GET(self) -> None:
        found = self.server.objects.get(self.path)
        self._answer(404 if found is None else 200, found or b"")

    def do_HEAD(self) -> None:
        self.do_GET()

    def _etag(self) -> str:
        return f'"{hash(self.server.objects.get(self.path))}"'

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("ETag", self._etag())
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass
