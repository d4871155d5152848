"""Cold start: a fresh process under Lambda's runtime client, an S3 server, an empty cache."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from build.publish import publish
from eval.benchmark.process import one_core, run
from eval.lambda_runtime import lambda_process
from eval.s3_server import running_s3_server

if TYPE_CHECKING:
    from eval.s3_server import S3Server
    from index_artifacts.artifact import Artifact

RUNS = 5
BUCKET = "benchmark"
BASELINE = "import fastapi, mangum"


@dataclass(frozen=True, slots=True)
class ColdStart:
    """Medians in milliseconds of one mode's first question in a fresh process.

    ``start`` is process and imports, ``first`` the first answer after that (download, verify,
    open, ask), ``second`` the next one; ``peak_mb`` is resident memory after both.
    """

    mode: str
    start: float
    first: float
    second: float
    peak_mb: float

    @property
    def total(self) -> float:
        """From nothing to the first answer."""
        return self.start + self.first


def measure_baseline() -> float:
    """Milliseconds that Python takes to import the web framework alone, on one core."""
    command = [sys.executable, "-c", BASELINE]
    return median(run(command, {}, one_core()).wall * 1000 for _ in range(RUNS))


def measure(artifact: Artifact, question: str) -> list[ColdStart]:
    """Publish the artifact to a real S3 server and start `RUNS` processes for each mode.

    The last one is the graph, a function of its own, where the artifact has one.
    """
    with tempfile.TemporaryDirectory() as folder, running_s3_server(Path(folder)) as server:
        client = server.client()
        client.create_bucket(Bucket=BUCKET)
        client.close()
        with server.store(BUCKET) as store:
            publish(artifact.folder, store)
        asked = [
            (mode, "search", _event("/search", {"query": question, "mode": mode}))
            for mode in ("lexical", "hybrid")
        ]
        if artifact.manifest.counts.get("entities"):
            asked.append(("graph", "graph", _event("/graph/search", {"query": question})))
        return [_measure_mode(server, *one) for one in asked]


def _measure_mode(server: S3Server, mode: str, function: str, event: dict[str, Any]) -> ColdStart:
    runs = [_one_start(server, function, event) for _ in range(RUNS)]
    start, first, second, peak = (median(values) for values in zip(*runs, strict=True))
    return ColdStart(mode, start, first, second, peak)


def _one_start(
    server: S3Server, name: str, event: dict[str, Any]
) -> tuple[float, float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        environ = {
            **server.environ("reader"),
            "EDGEWIKI_STORE": f"s3://{BUCKET}/wiki",
            "EDGEWIKI_CACHE_DIR": str(Path(folder) / "cache"),
            "EDGEWIKI_ALLOW_ANONYMOUS": "true",
        }
        began = time.perf_counter()
        handler = f"functions.{name}.handler.handler"
        with lambda_process(Path(folder), environ, handler, cores=one_core()) as function:
            function.wait_until_ready()
            ready = time.perf_counter()
            answer = function.invoke(event)
            answered = time.perf_counter()
            function.invoke(event)
            again = time.perf_counter()
            peak = _peak_mb(function.pid)
        if answer["statusCode"] != 200:
            raise RuntimeError(f"the function answered {answer}")
    seconds = (ready - began, answered - ready, again - answered)
    start, first, second = (value * 1000 for value in seconds)
    return start, first, second, peak


def _peak_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _event(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """An HTTP API event, payload version 2."""
    return {
        "version": "2.0",
        "routeKey": f"POST {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json", "host": "localhost"},
        "requestContext": {
            "accountId": "1",
            "apiId": "api",
            "domainName": "localhost",
            "http": {
                "method": "POST", "path": path, "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1", "userAgent": "benchmark",
            },
            "requestId": "1",
            "routeKey": f"POST {path}",
            "stage": "$default",
            "time": "01/Jan/2026:00:00:00 +0000",
            "timeEpoch": 1767225600000,
        },
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }  # fmt: skip
