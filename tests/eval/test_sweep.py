"""``edgewiki eval sweep``: which settings it tries, what it measures, and what it recommends."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner, Result

from eval.command import app
from eval.golden_set import load_golden
from eval.outcomes import Outcome, RetrievalRun
from eval.retrieval import measure
from eval.sweep import Cost, Measured, SetSweep, Target
from eval.sweep_settings import Setting, parse_factors, plan
from eval.sweep_summary import recommend, setting_rows
from index_artifacts.errors import ConfigError
from index_artifacts.index import Index
from index_artifacts.tuning import Tuning
from tests.eval.golden_files import ACCOUNT, BASIL, PORT, QUESTIONS, write_golden
from tests.tiny_wiki import PAGES, build, write_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

BASE = {"chunk_max_tokens": 450, "chunk_overlap_tokens": 70, **Tuning().to_dict()}
# Long enough for chunks of 16 tokens to differ from those of 40.
LONG = {**PAGES, "garden.md": PAGES["garden.md"] + "\nBasil likes the sun. It grows fast.\n" * 20}


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A golden set with its wiki, in the current folder."""
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_MODEL", "cooccurrence")
    monkeypatch.chdir(tmp_path)
    write_pages(Path("golden/wiki"), LONG)
    return write_golden(Path("golden"))


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["sweep", *(str(argument) for argument in arguments)])


def swept(*arguments: object) -> dict[str, Any]:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def names(settings: Sequence[Setting]) -> list[str]:
    return [setting.name for setting in settings]


def test_one_factor_at_a_time_around_the_default_those_of_one_build_together() -> None:
    settings = plan(parse_factors(["rrf_k", "chunk_max_tokens", "chunk_overlap_tokens=0,70"]), BASE)
    assert names(settings) == [
        "default",
        "rrf_k 5",
        "rrf_k 60",  # the default K, but another fusion than the default's
        "rrf_k 500",
        "chunk_max_tokens 80, chunk_overlap_tokens 40",  # half a chunk at most
        "chunk_max_tokens 180",
        "chunk_max_tokens 900",
        "chunk_overlap_tokens 0",
    ]
    assert [setting.system for setting in settings][:2] == ["hybrid", "hybrid-rrf"]


def test_a_grid_is_every_combination_once() -> None:
    factors = parse_factors(["chunk_max_tokens=80,450", "chunk_overlap_tokens=0,40,70"])
    assert names(plan(factors, BASE, grid=True)) == [
        "default",
        "chunk_max_tokens 80, chunk_overlap_tokens 0",
        "chunk_max_tokens 80, chunk_overlap_tokens 40",  # of 70 too
        "chunk_overlap_tokens 0",
        "chunk_overlap_tokens 40",
    ]


def test_a_grid_that_is_too_large_or_mixes_two_fusions_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"48 settings are more than 40: .*--max-settings"):
        plan(parse_factors([]), BASE, grid=True, most=40)
    factors = parse_factors(["rrf_k", "lemma_weight=0.1"])
    with pytest.raises(ConfigError, match="rrf_k and lemma_weight belong to two fusions"):
        plan(factors, BASE, grid=True)


