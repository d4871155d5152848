"""``python -m eval.benchmark.scale``: a warm hybrid question to a wiki of any size.

A synthetic wiki is written as a build writes one, then asked by a fresh process on one core.
Times are compared with those of a small wiki of the same make, measured beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from eval.benchmark.process import one_core, run
from index_artifacts.artifact import Artifact, open_artifact
from index_artifacts.encoders import open_encoder
from index_artifacts.index import Index
from index_artifacts.manifest import INDEX_FILE, MANIFEST_FILE, Manifest, Source
from index_artifacts.search import Searcher, SearchRequest
from index_artifacts.semantic import SemanticLeg
from index_artifacts.text import ANALYZER
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eval.benchmark.synthetic import SyntheticWiki
    from index_artifacts.encoder import Encoder, Vectors

    Ids = np.ndarray[tuple[int, int], np.dtype[np.int64]]

MODEL = Path(__file__).parent.parent.parent / ".edgewiki" / "model"
SMALL = 5_000
QUESTIONS = 100
ROUNDS = 3
NEAREST = 10
# What the encoder reads for every question: pseudo-words would be cut into too many pieces.
_READ = "Na akom porte počúva server a kto ho má na starosti?"
_QUESTIONS_FILE = "questions.json"
_VECTORS_FILE = "questions.npz"


@dataclass(frozen=True, slots=True)
class Measured:
    """What asking one version cost: milliseconds, megabytes; ``recall`` is of the vector leg.

    ``cpu`` is processor time, which does not count waiting for a core that others use.
    ``parts`` holds the median and the 95th percentile of every part of an answer.
    """

    open_ms: float
    first_ms: float
    p50: float
    p95: float
    cpu_p50: float
    cpu_p95: float
    parts: dict[str, tuple[float, float]]
    peak_mb: float
    index_mb: float
    recall: float
    encoder: bool


def main() -> None:
    """Write both wikis, ask both, and print a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmark.scale", description=__doc__)
    parser.add_argument("--chunks", type=int, default=187_000, help="how large the wiki is")
    parser.add_argument("--keep", type=Path, help="write the artifacts here, or use those there")
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        print(json.dumps(asdict(measure(options.ask))))
        return
    with tempfile.TemporaryDirectory(prefix="edgewiki-scale-") as temporary:
        folder = options.keep or Path(temporary)
        found = {size: _in_own_process(folder, size) for size in (options.chunks, SMALL)}
    print("\n".join(_report(found)))


def _in_own_process(folder: Path, chunks: int) -> Measured:
    artifact = folder / f"chunks-{chunks}"
    if not (artifact / MANIFEST_FILE).exists():
        from eval.benchmark.synthetic import SyntheticWiki

        write_artifact(SyntheticWiki(chunks), artifact)
    command = [sys.executable, "-m", "eval.benchmark.scale", "--ask", str(artifact)]
    said = run(command, {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}, one_core())
    return Measured(**json.loads(said.output))


def write_artifact(wiki: SyntheticWiki, folder: Path) -> None:
    """Write the wiki through the build's own writer, with questions and what is nearest them."""
    from build.index_writer import write_index

    folder.mkdir(parents=True)
    texts, vectors = wiki.questions(QUESTIONS)
    (folder / _QUESTIONS_FILE).write_text(json.dumps(texts, ensure_ascii=False))
    np.savez(folder / _VECTORS_FILE, vectors=vectors, nearest=_nearest(wiki, vectors))
    counts = write_index(folder / INDEX_FILE, wiki.compiled())
    manifest = Manifest(
        version=f"synthetic-{wiki.chunks}",
        source=Source(),
        files=(),
        counts=counts,
        config={},
        analyzer=ANALYZER,
        encoder={},
        tuning=Tuning().to_dict(),
    )
    (folder / MANIFEST_FILE).write_bytes(manifest.to_json())


def _nearest(wiki: SyntheticWiki, questions: Vectors) -> Ids:
    """The chunks nearest each question by exact cosine, text or heading, best first."""
    heading = wiki.heading_of_chunk
    offset = Tuning().heading_offset
    best = []
    for question in questions:
        cosines = np.maximum(wiki.segments @ question, (wiki.headings @ question)[heading] - offset)
        best.append(np.argsort(-cosines, kind="stable")[:NEAREST])
    return np.array(best)


class StandInEncoder:
    """Answers each question with its synthetic vector, at the price of the real encoder."""

    kind = "synthetic"
    fingerprint = "synthetic"
    dimension = 384
    max_tokens = 512

    def __init__(self, real: Encoder | None) -> None:
        self.vector: Vectors = np.zeros((1, self.dimension), np.float32)
        self._real = real

    def count_tokens(self, text: str) -> int:
        """Tokens of what is read instead of ``text``."""
        return self._real.count_tokens(_READ) if self._real else len(text.split())

    def split(self, text: str, max_tokens: int) -> list[tuple[int, int]]:
        """Questions are short: one span."""
        del max_tokens
        return [(0, len(text))]

    def overhead(self) -> int:
        """As the real one."""
        return 5

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """The same vector for each."""
        return np.repeat(self.vector, len(texts), axis=0)

    def encode_query(self, text: str) -> Vectors:
        """The vector set beforehand."""
        del text
        if self._real:
            self._real.encode_query(_READ)
        return self.vector


