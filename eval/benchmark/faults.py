"""``python -m eval.benchmark.faults``: new versions under load, and how soon faults are over.

A real server process reads from a real S3 server through a proxy that can be down or silent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import numpy as np

from build.config import load_config
from build.pipeline import build_version
from build.publish import publish
from eval.editions import make_editions
from eval.s3_server import S3Server, running_s3_server
from eval.served_process import ServedProcess, served_process
from eval.steady_load import Answer, SteadyLoad, steady_load
from eval.tcp_proxy import TcpProxy, running_proxy
from eval.workload import LoadQuery
from index_artifacts.artifact import open_artifact
from index_artifacts.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from index_artifacts.artifact import Artifact

SMALL = Path(__file__).parent.parent / "corpora" / "small"
BUCKET = "benchmark"
STORE = f"s3://{BUCKET}/wiki"
LOAD = SteadyLoad(per_second=50, seconds=10)
ROUNDS = 3
SWAPS = 3
RUNS = 3
QUESTIONS = [
    LoadQuery(text, mode, mode=mode)
    for text in ("Na akom porte počúva server?", "strojový preklad", "How do I use the cluster?")
    for mode in ("lexical", "hybrid")
]


@dataclass(frozen=True, slots=True)
class Site:
    """Where versions are published, and the way by which readers get there."""

    server: S3Server
    way: TcpProxy
    folder: Path

    def publish(self, artifact: Artifact) -> str:
        """Let the channel serve it; its version."""
        with self.server.store(BUCKET) as store:
            return publish(artifact.folder, store).version

    @contextmanager
    def reader(self, **settings: str) -> Iterator[ServedProcess]:
        """A server process with an empty cache."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            environ = {
                **self.server.environ("reader"),
                "EDGEWIKI_S3_ENDPOINT": self.way.url,
                "EDGEWIKI_REFRESH_SECONDS": "0.5",
                "AWS_MAX_ATTEMPTS": "2",
                **settings,
            }
            with served_process(Path(folder), STORE, environ) as process:
                yield process


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmark.faults", description=__doc__)
    parser.add_argument("--artifact", type=Path, help="take this artifact instead of building")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print(f"Python {platform.python_version()}, {platform.machine()}, {cores} cores.\n")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=".edgewiki")))
        artifact = open_artifact(options.artifact) if options.artifact else _build(folder)
        (folder / "s3").mkdir()
        server = stack.enter_context(running_s3_server(folder / "s3"))
        way = stack.enter_context(running_proxy(server.endpoint))
        client = server.client()
        client.create_bucket(Bucket=BUCKET)
        client.close()
        editions = make_editions(artifact, folder, ROUNDS * SWAPS + 3)
        site = Site(server, way, folder)
        _print_load(site, editions[: ROUNDS * SWAPS + 1])
        _print_recovery(site, editions)


def _build(folder: Path) -> Artifact:
    config = load_config(SMALL)
    build_version(SMALL, folder / "artifact", config, open_store(f"file://{folder / 'cache'}"))
    return open_artifact(folder / "artifact")


def _print_load(site: Site, editions: list[Artifact]) -> None:
    print("| load | requests | failed | versions | p50 ms | p99 ms | slowest ms |")
    print("|---|---|---|---|---|---|---|")
    site.publish(editions[0])
    with site.reader() as process:
        opening = asyncio.run(steady_load(process.url, QUESTIONS, SteadyLoad(20, 2)))
        if not opening[-1].version:
            raise RuntimeError(f"{opening[-1].failure}: {process.log.read_text()[-1000:]}")
        quiet: list[Answer] = []
        swapping: list[Answer] = []
        fresh = iter(editions[1:])
        for _ in range(ROUNDS):  # in turn, for a machine may be busy with something else
            quiet += asyncio.run(steady_load(process.url, QUESTIONS, LOAD))
            swapping += _load_with_swaps(site, process, [next(fresh) for _ in range(SWAPS)])
        _print_row("no new version", quiet)
        _print_row(f"{ROUNDS * SWAPS} new versions", swapping)


def _load_with_swaps(site: Site, process: ServedProcess, fresh: list[Artifact]) -> list[Answer]:
    with ThreadPoolExecutor(1) as pool:
        load = pool.submit(asyncio.run, steady_load(process.url, QUESTIONS, LOAD))
        for edition in fresh:
            time.sleep(LOAD.seconds / (len(fresh) + 1))
            site.publish(edition)
        return load.result()


def _print_row(name: str, answers: list[Answer]) -> None:
    times = [answer.milliseconds for answer in answers]
    p50, p99, slowest = (float(p) for p in np.percentile(times, (50, 99, 100)))
    failed = sum(bool(answer.failure) for answer in answers)
    versions = len({answer.version for answer in answers if answer.version})
    print(f"| {name} | {len(answers)} | {failed} | {versions} | {p50:.0f} | {p99:.0f} "
          f"| {slowest:.0f} |", flush=True)  # fmt: skip


def _print_recovery(site: Site, editions: list[Artifact]) -> None:
    healthy = _median(_first_answer(site, down=False) for _ in range(RUNS))
    back = _median(_first_answer(site, down=True) for _ in range(RUNS))
    swapped = _median(_swap_after_outage(site, editions) for _ in range(RUNS))
    silent = _median(_answer_while_silent(site) for _ in range(RUNS))
    print("\n| what | ms | of a healthy first answer |")
    print("|---|---|---|")
    for name, milliseconds in (
        ("first answer, healthy store", healthy),
        ("first answer after the store is back, down at the start", back),
        ("new version after the store is back, down at a refresh (every 0.5 s)", swapped),
        ("the request that meets a silent store at a refresh (waits 2 s)", silent),
    ):
        print(f"| {name} | {milliseconds:.0f} | {milliseconds / healthy:.1f}× |")


def _first_answer(site: Site, *, down: bool) -> float:
    with site.reader() as process, httpx.Client(base_url=process.url, timeout=60) as client:
        if down:
            site.way.stop()
            assert _ask(client) == ""
            site.way.start()
        return _until(client, "")


def _swap_after_outage(site: Site, editions: list[Artifact]) -> float:
    """The versions at hand are published in turn: one that is not live is a new one."""
    with site.reader() as process, httpx.Client(base_url=process.url, timeout=60) as client:
        old = _ask(client)
        site.way.stop()
        for edition in editions[-2:]:
            if edition.manifest.version != old:
                site.publish(edition)
        time.sleep(1)
        assert _ask(client) == old
        site.way.start()
        return _until(client, old)


def _answer_while_silent(site: Site) -> float:
    with site.reader() as process, httpx.Client(base_url=process.url, timeout=60) as client:
        assert _ask(client)
        site.way.silence()
        time.sleep(0.6)
        began = time.perf_counter()
        assert _ask(client)
        took = (time.perf_counter() - began) * 1000
        site.way.heal()
        return took


def _until(client: httpx.Client, old: str) -> float:
    """Milliseconds until a question is answered from another version than ``old``."""
    began = time.perf_counter()
    for _ in range(1000):
        if _ask(client) not in {"", old}:
            return (time.perf_counter() - began) * 1000
        time.sleep(0.01)
    raise RuntimeError("it never recovered")


def _ask(client: httpx.Client) -> str:
    """The version that answers, empty where none does."""
    answer = client.get("/search", params={"q": "server"})
    return str(answer.json()["index_version"]) if answer.is_success else ""


def _median(values: Iterator[float]) -> float:
    return float(np.median(list(values)))


if __name__ == "__main__":
    main()
