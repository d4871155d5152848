"""A real ``/v1/embeddings`` on the loopback, over any way to make vectors, and its bad days."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from index_artifacts.text import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class EmbeddingsServer:
    """What the server does with the next request; a test changes it at any time.

    ``silent`` accepts and says nothing until it is unset, ``broken`` answers 500, ``turned``
    gives vectors of as many dimensions as another model would.
    """

    def __init__(self, embed: Callable[[Sequence[str]], Any]) -> None:
        self.embed = embed
        self.url = ""
        self.asked: list[list[str]] = []
        self.broken = self.turned = False
        self._arrival = threading.Condition()
        self._speaks = threading.Event()
        self._speaks.set()

    @property
    def silent(self) -> bool:
        """Whether requests are left without an answer."""
        return not self._speaks.is_set()

    @silent.setter
    def silent(self, silent: bool) -> None:
        (self._speaks.clear if silent else self._speaks.set)()

    def wait_for_request(self, number: int) -> None:
        """Until so many requests have arrived."""
        with self._arrival:
            assert self._arrival.wait_for(lambda: len(self.asked) >= number, 30)

    def answer(self, inputs: list[str]) -> tuple[int, dict[str, Any]]:
        """Status and body."""
        with self._arrival:
            self.asked.append(inputs)
            self._arrival.notify_all()
        self._speaks.wait(30)
        if self.broken:
            return 500, {"error": "out of memory"}
        vectors = np.asarray(self.embed(inputs), dtype=float)
        rows = np.roll(vectors, 1, axis=1) if self.turned else vectors
        return 200, {"data": [{"index": n, "embedding": list(row)} for n, row in enumerate(rows)]}


@contextmanager
def embeddings_server(embed: Callable[[Sequence[str]], Any]) -> Iterator[EmbeddingsServer]:
    """Serve what ``embed`` makes of the inputs, rows in their order."""
    served = EmbeddingsServer(embed)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each answer waits for an acknowledgement: 40 ms

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = served.answer(body["input"])
            data = json.dumps(answer).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                self.close_connection = True  # whoever asked has not waited

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        running.block_on_close = False
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        served.url = f"http://127.0.0.1:{running.server_port}/v1"
        try:
            yield served
        finally:
            served.silent = False
            running.shutdown()
            thread.join()


def bags(texts: Sequence[str], salt: str = "") -> list[np.ndarray]:
    """Bags of words, each word a direction of its own; the salt makes it another model."""
    return [bag(text, salt) for text in texts]


def bag(text: str, salt: str) -> np.ndarray:
    total = np.zeros(64)
    for word in words(text):
        total += np.random.default_rng(crc32(f"{salt}{word}".encode())).normal(size=64)
    return total
