"""Time that is up when it is up, whatever a server does."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadline:
    """``seconds`` from the moment it is made."""

    seconds: float
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds that are left; negative once it is over."""
        return self.started + self.seconds - time.monotonic()


class Connection:
    """The connection of one exchange, kept so that another thread can end it.

    `watch` is a ``trace`` of httpcore. The socket is a duplicate: shutting it ends the
    connection, whoever holds the original, and its number is never another's by then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._over = False

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep what was just connected to; raises `TimeoutError` where it is too late for it."""
        if not event.endswith("connect_tcp.complete"):
            return
        stream = info["return_value"]
        with self._lock:
            if not self._over:
                self._socket = stream.get_extra_info("socket").dup()
                return
        stream.close()
        raise TimeoutError

    def cut(self) -> None:
        """End the connection now: whoever waits for it to say something waits no longer."""
        with self._lock:
            self._over = True
            if self._socket:
                with suppress(OSError):  # the other side may have gone already
                    self._socket.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Forget the connection, which somebody else closes."""
        with self._lock:
            if self._socket:
                self._socket.close()
            self._socket = None


def within(seconds: float, exchange: Callable[[Connection], T]) -> T:
    """What ``exchange`` returns or raises, or `TimeoutError` after ``seconds``.

    The timeouts of an HTTP client are for one read each: a server that sends a byte a second
    never meets them, and looking a name up has none. So the exchange runs in a thread that is
    waited for, and left behind with its connection cut.
    """
    done: Future[T] = Future()
    connection = Connection()

    def run() -> None:
        try:
            done.set_result(exchange(connection))
        except BaseException as error:  # it belongs to the thread that waits
            done.set_exception(error)
        finally:
            connection.release()

    threading.Thread(target=run, daemon=True, name="edgewiki-exchange").start()
    try:
        return done.result(max(seconds, 0.0))
    finally:
        connection.cut()
