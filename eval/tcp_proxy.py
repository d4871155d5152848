"""A TCP proxy on the loopback that can be down, silent, slow, or cut what it delivers.

It stands between a client and a real server, and its port stays the same throughout.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = 16 << 10
_TICK = 0.05


class TcpProxy:
    """Passes everything on until it is told otherwise."""

    def __init__(self, target: str) -> None:
        """``target`` is the http URL of the server behind it."""
        parts = urlsplit(target)
        assert parts.hostname
        assert parts.port
        self._target = (parts.hostname, parts.port)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._rate: float | None = None
        self._left: int | None = None
        self._loud = threading.Event()
        self._loud.set()
        self.accepted = 0
        """Connections so far."""
        self._listener = self._listen(0)
        self._port: int = self._listener.getsockname()[1]

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"http://127.0.0.1:{self._port}"

    def stop(self) -> None:
        """Be down: connections are reset, new ones refused."""
        # A thread that sleeps in accept() would keep the socket alive: this wakes it.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._drop()

    def start(self) -> None:
        """Be up again, and pass everything on."""
        self._rate = self._left = None
        self._loud.set()
        self._listener = self._listen(self._port)

    def heal(self) -> None:
        """Pass everything on, what was held back as well."""
        self._rate = self._left = None
        self._loud.set()

    def silence(self) -> None:
        """Take requests, and deliver no answer to any."""
        self._loud.clear()

    def slow_down(self, bytes_per_second: float) -> None:
        """Deliver no faster than this."""
        self._rate = bytes_per_second

    def cut(self, after: int) -> None:
        """Break each new connection once it has delivered so many bytes."""
        self._drop()
        self._left = after

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:  # it was closed
                return
            self.accepted += 1
            try:
                server = socket.create_connection(self._target)
            except OSError:
                client.close()
                continue
            with self._lock:
                self._open |= {client, server}
            for source, sink, is_answer in ((client, server, False), (server, client, True)):
                threading.Thread(
                    target=self._pump, args=(source, sink, is_answer), daemon=True
                ).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        left = self._left if is_answer else None
        with suppress(OSError):
            while data := source.recv(_PIECE):
                if not is_answer:
                    sink.sendall(data)
                    continue
                self._loud.wait()
                if left is not None:
                    data, left = data[:left], left - len(data)
                self._deliver(data, sink)
                if left is not None and left <= 0:
                    break
        self._end(source, sink)

    def _deliver(self, data: bytes, sink: socket.socket) -> None:
        at = 0
        while at < len(data):
            rate = self._rate
            piece = data[at:] if rate is None else data[at : at + max(1, int(rate * _TICK))]
            sink.sendall(piece)
            at += len(piece)
            if rate is not None:
                time.sleep(_TICK)

    def _drop(self) -> None:
        with self._lock:
            ends = tuple(self._open)
        self._end(*ends)

    def _end(self, *ends: socket.socket) -> None:
        with self._lock:
            self._open -= set(ends)
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def running_proxy(target: str) -> Iterator[TcpProxy]:
    """A proxy before ``target``, until the block ends."""
    proxy = TcpProxy(target)
    try:
        yield proxy
    finally:
        proxy.heal()
        proxy.stop()
