"""The load runner: the first answer against the rest, then ever more at a time until it bends."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import cycle
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from index_artifacts.errors import ConfigError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from eval.load_targets import Target
    from eval.workload import LoadQuery

    Progress = Callable[[str, int, int], None]
    """Called with a phase, how much of it is done and how much there is."""

# The throughput of a step must grow by a tenth, and its p95 stay below twice the one before.
LEAST_GAIN = 1.1
MOST_DELAY = 2.0
TIMEOUT = "timeout"
_WARM = 20
"""Requests, one at a time, that are compared with the first one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a run may go. ``requests`` bounds each step, ``timeout`` (seconds) each request."""

    max_concurrency: int = 16
    seconds: float = 5.0
    requests: int = 5_000
    timeout: float = 10.0

    def __post_init__(self) -> None:
        if min(self.max_concurrency, self.requests) < 1 or min(self.seconds, self.timeout) <= 0:
            raise ConfigError(f"{self}: every limit of a load test is above zero")


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: its class, how long it took in milliseconds, what failed."""

    kind: str
    milliseconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Latency:
    """Requests of one kind; milliseconds are of the answered ones, 0 where there were none.

    ``errors`` and ``timeouts`` are shares of ``requests``, in [0, 1]; ``failures`` says how
    often what failed.
    """

    requests: int
    mean: float
    p50: float
    p95: float
    p99: float
    errors: float
    timeouts: float
    failures: dict[str, int]


@dataclass(frozen=True, slots=True)
class Step:
    """So many at a time; ``per_second`` counts answers, not failures."""

    concurrency: int
    seconds: float
    per_second: float
    overall: Latency
    by_class: dict[str, Latency]


@dataclass(frozen=True, slots=True)
class LoadRun:
    """What a target stands.

    ``cold`` is the first answer in milliseconds (of a server: the first that this run got),
    ``warm`` the following ones, one at a time. ``bends_at`` is the concurrency that no longer
    paid, 0 where none was found up to the largest; ``why`` says what was seen there.
    """

    target: str
    queries: int
    cold: float
    warm: Latency
    steps: tuple[Step, ...]
    bends_at: int
    why: str

    @property
    def best(self) -> Step:
        """The last step before the bend."""
        return self.steps[-2] if self.bends_at and len(self.steps) > 1 else self.steps[-1]

    def to_dict(self) -> dict[str, Any]:
        """The run as plain JSON values."""
        return asdict(self)


async def measure(
    target: Target,
    queries: Sequence[LoadQuery],
    limits: Limits | None = None,
    progress: Progress = lambda *_: None,
) -> LoadRun:
    """Ask ``queries``, over and over, with 1, 2, 4, 8, … at a time.

    Raises `ConfigError` without queries, `UnavailableError` where the first is not answered.
    """
    limits = limits or Limits()
    if not queries:
        raise ConfigError("the workload holds no query")
    endless = cycle(queries)
    first = await _ask(target, next(endless), limits.timeout)
    if first.failure:
        raise UnavailableError(f"{target.name} did not answer the first query: {first.failure}")
    warm = [await _ask(target, next(endless), limits.timeout) for _ in range(_WARM)]
    concurrencies = _doubling(limits.max_concurrency)
    steps: list[Step] = []
    why = ""
    for number, concurrency in enumerate(concurrencies):
        progress(f"{concurrency} at a time", number, len(concurrencies))
        steps.append(await _step(target, endless, concurrency, limits))
        if len(steps) > 1 and (why := bend(*steps[-2:])):
            break
    progress("done", len(concurrencies), len(concurrencies))
    bends_at = steps[-1].concurrency if why else 0
    why = why or f"it did not bend up to {steps[-1].concurrency} at a time"
    name, count, latency = target.name, len(queries), summarise(warm)
    return LoadRun(name, count, first.milliseconds, latency, tuple(steps), bends_at, why)


def bend(before: Step, after: Step) -> str:
    """Why ``after`` no longer pays against ``before``; empty where it does."""
    if after.per_second < LEAST_GAIN * before.per_second:
        rates = f"{before.per_second:.0f} → {after.per_second:.0f}"
        return f"throughput gained less than 10 %: {rates} requests/s"
    if before.overall.p95 and after.overall.p95 >= MOST_DELAY * before.overall.p95:
        return f"p95 doubled: {before.overall.p95:.0f} → {after.overall.p95:.0f} ms"
    return ""


def summarise(samples: Sequence[Sample]) -> Latency:
    """Percentiles of the answered requests and the shares of the others."""
    times = [sample.milliseconds for sample in samples if not sample.failure]
    failures = Counter(sample.failure for sample in samples if sample.failure)
    p50, p95, p99 = (float(p) for p in np.percentile(times or [0.0], (50, 95, 99)))
    count = max(1, len(samples))
    return Latency(
        requests=len(samples),
        mean=float(np.mean(times or [0.0])),
        p50=p50,
        p95=p95,
        p99=p99,
        errors=(failures.total() - failures[TIMEOUT]) / count,
        timeouts=failures[TIMEOUT] / count,
        failures=dict(sorted((name, number) for name, number in failures.items() if number)),
    )


def _doubling(most: int) -> list[int]:
    return [1 << power for power in range(most.bit_length()) if 1 << power <= most]


async def _ask(target: Target, query: LoadQuery, timeout: float) -> Sample:
    started = perf_counter()
    try:
        failure = await asyncio.wait_for(target.ask(query), timeout)
    except TimeoutError:
        failure = TIMEOUT
    return Sample(query.kind, (perf_counter() - started) * 1000, failure)


async def _step(
    target: Target, queries: Iterator[LoadQuery], concurrency: int, limits: Limits
) -> Step:
    """Keep ``concurrency`` requests in flight until the time or the requests run out."""
    samples: list[Sample] = []
    tickets = iter(range(limits.requests))
    started = perf_counter()

    async def worker() -> None:
        for _ in tickets:
            samples.append(await _ask(target, next(queries), limits.timeout))
            if perf_counter() - started >= limits.seconds:
                return

    await asyncio.gather(*(worker() for _ in range(concurrency)))
    seconds = perf_counter() - started
    kinds = sorted({sample.kind for sample in samples})
    return Step(
        concurrency=concurrency,
        seconds=seconds,
        per_second=sum(not sample.failure for sample in samples) / seconds,
        overall=summarise(samples),
        by_class={kind: summarise([s for s in samples if s.kind == kind]) for kind in kinds},
    )
