"""Other engines beside edgewiki: what they are given, what they report, what is printed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from eval.golden_set import load_golden
from eval.retrieval import measure
from eval.side_by_side.__main__ import choose, compare, main
from eval.side_by_side.contestants import (
    BASELINE,
    CONTESTANTS,
    ENVIRONMENT,
    Served,
    parse_report,
    parse_served,
    serve,
)
from eval.side_by_side.export import Chunk, Export, export, mean_vectors
from eval.side_by_side.quality import judge
from eval.side_by_side.table import comparison
from eval.summary import ALL, summarise
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ConfigError
from index_artifacts.index import Index
from tests.eval.golden_files import ACCOUNT, PORT, write_golden
from tests.tiny_wiki import PAGES, build, open_searcher

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval.golden_set import GoldenSet
    from index_artifacts.artifact import Artifact

ROOT = Path(__file__).parent.parent.parent
OTHERS = ROOT / ENVIRONMENT
HIDDEN = "---\npublished: false\n---\n# Draft\n\nNobody has approved of this text about servers.\n"
OWN = tuple(contestant for contestant in CONTESTANTS if contestant.own)
FOREIGN = {contestant.engine: contestant for contestant in CONTESTANTS if not contestant.own}


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    pages = {**PAGES, "a-draft.md": HIDDEN}
    return build(tmp_path_factory.mktemp("tiny"), pages, publication="mark")


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> GoldenSet:
    return load_golden(write_golden(tmp_path_factory.mktemp("set") / "golden", [PORT, ACCOUNT]))


@pytest.fixture(scope="module")
def exported(
    artifact: Artifact, golden: GoldenSet, tmp_path_factory: pytest.TempPathFactory
) -> Export:
    folder = tmp_path_factory.mktemp("export")
    return export(Index(artifact), open_encoder(artifact.model), golden.questions, folder)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_published_chunks_are_exported_with_their_vectors(exported: Export) -> None:
    rows = lines(exported.folder / "chunks.jsonl")
    assert {row["page"] for row in rows} == set(PAGES)
    access = next(row for row in rows if row["heading"] == "Access")
    assert (access["title"], access["headings"]) == ("Server room", "Server room › Access")
    assert "Ask the administrator" in access["text"]
    vectors = np.load(exported.folder / "vectors.npy")
    assert vectors.dtype == np.float32
    assert len(vectors) == len(rows) == len(exported.chunks)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert exported.language == "en"


def test_a_question_is_nearest_to_the_chunk_that_answers_it(exported: Export) -> None:
    queries = np.load(exported.folder / "queries.npy")
    assert [row["question"] for row in lines(exported.folder / "questions.jsonl")] == [
        PORT["question"], ACCOUNT["question"],
    ]  # fmt: skip
    nearest = (np.load(exported.folder / "vectors.npy") @ queries.T).argmax(axis=0)
    assert [exported.chunks[place].heading for place in nearest] == ["Server room", "Access"]


def test_a_chunk_of_several_segments_gets_their_mean_direction() -> None:
    rows = np.array([[1, 0], [1, 0], [0, 1], [0, 0]], dtype=np.float32)
    half = np.sqrt(0.5)
    vectors = mean_vectors(rows, np.array([0, 1, 1, 2]))
    assert vectors.ravel().tolist() == pytest.approx([1, 0, half, half, 0, 0])


def test_a_report_is_the_last_line_whatever_a_library_has_printed() -> None:
    assert parse_report('loading…\n\n{"import_ms": 3}\n') == {"import_ms": 3}
    for output in ("", "all is well", "[1]"):
        with pytest.raises(RuntimeError, match="lancedb printed no report but"):
            parse_report(output, "lancedb")


REPORT: Mapping[str, Any] = {
    "rankings": [[1, 0], ["server.md#1"]],
    "ranking_ms": [1.0, 3.0],
    "encoder_ms": [8.0, 10.0],
    "import_ms": 100,
    "open_ms": 20,
    "first_ms": 3,
    "index_ms": 1500,
    "peak_mb": 90,
    "costs": {"encoder_open_ms": 50, "encoder_mb": 40},
}


def chunks_of(*places: tuple[str, str]) -> tuple[Chunk, ...]:
    return tuple(
        Chunk(f"{page}#{number}", page, "", heading, heading, "", "en")
        for number, (page, heading) in enumerate(places)
    )


CHUNKS = chunks_of(("server.md", "Server room"), ("server.md", "Access"), ("garden.md", "Garden"))
TWO = Export(Path(), CHUNKS)


def test_a_report_names_chunks_by_place_or_by_id() -> None:
    served = parse_served(OWN[0], REPORT, 2.5, TWO)
    assert served.rankings == ((1, 0), (1,))
    assert (served.cold_ms, served.index_mb) == (123, 2.5)


@pytest.mark.parametrize(
    "wrong", [{"rankings": [[3]]}, {"rankings": [["attic.md#0"]]}, {"peak_mb": ...}]
)
def test_a_report_that_does_not_fit_names_its_engine(wrong: dict[str, Any]) -> None:
    report = {key: value for key, value in {**REPORT, **wrong}.items() if value is not ...}
    with pytest.raises(RuntimeError, match="edgewiki hybrid: its report does not fit"):
        parse_served(OWN[0], report, 1, TWO)


def served(name: str, rankings: Sequence[Sequence[int]]) -> Served:
    contestant = next(one for one in CONTESTANTS if one.name == name)
    return parse_served(contestant, {**REPORT, "rankings": rankings}, 2.5, TWO)


def test_the_table_shows_quality_differences_costs_and_who_leads(golden: GoldenSet) -> None:
    # PORT is answered in Server room, ACCOUNT in Access, which are places 0 and 1
    runs = [served(BASELINE, [[0], [1]]), served("LanceDB, RRF", [[2, 0], [0, 1]])]
    runs.append(replace(served("tantivy", [[0], [0]]), costs={}))
    rankings = {run.contestant.name: run.rankings for run in runs}
    table = comparison("two", judge(rankings, BASELINE, CHUNKS, golden.questions), runs)
    rows = {line.split(" | ")[0].strip("| "): line for line in table.splitlines()}
    assert rows["edgewiki hybrid"] == (
        "| edgewiki hybrid | **1.000** | **1.000** | **1.000** | **1.000** | **1.000** | "
        "**1.000** | 2.0 / 2.9 | 11.0 / 12.8 | 90 | 2.5 | built | 100 | 123 |"
    )
    # the encoder's memory and opening are added to what needs a vector
    assert rows["LanceDB, RRF"].startswith("| LanceDB, RRF | 0.500 (-0.500) | **1.000** (+0.000)")
    assert rows["LanceDB, RRF"].endswith(
        "| 2.0 / 2.9 | 11.0 / 12.8 | 130 | 2.5 | 1.5 | 100 | 173 |"
    )
    assert rows["tantivy"].endswith("| 2.0 / 2.9 | no vector | 90 | 2.5 | 1.5 | 100 | 123 |")
    assert "- page R@1: edgewiki hybrid and tantivy 1.000, before LanceDB, RRF 0.500 by" in table
    assert "- page R@10: edgewiki hybrid and LanceDB, RRF and tantivy 1.000, all equal" in table


def test_without_the_environment_one_sentence_says_how_to_create_it(
    artifact: Artifact, golden: GoldenSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--artifact", str(artifact.folder), "--golden", str(golden.path)]
    assert main([*arguments, "--environment", str(tmp_path / "none")]) == 2
    said = capsys.readouterr().err
    assert "create the environment with `make side-by-side-environment`" in said
    assert said.count("\n") == 1


def test_the_command_that_the_error_names_is_a_target_of_the_makefile() -> None:
    assert "\nside-by-side-environment:" in (ROOT / "Makefile").read_text()


def test_an_unknown_engine_is_refused_and_edgewiki_always_runs() -> None:
    with pytest.raises(ConfigError, match="engine 'grep' is unknown; use bm25s, cosine"):
        choose(["grep"])
    assert [contestant.name for contestant in choose(["tantivy"])] == [BASELINE, "tantivy"]


@pytest.mark.slow
def test_edgewiki_in_the_harness_ranks_as_it_does_anywhere_else(
    artifact: Artifact, tmp_path: Path
) -> None:
    # the quotes are on no page: such an answer says so, and is no failure of an engine
    quoting = {**PORT, "id": "quoted", "question": 'which port of the server is the "red one"'}
    golden = load_golden(write_golden(tmp_path / "golden", [PORT, ACCOUNT, quoting]))
    table = compare(artifact.folder, golden.path, "all", choose(["cosine"]), tmp_path)
    rows = summarise(measure(open_searcher(artifact), golden, ["hybrid"]))
    section = next(row for row in rows if row.level == "section" and row.group == ALL)
    cells = next(line for line in table.splitlines() if line.startswith("| edgewiki")).split("|")
    assert cells[5].strip(" *") == f"{section.metrics['hit@1'].mean:.3f}"
    assert "\n| cosine only | " in table


@pytest.mark.slow
@pytest.mark.skipif(
    not OTHERS.exists(),
    reason="0.5 GB of other engines, which `make side-by-side-environment` installs",
)
@pytest.mark.parametrize("engine", FOREIGN)
def test_another_engine_finds_what_was_asked_for(
    engine: str, artifact: Artifact, exported: Export
) -> None:
    run = serve(FOREIGN[engine], exported, artifact.folder, OTHERS)
    assert [exported.chunks[r[0]].heading for r in run.rankings] == ["Server room", "Access"]
    assert min(run.import_ms, run.index_ms, run.index_mb, run.peak_mb, *run.ranking_ms) > 0
