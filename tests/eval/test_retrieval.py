"""The retrieval runner over a tiny wiki that is compiled for real."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from eval.golden_check import check_against
from eval.golden_set import load_golden
from eval.outcomes import RetrievalRun
from eval.retrieval import measure
from eval.summary import compare, failures, summarise
from eval.systems import ALL_SYSTEMS
from index_artifacts.errors import ConfigError
from index_artifacts.search import Searcher, SearchResult
from tests.eval.golden_files import ACCOUNT, BASIL, MOON, PORT, QUESTIONS, write_golden
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from pathlib import Path

    from eval.golden_set import GoldenSet
    from index_artifacts.search import SearchRequest


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return open_searcher(build(tmp_path_factory.mktemp("tiny")))


@pytest.fixture
def golden(tmp_path: Path) -> GoldenSet:
    return load_golden(write_golden(tmp_path / "golden"))


@pytest.fixture
def run(tiny: Searcher, golden: GoldenSet) -> RetrievalRun:
    return measure(tiny, golden, ALL_SYSTEMS)


def test_a_set_that_fits_the_version_passes(tiny: Searcher, golden: GoldenSet) -> None:
    check_against(golden, tiny.index)


def test_everything_that_does_not_fit_is_named_at_once(tiny: Searcher, tmp_path: Path) -> None:
    rows = [
        {**PORT, "id": "a", "gold_doc": "cellar.md"},
        {**PORT, "id": "b", "gold_heading": "Attic"},
        {**PORT, "id": "c", "gold_text": "The server listens to music"},
        # the text is on the page, but not in the gold section
        {**PORT, "id": "d", "gold_heading": "Access"},
        PORT,
    ]
    with pytest.raises(ConfigError, match="4 problems") as error:
        check_against(load_golden(write_golden(tmp_path, rows)), tiny.index)
    assert str(error.value).splitlines()[1:] == [
        "  a: page 'cellar.md' is not in the version",
        "  b: page 'server.md' has no heading 'Attic' with a text",
        "  c: the text 'The server listens to music' is not in server.md",
        "  d: the text 'The server listens\\n on port 8080' is not in server.md",
    ]


def test_of_very_many_problems_twenty_are_listed(tiny: Searcher, tmp_path: Path) -> None:
    rows = [{**PORT, "id": str(number), "gold_doc": "cellar.md"} for number in range(25)]
    with pytest.raises(ConfigError) as error:
        check_against(load_golden(write_golden(tmp_path, rows)), tiny.index)
    assert str(error.value).splitlines()[-1] == "  and 5 more"


def test_a_run_has_an_outcome_for_each_answered_question_and_system(run: RetrievalRun) -> None:
    pairs = {(outcome.question, outcome.system) for outcome in run.outcomes}
    assert pairs == {(row["id"], name) for row in (PORT, ACCOUNT, BASIL) for name in ALL_SYSTEMS}
    assert run.left_out == 1  # nobody knows how far the moon is


def test_pages_and_sections_are_ranked_apart(run: RetrievalRun) -> None:
    (account,) = (o for o in run.outcomes if (o.question, o.system) == ("account", "lexical"))
    assert (account.pages, account.sections) == ((1,), (1,))
    (basil,) = (o for o in run.outcomes if (o.question, o.system) == ("basil", "vector"))
    assert basil.pages[0] == 1
    # The page about printers is there as well, after the garden.
    assert basil.pages[1] in {2, 3}


def test_a_leg_alone_ranks_by_nothing_else(run: RetrievalRun) -> None:
    misses = {name: failures(run, name) for name in ("lemma", "trigram")}
    for leg, found in misses.items():
        other = {"lemma": "trigram", "trigram": "lemma"}[leg]
        for _, outcome in found:
            scores = [getattr(hit, leg) for hit in outcome.above]
            assert scores == sorted(scores, reverse=True), other
            assert all(score > 0 for score in scores)


def test_a_failure_says_what_ranked_above_the_gold_and_why(tiny: Searcher, tmp_path: Path) -> None:
    # A wrong label: the question's words are in the server's page alone.
    wrong = {**PORT, "gold_doc": "printer.md", "gold_heading": None, "gold_text": None}
    golden = load_golden(write_golden(tmp_path, [wrong]))
    run = measure(tiny, golden, ["hybrid", "lemma"])
    ((asked, outcome),) = failures(run, "hybrid")
    assert asked.gold == ("printer.md",)
    assert outcome.gold is not None
    assert outcome.gold.rank == outcome.best == len(outcome.above) + 1
    first = outcome.above[0]
    assert (first.rank, first.page) == (1, "server.md")
    assert first.lemma
    assert first.trigram
    assert first.cosine is not None
    assert first.score > outcome.gold.score
    ((_, unfound),) = failures(run, "lemma")
    assert unfound.best is None
    assert unfound.gold is None
    assert unfound.above[0].page == "server.md"


def test_groups_are_languages_and_kinds(run: RetrievalRun) -> None:
    rows = [row for row in summarise(run) if row.system == "hybrid" and row.level == "page"]
    assert {row.group: row.questions for row in rows} == {
        "all": 3, "kind fact": 1, "kind short": 2, "lang en": 3,
    }  # fmt: skip
    assert rows[0].metrics["hit@1"].mean == 1


def test_a_run_survives_being_written_down(run: RetrievalRun) -> None:
    assert RetrievalRun.from_json(run.to_json()) == run
    with pytest.raises(ConfigError, match=r"old\.json is not a run"):
        RetrievalRun.from_json('{"format": "something"}', "old.json")


class Counting(Searcher):
    """Counts what it is asked and dies when told to."""

    asked = 0
    dies_after = 10_000

    def search(self, request: SearchRequest) -> SearchResult:
        if self.asked == self.dies_after:
            raise KeyboardInterrupt
        self.asked += 1
        return super().search(request)


def counting(tiny: Searcher, dies_after: int = 10_000) -> Counting:
    searcher = Counting(tiny.index, tiny._encoder)
    searcher.dies_after = dies_after
    return searcher


def test_a_killed_run_goes_on_where_it_stopped(
    tiny: Searcher, golden: GoldenSet, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    systems = ["hybrid", "lexical"]
    with pytest.raises(KeyboardInterrupt):
        measure(counting(tiny, 3), golden, systems, checkpoint=kept)
    with kept.open("a") as file:
        file.write('{"stamp": "cut off by the ki')
    second = counting(tiny)
    resumed = measure(second, golden, systems, checkpoint=kept)
    assert second.asked == 3
    untimed = [replace(outcome, milliseconds=0) for outcome in resumed.outcomes]
    whole = measure(tiny, golden, systems).outcomes
    assert untimed == [replace(outcome, milliseconds=0) for outcome in whole]
    assert all(json.loads(line) for line in kept.read_text().splitlines())


def test_other_weights_are_asked_anew(tiny: Searcher, golden: GoldenSet, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    measure(tiny, golden, ["lexical"], checkpoint=kept)
    other = counting(tiny)
    other.tuning = replace(tiny.tuning, lemma_weight=0.0)
    measure(other, golden, ["lexical"], checkpoint=kept)
    assert other.asked == 3


def test_two_runs_are_paired_by_question(run: RetrievalRun) -> None:
    better = {row.metrics["hit@1"].mean for row in compare(run, run)}
    assert better == {0.0}
    worse = replace(
        run,
        outcomes=tuple(replace(o, pages=(None,)) for o in run.outcomes if o.question == "port"),
    )
    row = next(row for row in compare(run, worse) if (row.level, row.system) == ("page", "hybrid"))
    assert row.questions == 1
    assert row.metrics["hit@1"].mean == 1
    with pytest.raises(ConfigError, match="share no system or no question"):
        compare(run, replace(run, systems=("unheard-of",)))


@pytest.mark.parametrize("names", [["hybrid-sum"], ["bm25"], ["flat", "flat"], []])
def test_an_unknown_or_repeated_system_is_refused(
    tiny: Searcher, golden: GoldenSet, names: list[str]
) -> None:
    with pytest.raises(ConfigError, match="system"):
        measure(tiny, golden, names)


def test_a_set_without_answers_has_nothing_to_rank(tiny: Searcher, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to rank"):
        measure(tiny, load_golden(write_golden(tmp_path, [MOON])), ["lexical"])


def test_progress_ends_with_the_last_question(tiny: Searcher, golden: GoldenSet) -> None:
    seen: list[tuple[str, int, int]] = []
    measure(tiny, golden, ["lexical"], progress=lambda *step: seen.append(step))
    answered = len(QUESTIONS) - 1
    assert seen[0] == ("asking", 0, answered)
    assert seen[-1] == ("asking", answered, answered)
