"""Who is compared, in which environment each one runs, and what a run of it leaves behind."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import eval
from eval.benchmark.process import one_core, run
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval.side_by_side.export import Export

ENVIRONMENT = Path(".edgewiki/side-by-side")
CREATE = "make side-by-side-environment"
DEPTH = 50
ROUNDS = 2
_IMPORTS = 3

_HARNESS = Path(__file__).parent / "engines" / "harness.py"
_PROJECT = Path(eval.__file__ or ".").parent.parent

_SECONDS = 600

# One thread each, however a library counts its cores. Not LANCE_IO_THREADS: with a single one
# LanceDB waits for itself for ever while it indexes; the one core binds those threads as well.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS",
     "LANCE_CPU_THREADS", "EDGEWIKI_ENCODER_THREADS"), "1",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contestant:
    """An engine with its options; ``vectors`` where it needs the vector of a question.

    ``own`` runs under this project's Python, the others under the environment's.
    """

    name: str
    engine: str
    options: Mapping[str, Any] = field(default_factory=dict)
    vectors: bool = False
    own: bool = False


BASELINE = "edgewiki hybrid"
CONTESTANTS = (
    Contestant(BASELINE, "edgewiki", {"mode": "hybrid"}, vectors=True, own=True),
    Contestant("edgewiki lexical", "edgewiki", {"mode": "lexical"}, own=True),
    Contestant("cosine only", "cosine", vectors=True, own=True),
    Contestant("bm25s", "bm25s"),
    Contestant("bm25s, folded", "bm25s", {"fold": True}),
    Contestant("tantivy", "tantivy"),
    Contestant("LanceDB, RRF", "lancedb", {"reranker": "rrf"}, vectors=True),
    Contestant("LanceDB, linear", "lancedb", {"reranker": "linear"}, vectors=True),
)


@dataclass(frozen=True, slots=True)
class Served:
    """What a contestant did. Milliseconds on one core, by question where there are many.

    ``ranking_ms`` leaves the encoder out; ``rankings`` are places in the export. ``cold_ms`` is
    importing, opening and the first answer, for edgewiki with its encoder. ``index_ms`` and
    ``index_mb`` are of the index on disk, ``peak_mb`` is resident memory while answering.
    ``costs`` are the encoder's: ``encoder_open_ms``, ``encoder_mb``.
    """

    contestant: Contestant
    rankings: tuple[tuple[int, ...], ...]
    ranking_ms: tuple[float, ...]
    encoder_ms: tuple[float, ...]
    import_ms: float
    cold_ms: float
    index_ms: float
    index_mb: float
    peak_mb: float
    costs: Mapping[str, float]


def python_of(environment: Path) -> Path:
    """The environment's Python. Raises `ConfigError` where there is none."""
    python = environment / "bin" / "python"
    if not python.exists():
        raise ConfigError(
            f"{environment} is no environment of the other engines: "
            f"create the environment with `{CREATE}`"
        )
    return python


def serve(contestant: Contestant, export: Export, artifact: Path, environment: Path) -> Served:
    """Index the export and answer its questions, in processes of their own on one core.

    Raises `ConfigError` without the environment, `RuntimeError` where a process fails.
    """
    python = Path(sys.executable) if contestant.own else python_of(environment)
    with tempfile.TemporaryDirectory(prefix="edgewiki-side-by-side-") as folder:
        index = Path(folder, "index")
        index.mkdir()
        config = Path(folder, "config.json")
        config.write_text(json.dumps({
            "export": str(export.folder), "index": str(index), "language": export.language,
            "depth": DEPTH, "rounds": ROUNDS, "seconds": _SECONDS,
            "options": {**contestant.options, "artifact": str(artifact.resolve())},
        }), encoding="utf-8")  # fmt: skip
        command = [str(python), str(_HARNESS), contestant.engine]
        indexed = _run([*command, "index", str(config)])
        imports = [_run([*command, "import", str(config)])["import_ms"] for _ in range(_IMPORTS)]
        answers = _run([*command, "serve", str(config)])
        size = _size_mb(artifact / "index.sqlite" if contestant.engine == "edgewiki" else index)
    report = answers | {
        "import_ms": median(imports), "index_ms": indexed["index_ms"],
        "costs": indexed["costs"] | answers["costs"],
    }  # fmt: skip
    return parse_served(contestant, report, size, export)


def parse_served(
    contestant: Contestant, report: Mapping[str, Any], index_mb: float, export: Export
) -> Served:
    """Read the harness's report; raises `RuntimeError` that names what does not fit."""
    places = {chunk.id: place for place, chunk in enumerate(export.chunks)}
    try:
        rankings = tuple(
            tuple(places[chunk] if isinstance(chunk, str) else int(chunk) for chunk in ranking)
            for ranking in report["rankings"]
        )
        if any(not 0 <= place < len(places) for ranking in rankings for place in ranking):
            raise ValueError("a ranking holds a chunk that was not exported")
        return Served(
            contestant, rankings, tuple(report["ranking_ms"]), tuple(report["encoder_ms"]),
            import_ms=report["import_ms"],
            cold_ms=report["import_ms"] + report["open_ms"] + report["first_ms"],
            index_ms=report["index_ms"], index_mb=index_mb, peak_mb=report["peak_mb"],
            costs=dict(report["costs"]),
        )  # fmt: skip
    except (KeyError, ValueError, TypeError) as error:
        raise RuntimeError(f"{contestant.name}: its report does not fit: {error!r}") from error


def _run(command: Sequence[str]) -> dict[str, Any]:
    """The object on the last line of what the process printed: libraries may print, too."""
    # LanceDB would write two deprecation warnings of its own for every question.
    environ = _ONE_THREAD | {"PYTHONPATH": "", "LANCEDB_LOG": "error"}
    if command[2] == "edgewiki":
        environ["PYTHONPATH"] = str(_PROJECT)
    output = run(command, environ, one_core()).output
    return parse_report(output, " ".join(command))


def parse_report(output: str, name: str = "the engine") -> dict[str, Any]:
    """The JSON object on the last line of ``output``; raises `RuntimeError` where there is none."""
    last = output.rstrip().rpartition("\n")[2]
    try:
        report = json.loads(last)
    except ValueError:
        report = None
    if not isinstance(report, dict):
        raise RuntimeError(f"{name} printed no report but {last[:80]!r}")
    return report


def _size_mb(path: Path) -> float:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6