def measure(folder: Path) -> Measured:
    """Ask every question, `ROUNDS` times after a warm-up round; runs in a process of its own."""
    texts = json.loads((folder / _QUESTIONS_FILE).read_text())
    with np.load(folder / _VECTORS_FILE) as stored:
        vectors, nearest = stored["vectors"], stored["nearest"]
    encoder = StandInEncoder(open_encoder(MODEL) if MODEL.exists() else None)
    artifact = open_artifact(folder)
    started = perf_counter()
    searcher = Searcher(Index(artifact), lambda: encoder)
    opened = perf_counter()
    times: list[float] = []
    cpu: list[float] = []
    parts: dict[str, list[float]] = {}
    for number in range(ROUNDS + 1):
        for text, vector in zip(texts, vectors, strict=True):
            encoder.vector = vector[None]
            begun, before = perf_counter(), process_time()
            result = searcher.search(SearchRequest(text))
            cpu.append((process_time() - before) * 1000)
            times.append((perf_counter() - begun) * 1000)
            if number:
                for part, milliseconds in result.milliseconds.items():
                    parts.setdefault(part, []).append(milliseconds)
    peak = _peak_mb()
    p50, p95 = _percentiles(times[len(texts) :])
    cpu_p50, cpu_p95 = _percentiles(cpu[len(texts) :])
    return Measured(
        open_ms=(opened - started) * 1000,
        first_ms=times[0],
        p50=p50,
        p95=p95,
        cpu_p50=cpu_p50,
        cpu_p95=cpu_p95,
        parts={name: _percentiles(values) for name, values in parts.items()},
        peak_mb=peak,
        index_mb=artifact.index.stat().st_size / 1e6,
        recall=_recall(artifact, vectors, nearest),
        encoder=MODEL.exists(),
    )


def _percentiles(values: Sequence[float]) -> tuple[float, float]:
    p50, p95 = np.percentile(values, (50, 95))
    return float(p50), float(p95)


def _peak_mb() -> float:
    """The most memory that this process has had resident."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _recall(artifact: Artifact, vectors: Vectors, nearest: Ids) -> float:
    """The share of the exactly nearest chunks among as many nearest of the vector leg."""
    index = Index(artifact)
    leg = SemanticLeg(index)
    tuning = Tuning()
    shares = []
    for vector, expected in zip(vectors, nearest, strict=True):
        (cosines,) = leg.cosines(
            index.collections, vector[None], tuning.heading_offset, tuning.sentence_share
        )
        best = np.argsort(-cosines, kind="stable")[: len(expected)]
        shares.append(len(np.intersect1d(best, expected)) / len(expected))
    return float(np.mean(shares))


def _report(found: dict[int, Measured]) -> Iterator[str]:
    (chunks, large), (small_chunks, small) = found.items()
    yield "# Scale: a warm hybrid question on one core\n"
    yield (
        f"Python {platform.python_version()}, {platform.machine()}, "
        f"{len(os.sched_getaffinity(0))} cores, the query encoder "
        f"{'runs' if large.encoder else 'does not run'}.\n"
    )
    yield f"| | {chunks:,} chunks | {small_chunks:,} chunks | ratio |"
    yield "|---|---|---|---|"
    rows: list[tuple[str, Any, Any, str]] = [
        ("p50 ms", large.p50, small.p50, ".1f"),
        ("p95 ms", large.p95, small.p95, ".1f"),
        ("p50 ms of processor", large.cpu_p50, small.cpu_p50, ".1f"),
        ("p95 ms of processor", large.cpu_p95, small.cpu_p95, ".1f"),
        ("open ms", large.open_ms, small.open_ms, ".0f"),
        ("first answer ms", large.first_ms, small.first_ms, ".0f"),
        ("peak memory MB", large.peak_mb, small.peak_mb, ".0f"),
        ("index MB", large.index_mb, small.index_mb, ".1f"),
        ("recall@10 of the vector leg", large.recall, small.recall, ".4f"),
    ]
    for number, name in enumerate(("p50", "p95")):
        rows += [
            (f"{part}, {name} ms", values[number], small.parts[part][number], ".1f")
            for part, values in large.parts.items()
        ]
    for name, one, other, form in rows:
        yield f"| {name} | {one:{form}} | {other:{form}} | {one / max(other, 1e-9):.1f}× |"


if __name__ == "__main__":
    main()
