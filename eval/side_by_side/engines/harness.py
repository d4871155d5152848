"""``python harness.py NAME PHASE CONFIG``: run one phase of an engine, print a line of JSON.

The phases are ``import`` (how long does importing take?), ``index`` (write an index of the
exported chunks) and ``serve`` (open that index and answer every question). CONFIG is a JSON file:

| key | value |
|---|---|
| export | folder with chunks.jsonl, vectors.npy, questions.jsonl and queries.npy |
| index | folder that the engine writes to and reads from |
| language | two letters: the commonest one among the chunks |
| depth | how many chunks an answer holds at most |
| rounds | how often all questions are asked after the first time |
| seconds | a phase that takes longer is ended (SIGALRM): an engine may hang |
| options | what sets one contestant of an engine apart from another |

Only the standard library is imported here, so that importing an engine is timed as a whole.
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    Ranking = Sequence[int] | Sequence[str]
    """The chunks' places in chunks.jsonl, or their ids."""


class Engine(Protocol):
    """One engine. It is made with the config; ``takes_vectors`` decides what ``search`` gets.

    ``costs`` holds figures that only the engine itself can take, by name.
    """

    takes_vectors: bool
    costs: dict[str, float]

    def index(self, chunks: Sequence[dict[str, Any]]) -> None:
        """Write the index of ``chunks`` into the config's folder."""

    def open(self) -> None:
        """Make ready to answer."""

    def search(self, question: str, vector: Any) -> tuple[Ranking, dict[str, float]]:
        """Chunks, best first; and milliseconds that are not ranking, by name.

        ``vector`` has the shape (d,), or is None.
        """


def main() -> None:
    """Run the phase that the command line names."""
    name, phase, file = sys.argv[1:]
    config = json.loads(Path(file).read_text(encoding="utf-8"))
    signal.alarm(config["seconds"])
    started = time.perf_counter()
    module = importlib.import_module(f"{name}_engine")
    report: dict[str, Any] = {"import_ms": _since(started)}
    engine: Engine = module.Engine(config)
    if phase == "index":
        chunks = read_lines(Path(config["export"], "chunks.jsonl"))
        started = time.perf_counter()
        engine.index(chunks)
        report |= {"index_ms": _since(started), "costs": engine.costs}
    if phase == "serve":
        report |= _serve(engine, config)
    print(f"\n{json.dumps(report)}")


def _serve(engine: Engine, config: dict[str, Any]) -> dict[str, Any]:
    questions = [row["question"] for row in read_lines(Path(config["export"], "questions.jsonl"))]
    started = time.perf_counter()
    engine.open()
    opened = _since(started)
    queries = _queries(engine, config, len(questions))
    # The first round finds the rankings and warms up, the others only take the time.
    first, ranking, encoder = _ask_all(engine, questions, queries)
    rounds = [_ask_all(engine, questions, queries) for _ in range(config["rounds"])]
    return {
        "open_ms": opened,
        "first_ms": ranking[0] + encoder[0],
        # What else runs on the machine can only add to a time: the best round is the truest.
        "ranking_ms": [min(times) for times in zip(*(r[1] for r in rounds), strict=True)],
        "encoder_ms": [min(times) for times in zip(*(r[2] for r in rounds), strict=True)],
        "rankings": first,
        "peak_mb": peak_mb(),
        "costs": engine.costs,
    }


def _ask_all(
    engine: Engine, questions: Sequence[str], queries: Sequence[Any]
) -> tuple[list[Ranking], list[float], list[float]]:
    rankings, ranking_ms, encoder_ms = [], [], []
    for question, vector in zip(questions, queries, strict=True):
        started = time.perf_counter()
        found, aside = engine.search(question, vector)
        elapsed = _since(started)
        rankings.append(found)
        ranking_ms.append(elapsed - sum(aside.values()))
        encoder_ms.append(aside.get("encoder", 0.0))
    return rankings, ranking_ms, encoder_ms


def _queries(engine: Engine, config: dict[str, Any], count: int) -> Sequence[Any]:
    """The vector of each question, as rows; None for each where the engine takes none."""
    if not engine.takes_vectors:
        return [None] * count
    import numpy as np

    return list(np.load(Path(config["export"], "queries.npy")))


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def peak_mb() -> float:
    """The most resident memory this process has had."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
