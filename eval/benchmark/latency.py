"""Warm latency of every mode, on one core, in the process that answers."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from eval.benchmark.process import one_core
from index_artifacts.encoders import open_encoder
from index_artifacts.index import Index
from index_artifacts.search import MODES, Searcher, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from index_artifacts.artifact import Artifact

QUESTIONS = 40
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class ModeLatency:
    """Milliseconds of one mode at three percentiles, and the median of each of its parts."""

    mode: str
    p50: float
    p95: float
    p99: float
    parts: dict[str, float]


def measure(artifact: Artifact, questions_file: Path | None) -> list[ModeLatency]:
    """Ask every question in every mode, `ROUNDS` times after a warm-up round."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, one_core())
    try:
        index = Index(artifact)
        encoder = open_encoder(artifact.model)
        searcher = Searcher(index, lambda: encoder)
        questions = _questions(index, questions_file)
        return [_measure_mode(searcher, mode, questions) for mode in MODES]
    finally:
        os.sched_setaffinity(0, before)


def _questions(index: Index, file: Path | None) -> list[str]:
    """The file's questions, else headings of the wiki: both evenly spread."""
    if file is not None:
        texts = [json.loads(line)["question"] for line in file.read_text().splitlines() if line]
    else:
        rows = index.connection.execute("SELECT DISTINCT heading FROM sections ORDER BY id")
        texts = [heading for (heading,) in rows if len(heading.split()) >= 2]
    return texts[:: max(1, len(texts) // QUESTIONS)][:QUESTIONS]


def _measure_mode(searcher: Searcher, mode: str, questions: Sequence[str]) -> ModeLatency:
    times: list[float] = []
    parts: dict[str, list[float]] = {}
    for number in range(ROUNDS + 1):
        for question in questions:
            started = perf_counter()
            result = searcher.search(SearchRequest(question, mode=mode))
            elapsed = (perf_counter() - started) * 1000
            if number == 0:
                continue  # the warm-up
            times.append(elapsed)
            for part, milliseconds in result.milliseconds.items():
                parts.setdefault(part, []).append(milliseconds)
    p50, p95, p99 = (float(value) for value in np.percentile(times, (50, 95, 99)))
    medians = {part: float(np.median(values)) for part, values in parts.items()}
    return ModeLatency(mode, p50, p95, p99, medians)
