"""Which encoder makes a question's vector: the first that answers, out of some in an order.

An encoder on this machine is proved when it is opened. One behind a server is proved by the
version's probe before its first use, and again whenever its verdict is too old: a server may
have been restarted with another model. What is another model is never asked again.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from index_artifacts.deadline import within
from index_artifacts.errors import InputTooLongError, ModelError, ModelMismatchError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from index_artifacts.encoder import Encoder, Vectors

logger = logging.getLogger("edgewiki")

Given = TypeVar("Given")

LOCAL, REMOTE = "local", "remote"
UNASKED, READY, DOWN, REFUSED = "unasked", "ready", "down", "refused"
DOWN_SECONDS = 30.0
"""One that has failed is left alone for so long."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: of a look, of one use, and for how long a good verdict is believed."""

    probe: float = math.inf
    use: float = math.inf
    good: float = math.inf


OF_A_SERVER = Limits(probe=1.5, use=3.0, good=30.0)


class Backend:
    """An encoder that may fail, and the verdict on it. Safe for any number of threads."""

    def __init__(
        self,
        name: str,
        opened: Callable[[], Encoder],
        prove: Callable[[Encoder], None],
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``prove`` raises `ModelError` unless what was ``opened`` is the version's encoder.

        Its time is limited, that of opening is not: importing a client is no server's fault.
        """
        self.name = name
        self.verdict = UNASKED
        self._opened, self._prove = opened, prove
        self._limits, self._clock = limits, clock
        self._encoder: Encoder | None = None
        self._due = -math.inf
        self._lock = threading.Lock()

    def ready(self) -> Encoder | None:
        """The encoder, None where the verdict on it is bad; looks where that is too old.

        While one thread looks, others go by the verdict that there is.
        """
        if self._is_due() and self._lock.acquire(blocking=self.verdict == UNASKED):
            try:
                if self._is_due():
                    self._look()
            finally:
                self._lock.release()
        return self._encoder if self.verdict == READY else None

    def use(self, encoder: Encoder, asked: Callable[[Encoder], Given]) -> Given:
        """What ``asked`` makes of the ``encoder``. A failure is the verdict, and is raised."""
        try:
            return self._in_time(self._limits.use, lambda: asked(encoder))
        except InputTooLongError:
            raise  # the text's fault
        except ModelError as error:
            self._fail(error)
            raise

    def _is_due(self) -> bool:
        return self._clock() >= self._due

    def _look(self) -> None:
        try:
            encoder = self._opened()
            self._in_time(self._limits.probe, lambda: self._prove(encoder))
        except ModelError as error:
            self._fail(error)
            return
        if self.verdict == DOWN:
            logger.info("the %s encoder answers again", self.name)
        self._encoder = encoder
        self.verdict, self._due = READY, self._clock() + self._limits.good

    def _fail(self, error: ModelError) -> None:
        if isinstance(error, ModelMismatchError):
            self.verdict, self._due = REFUSED, math.inf
            logger.error("the %s encoder is refused for this version: %s", self.name, error)
        elif self.verdict != REFUSED:
            self.verdict, self._due = DOWN, self._clock() + DOWN_SECONDS
            logger.warning("the %s encoder rests for %g s: %s", self.name, DOWN_SECONDS, error)

    def _in_time(self, seconds: float, asked: Callable[[], Given]) -> Given:
        if seconds == math.inf:
            return asked()
        try:
            return within(seconds, lambda _: asked())
        except TimeoutError:
            raise ModelError(f"no answer within {seconds:g} s") from None


class EncoderRouter:
    """Encoders in the order in which they are asked."""

    def __init__(self, backends: Sequence[Backend]) -> None:
        self._backends = tuple(backends)

    def __call__(self) -> RoutedEncoder:
        """The encoder of one request. Raises `ModelError` where none is ready."""
        return RoutedEncoder(self._backends)

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict on each by its name, in their order, without a look."""
        return {backend.name: backend.verdict for backend in self._backends}


class RoutedEncoder:
    """An `Encoder` for one thread and one request, which goes on with the next that is ready.

    ``kind`` and ``fingerprint`` are those of the encoder that has answered last.
    """

    def __init__(self, backends: Sequence[Backend]) -> None:
        """Choose the first that is ready. Raises `ModelError` where none is."""
        self._backends = tuple(backends)
        self._untried = iter(self._backends)
        self._choose()

    def count_tokens(self, text: str) -> int:
        """See `Encoder`."""
        return self._encoder.count_tokens(text)

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """See `Encoder`."""
        return self._encoder.split(text, max_tokens)

    def overhead(self) -> int:
        """See `Encoder`."""
        return self._encoder.overhead()

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`. Raises `ModelError` once every encoder has failed."""
        return self._use(lambda encoder: encoder.encode_passages(texts))

    def encode_query(self, text: str) -> Vectors:
        """See `Encoder`. Raises `ModelError` once every encoder has failed."""
        return self._use(lambda encoder: encoder.encode_query(text))

    def _use(self, asked: Callable[[Encoder], Given]) -> Given:
        while True:  # each failure takes one of the untried
            try:
                return self._backend.use(self._encoder, asked)
            except InputTooLongError:
                raise
            except ModelError:
                self._choose()

    def _choose(self) -> None:
        for backend in self._untried:
            encoder = backend.ready()
            if encoder is not None:
                self._backend, self._encoder = backend, encoder
                self.kind, self.fingerprint = encoder.kind, encoder.fingerprint
                self.dimension, self.max_tokens = encoder.dimension, encoder.max_tokens
                return
        verdicts = [f"{backend.name} is {backend.verdict}" for backend in self._backends]
        raise ModelError(f"no encoder answers: {', '.join(verdicts) or 'none is to be asked'}")
