"""A steady load: so many requests a second, however long their answers take.

Latency counts from the moment that a request was due, not from the moment that it could be
sent: a server that stands still for a second cannot hide it behind one slow answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import cycle
from time import perf_counter
from typing import TYPE_CHECKING

import httpx

from eval.load_targets import check_host

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.workload import LoadQuery

TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class SteadyLoad:
    """``per_second`` requests for ``seconds``, in turn over so many kept connections."""

    per_second: int
    seconds: float
    connections: int = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """One request. ``due`` is when it was to be sent, of `perf_counter`; ``failure`` says why."""

    connection: int
    due: float
    milliseconds: float
    version: str
    failure: str


async def steady_load(url: str, queries: Sequence[LoadQuery], load: SteadyLoad) -> list[Answer]:
    """Ask ``POST /search`` of a server on this machine; the answers, connection by connection."""
    check_host(url, allow_remote=False)
    endless = cycle(queries)
    began = perf_counter()
    shares: list[list[tuple[float, LoadQuery]]] = [[] for _ in range(load.connections)]
    for number in range(int(load.per_second * load.seconds)):
        due = began + number / load.per_second
        shares[number % load.connections].append((due, next(endless)))
    found = await asyncio.gather(
        *(_connection(url, number, share) for number, share in enumerate(shares))
    )
    return [answer for answers in found for answer in answers]


async def _connection(
    url: str, number: int, share: Sequence[tuple[float, LoadQuery]]
) -> list[Answer]:
    answers = []
    limits = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(
        base_url=url, limits=limits, timeout=TIMEOUT_SECONDS, trust_env=False
    ) as client:
        for due, query in share:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            version, failure = await _ask(client, query)
            milliseconds = (perf_counter() - due) * 1000
            answers.append(Answer(number, due, milliseconds, version, failure))
    return answers


async def _ask(client: httpx.AsyncClient, query: LoadQuery) -> tuple[str, str]:
    """The version that answered, and an empty string; or in a few words why none did."""
    body = {"query": query.text, "limit": query.limit, "mode": query.mode}
    try:
        response = await client.post("/search", json=body)
    except httpx.HTTPError as error:
        return "", type(error).__name__
    if response.status_code != httpx.codes.OK:
        return "", f"HTTP {response.status_code}"
    answer = response.json()
    failure = "" if answer["status"] == "ok" else f"status {answer['status']}"
    return str(answer["index_version"]), failure
