"""``python -m eval.benchmark.suggestions``: suggestions from a generated wiki of 50,000 names.

Names are made as badly as they come: half of the titles begin with one word, and letters are as
unevenly spread as in a language. What a query takes is the median of its repetitions.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sqlite3
import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from build.index_writer import Compiled, write_index
from build.lemmas import Lemmas
from eval.benchmark.process import one_core
from index_artifacts.artifact import open_artifact
from index_artifacts.graph.model import KnowledgeGraph
from index_artifacts.index import Index
from index_artifacts.manifest import INDEX_FILE, MANIFEST_FILE, Manifest, Source
from index_artifacts.records import Chunk, Document, Section
from index_artifacts.suggestions import SuggestRequest, suggest
from index_artifacts.text import ANALYZER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TITLES, PEOPLE, KEYWORDS = 0.6, 0.15, 0.25
"""Shares of the names."""

_COMMON = "Projekt"
_LETTERS = "aaaaaaaabbcddeeeeeffghiiiiijkkkklllmmmnnnnnooooooppppprrrrrsssssssstttttuuuvvvzz"
_ROUNDS = 50
_QUERIES = {
    "one letter": [*dict.fromkeys(_LETTERS)],
    "two letters": ["sa", "pr", "to", "ne", "xy"],
    "the commonest word": ["projek", "projekt"],
    "the commonest word, then a letter": [f"projekt {letter}" for letter in "apsz"],
}


def main() -> None:
    """Write the wiki, ask it on one core, and print a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m eval.benchmark.suggestions")
    parser.add_argument("--names", type=int, default=50_000)
    parser.add_argument("--artifact", type=Path, help="ask this version instead")
    options = parser.parse_args()
    os.sched_setaffinity(0, one_core())
    with tempfile.TemporaryDirectory(prefix="edgewiki-suggestions-") as temporary:
        folder = options.artifact or write_artifact(Path(temporary), options.names)
        index = Index(open_artifact(folder))
        print("\n".join(_report(index, folder / INDEX_FILE)))


def write_artifact(folder: Path, names: int) -> Path:
    """Write a version whose pages have a line of text each and ``names`` different names."""
    documents = tuple(_documents(names))
    compiled = Compiled(
        collections=("wiki",), documents=documents, lemmas=Lemmas(),
        segments=((),) * len(documents), sentences=((),) * len(documents), sentence_rows=(),
        heading_rows=(None,) * len(documents), blocks=(), language_means={}, encoder="",
        graph=KnowledgeGraph((), ()),
    )  # fmt: skip
    counts = write_index(folder / INDEX_FILE, compiled)
    manifest = Manifest("generated", Source(), (), counts, {}, ANALYZER, {})
    (folder / MANIFEST_FILE).write_bytes(manifest.to_json())
    return folder


def _documents(names: int) -> Iterator[Document]:
    chance = random.Random(1)
    people = [f"{_word(chance)} {_word(chance)}" for _ in range(int(names * PEOPLE))]
    keywords = [f"{_word(chance)} {_word(chance)}".lower() for _ in range(int(names * KEYWORDS))]
    for number in range(int(names * TITLES)):
        begin = _COMMON if number % 2 else _word(chance)
        title = " ".join([begin, *(_word(chance).lower() for _ in range(chance.randint(1, 4)))])
        text = f"# {title}\n"
        yield Document(
            path=f"{number}.md", collection="wiki", title=title, language="sk", body=text,
            content_hash=str(number), authors=(people[number % len(people)],),
            tags=(keywords[number % len(keywords)], chance.choice(keywords)),
            sections=(Section(0, 1, (title,), 0, len(text), 1),),
            chunks=(Chunk(0, 0, text, 0, 0, len(text), 1, 1, 8),),
        )  # fmt: skip


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(_LETTERS, k=chance.randint(3, 9))).capitalize()


def _report(index: Index, file: Path) -> Iterator[str]:
    (names,) = index.connection.execute(
        "SELECT count(DISTINCT name_id) FROM suggestions"
    ).fetchone()
    own, whole = _sizes(file)
    yield f"# Suggestions from {names:,} names\n"
    yield f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, one core."
    yield f"Their tables are {own / 1e6:.1f} MB of {whole / 1e6:.1f} MB.\n"
    yield "| typed | queries | median ms | slowest query, ms |"
    yield "|---|---|---|---|"
    for typed, texts in {**_QUERIES, "a name's last word, then two letters": _pairs(index)}.items():
        times = [_milliseconds(index, text) for text in texts]
        yield f"| {typed} | {len(texts)} | {np.median(times):.2f} | {max(times):.2f} |"


def _pairs(index: Index) -> Sequence[str]:
    rows = index.connection.execute("SELECT name FROM suggestions ORDER BY id").fetchall()
    words = [name.split() for (name,) in rows[:: max(1, len(rows) // 40)]]
    return [f"{name[-1]} {name[0][:2]}" for name in words if len(name) > 1]


def _milliseconds(index: Index, text: str) -> float:
    times = []
    for _ in range(_ROUNDS):
        began = perf_counter()
        suggest(index, SuggestRequest(text))
        times.append((perf_counter() - began) * 1000)
    return float(np.median(times))


def _sizes(file: Path) -> tuple[int, int]:
    """Bytes of the tables that suggestions are made of, and of the whole file."""
    whole = file.stat().st_size
    with tempfile.TemporaryDirectory() as folder:
        copy = sqlite3.connect(Path(folder) / "copy.sqlite")
        source = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        source.backup(copy)
        source.close()
        tables = copy.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND "
            "(name LIKE 'suggestion%' OR name LIKE 'suggest\\_%' ESCAPE '\\' "
            "AND sql LIKE 'CREATE VIRTUAL%') ORDER BY name DESC"
        ).fetchall()
        for (table,) in tables:
            copy.execute(f"DROP TABLE {table}")
        copy.commit()
        copy.execute("VACUUM")
        copy.close()
        return whole - (Path(folder) / "copy.sqlite").stat().st_size, whole


if __name__ == "__main__":
    main()