@pytest.mark.parametrize(
    ("vary", "reason"),
    [
        (["lema_weight=1"], "lema_weight: unknown; there are chunk_max_tokens, .*lemma_weight"),
        (["lemma_weight"], "say its values"),
        (["lemma_weight=a,1"], "give numbers from 0"),
        (["candidates=1.5"], "give whole numbers"),
        (["lemma_weight=-1"], "give numbers from 0"),
        (["rrf_k", "rrf_k=1"], "given twice"),
    ],
)
def test_a_factor_that_makes_no_sense_is_refused(vary: list[str], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse_factors(vary)


def test_chunks_are_built_again_and_weights_are_not(golden: Path) -> None:
    vary = ("--vary", "chunk_max_tokens=16,40", "--vary", "lemma_weight=0,0.28")
    found = swept(golden, *vary, "--output", "out/sweep.json")
    rows = found["sets"][0]["rows"]
    assert [row["setting"] for row in rows] == [
        {},
        {"lemma_weight": 0.0},
        {"chunk_max_tokens": 16, "chunk_overlap_tokens": 8},
        {"chunk_max_tokens": 40, "chunk_overlap_tokens": 20},
    ]
    sizes = [row["index_bytes"] for row in rows]
    assert sizes[0] == sizes[1]
    assert rows[0]["vectors_computed"] > 0
    assert rows[2]["vectors_reused"] > 0  # sentences and headings are what they were
    for row in rows:  # 2 answerable DEV questions; gold is a page or section whatever the chunks
        assert set(row["levels"]) == {"page", "section"}
        assert row["build_seconds_empty_cache"] > 0
        assert row["p50_ms"] > 0
    assert rows[0]["levels"]["page"]["hit@1"]["difference"] == [0, 0, 0]
    assert json.loads(Path("out/sweep.json").read_text()) == found
    assert [path.name for path in Path("out").iterdir()] == ["sweep.json"]  # no checkpoint is left


def test_pages_and_sections_are_the_same_whatever_the_chunks(tmp_path: Path) -> None:
    def found(folder: Path, **sizes: int) -> tuple[int, set[tuple[str, str]]]:
        connection = Index(build(folder, LONG, **sizes)).connection
        rows = connection.execute(
            "SELECT documents.path, heading FROM chunks JOIN sections ON sections.id = section_id "
            "JOIN documents ON documents.id = chunks.document_id"
        ).fetchall()
        return len(rows), set(rows)

    small = {"chunk_max_tokens": 16, "chunk_overlap_tokens": 8, "chunk_min_tokens": 16}
    many, sections = found(tmp_path / "small", **small)
    few, same = found(tmp_path / "large")
    assert many > few
    assert sections == same


def test_a_weight_that_is_varied_is_the_one_that_is_asked_with(golden: Path) -> None:
    rows = swept(golden, "--vary", "lemma_weight=0", "--vary", "cosine_slope=0")["mean"]
    asked = {tuple(row["setting"]): row["levels"]["page"]["mrr@10"]["mean"][0] for row in rows}
    assert set(asked) == {(), ("lemma_weight",), ("cosine_slope",)}
    flat = swept(
        golden, "--grid", "--vary", "lemma_weight=0", "--vary", "trigram_weight=0",
        "--vary", "cosine_slope=0",
    )  # fmt: skip
    # With no leg left, pages stand in the order of their chunks: the garden's comes first.
    assert flat["mean"][1]["levels"]["page"]["mrr@10"]["mean"][0] < asked[()]


def test_a_killed_sweep_goes_on_where_it_stopped(
    golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def killed_at_the_third(*arguments: Any, **named: Any) -> RetrievalRun:
        asked.extend(arguments[2])
        if len(asked) == 3:
            raise KeyboardInterrupt
        return measure(*arguments, **named)

    monkeypatch.setattr("eval.sweep.measure", killed_at_the_third)
    sweep = (golden, "--vary", "rrf_k", "--output", "sweep.json")
    assert call(*sweep).exit_code != 0
    partial = Path("sweep.json.partial")
    with partial.open("a") as file:
        file.write('{"key": "torn')
    assert len(swept(*sweep)["mean"]) == 4
    assert asked == ["hybrid", "hybrid-rrf", "hybrid-rrf", "hybrid-rrf", "hybrid-rrf"]
    assert not partial.exists()


def test_what_a_changed_wiki_has_left_is_not_taken_up(golden: Path) -> None:
    target = Target(load_golden(golden))
    before = target.key(Setting())
    assert target.key(Setting((("rrf_k", 5.0),))) != before
    (golden / "wiki" / "garden.md").write_text("# Garden\n\nNothing grows.\n", encoding="utf-8")
    assert Target(load_golden(golden)).key(Setting()) != before


def test_an_artifact_is_asked_as_it_is(golden: Path, tmp_path: Path) -> None:
    artifact = build(tmp_path / "built", LONG)
    rows = swept(golden, "--artifact", artifact.folder, "--vary", "sentence_share=0")["mean"]
    assert [row["build_seconds"] for row in rows] == [None, None]
    refused = call(golden, "--artifact", artifact.folder, "--vary", "chunk_max_tokens")
    assert isinstance(refused.exception, ConfigError)
    assert "leave out --artifact" in str(refused.exception)


def test_a_chunk_size_that_a_build_refuses_is_refused_before_the_first_build(golden: Path) -> None:
    refused = call(golden, "--vary", "chunk_max_tokens=8", "--output", "sweep.json")
    assert isinstance(refused.exception, ConfigError)
    assert "chunk_max_tokens" in str(refused.exception)
    assert not Path("sweep.json.partial").exists()


def test_several_sets_are_averaged_and_a_test_set_is_looked_at(golden: Path) -> None:
    other = write_golden(Path("other"), [PORT, ACCOUNT, BASIL])
    write_pages(other / "wiki", LONG)
    shown = call(
        golden, other, "--vary", "common_share=1", "--split", "test", "--html", "out/page.html"
    )
    assert shown.exit_code == 0, shown.output
    assert "mean of 2 sets" in shown.stdout
    assert "the TEST split of other was looked at 1 times" in shown.stdout
    assert "Recommended: keep the default" in shown.stdout
    assert "Recommended: keep the default" in Path("out/page.html").read_text(encoding="utf-8")


def test_a_wiki_elsewhere_is_named_for_each_set(golden: Path, tmp_path: Path) -> None:
    wiki = write_pages(tmp_path / "elsewhere", LONG)
    alone = tmp_path / "alone"
    write_golden(alone, QUESTIONS)
    (alone / "wiki").rmdir()
    assert len(swept(alone, "--wiki", wiki, "--vary", "common_share=1")["mean"]) == 2
    refused = call(alone, golden, "--wiki", wiki)
    assert "--wiki is given 1 times for 2 golden sets" in str(refused.exception)


def test_sets_whose_defaults_differ_are_refused(golden: Path) -> None:
    other = write_golden(Path("other"))
    write_pages(other / "wiki", {**LONG, "edgewiki.toml": "[chunking]\nmax_tokens = 200\n"})
    refused = call(golden, other)
    assert "other has chunk_max_tokens 200, golden has 450" in str(refused.exception)


def made_up(golden: Path, ranks: dict[str, int], sizes: dict[str, int]) -> SetSweep:
    """A set of 40 questions in which a setting finds every gold page at the same rank."""
    found = load_golden(golden)
    measured = []
    for name, rank in ranks.items():
        setting = Setting(((name, 1.0),)) if name else Setting()
        outcomes = tuple(
            Outcome(str(number), setting.system, (rank,), (), 1.0, True) for number in range(40)
        )
        run = RetrievalRun("set", "", "dev", "v", (setting.system,), (), outcomes)
        measured.append(Measured(setting, Cost(sizes[name]), run))
    return SetSweep(found, tuple(measured))


@pytest.mark.parametrize(
    ("ranks", "sizes", "expected"),
    [
        # better is recommended, however large
        ({"": 2, "x": 1, "y": 3}, {"": 100, "x": 500, "y": 1}, "x"),
        # as good and smaller
        ({"": 1, "x": 1, "y": 2}, {"": 100, "x": 90, "y": 1}, "x"),
        # as good and hardly smaller, or smaller and worse
        ({"": 1, "x": 1, "y": 2}, {"": 100, "x": 99, "y": 1}, ""),
    ],
)
def test_the_cheapest_that_none_beats_is_recommended(
    golden: Path, ranks: dict[str, int], sizes: dict[str, int], expected: str
) -> None:
    found = recommend([made_up(golden, ranks, sizes)])
    assert dict(found.setting.changes) == ({expected: 1.0} if expected else {})
    assert ("keep the default" in found.sentence) == (not expected)


def test_build_time_is_reckoned_as_if_nothing_had_been_in_the_cache(golden: Path) -> None:
    sweep = made_up(golden, {"": 1, "chunk_max_tokens": 1}, {"": 1, "chunk_max_tokens": 1})
    costs = (
        Cost(1, 10.0, 8.0, 100, 0, 1000, 1000),  # 8 s for 1,000 characters
        Cost(1, 6.0, 4.0, 50, 50, 500, 1500),  # the same speed: 1,500 would take 12
    )
    priced = [replace(one, cost=cost) for one, cost in zip(sweep.measured, costs, strict=True)]
    rows = setting_rows([replace(sweep, measured=tuple(priced))])
    assert [(row.empty_seconds, row.estimated) for row in rows] == [(10.0, False), (14.0, True)]
    nothing_new = [replace(one, cost=Cost(1, 2.0, 0.0, 0, 100, 0, 1000)) for one in sweep.measured]
    rows = setting_rows([replace(sweep, measured=tuple(nothing_new))])
    assert [row.empty_seconds for row in rows] == [None, None]
