"""``python -m eval.benchmark.graph``: the knowledge graph of a wiki of 10,000 pages, on one core.

Measured are reading the pages, settling identities, the tables and the pickle; not reading files,
lemmas or embeddings. The peak is the whole process's, with all the pages in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from build.graph.extraction import extract_graph
from build.graph.pickling import dump_graph, to_networkx
from build.graph.profiles import load_profiles
from build.graph.tables import write_graph
from build.index_writer import Compiled
from build.lemmas import Lemmas
from build.report import Report
from eval.benchmark.department import department
from eval.benchmark.process import one_core, run

PROFILES = ("generic", "thesis")


def main() -> None:
    """Measure in a process of its own, and print a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmark.graph", description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.pages)))
        return
    command = [sys.executable, "-m", "eval.benchmark.graph", "--inside"]
    used = run([*command, "--pages", str(options.pages)], {"OMP_NUM_THREADS": "1"}, one_core())
    found = json.loads(used.output)
    print(f"# The knowledge graph of {options.pages:,} pages\n")
    print(f"Python {platform.python_version()}, {platform.machine()}, one core of "
          f"{len(os.sched_getaffinity(0))}.\n")  # fmt: skip
    print("| | |\n|---|---|")
    for name, value in found.items():
        print(f"| {name} | {value:,} |")
    print(f"| peak memory MB | {used.peak_mb:,.0f} |")


def measure(pages: int) -> dict[str, Any]:
    """Processor seconds of each step and the size of what it made.

    Nothing waits or runs beside it: on a core of its own these are the seconds of the clock.
    """
    documents = tuple(department(pages))
    profiles = load_profiles(PROFILES, Path())
    lemmas, seconds = Lemmas(), [time.process_time()]
    graph = extract_graph(documents, lemmas, profiles, Report())
    seconds.append(time.process_time())
    compiled = Compiled(
        collections=("wiki",), documents=documents, lemmas=lemmas, segments=(), sentences=(),
        sentence_rows=(), heading_rows=(), blocks=(), language_means={}, encoder="", graph=graph,
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="edgewiki-graph-") as folder:
        database = Database(str(Path(folder) / "graph.sqlite"))
        with database.conn:
            write_graph(database, compiled)
        database.close()
        size = (Path(folder) / "graph.sqlite").stat().st_size
    seconds.append(time.process_time())
    pickled = dump_graph(to_networkx(graph, {document.path: document for document in documents}))
    seconds.append(time.process_time())
    parts = [round(after - before, 2) for before, after in pairwise(seconds)]
    return {
        "entities": len(graph.entities),
        "relations": len(graph.relations),
        **dict(zip(("extraction s", "tables s", "pickle s"), parts, strict=True)),
        "together s": round(seconds[-1] - seconds[0], 2),
        "tables MB": round(size / 1e6, 1),
        "pickle MB": round(len(pickled) / 1e6, 1),
    }


if __name__ == "__main__":
    main()
