"""The robustness runner over a tiny wiki that is compiled for real."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from eval.golden_set import load_golden
from eval.perturbations import PERTURBATIONS
from eval.report import terminal
from eval.robustness import measure
from eval.robustness_report import first_broken, tables
from index_artifacts.errors import ConfigError
from tests.eval.golden_files import ACCOUNT, BASIL, MOON, PORT, write_golden
from tests.tiny_wiki import build, open_searcher

if TYPE_CHECKING:
    from pathlib import Path

    from eval.golden_set import GoldenSet
    from index_artifacts.search import Searcher

# Its page is found by its one long word alone, too short for two slips to be mended.
TONER = {"id": "toner", "question": "toner", "lang": "en", "gold_doc": "printer.md"}
# A language without a dictionary: reading a real one takes seconds.
OTHER = {
    "id": "tlh", "question": "nuqDaq the printer", "lang": "tlh", "gold_doc": "printer.md",
}  # fmt: skip


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return open_searcher(build(tmp_path_factory.mktemp("tiny")))


@pytest.fixture
def golden(tmp_path: Path) -> GoldenSet:
    return load_golden(write_golden(tmp_path, [PORT, ACCOUNT, BASIL, MOON, TONER, OTHER]))


def test_every_perturbation_and_severity_is_measured(tiny: Searcher, golden: GoldenSet) -> None:
    said: list[tuple[str, int, int]] = []
    run = measure(tiny, golden, progress=lambda *step: said.append(step))
    assert (run.questions, run.left_out) == (5, 1)
    conditions = {(drop.perturbation, drop.severity) for drop in run.drops}
    assert conditions == {
        (name, severity)
        for name, perturbation in PERTURBATIONS.items()
        for severity in range(1, len(perturbation.severities) + 1)
    }
    assert {drop.lang for drop in run.drops} == {"all", "en", "tlh"}
    assert said[0][0] == "clean" and said[-1] == ("done", 5 * (len(conditions) + 1), said[-1][2])
    for drop in run.drops:
        assert drop.difference.mean == pytest.approx(drop.perturbed - drop.clean)
        assert drop.difference.low <= drop.difference.mean <= drop.difference.high
        assert 0 <= drop.changed <= drop.asked <= 5
        assert drop.metric != "section@1" or drop.lang != "tlh"  # its question names no section
    json.dumps(run.to_dict(), allow_nan=False)


def test_the_same_seed_measures_the_same(tiny: Searcher, golden: GoldenSet) -> None:
    assert measure(tiny, golden, names=["typos"]) == measure(tiny, golden, names=["typos"])


def test_what_has_nothing_to_perturb_loses_nothing(tiny: Searcher, golden: GoldenSet) -> None:
    run = measure(tiny, golden, names=["diacritics"])
    assert not run.broken
    assert all(drop.changed == 0 and drop.difference.mean == 0 for drop in run.drops)


def test_a_question_that_breaks_is_told_with_what_was_asked_and_found(
    tiny: Searcher, golden: GoldenSet
) -> None:
    run = measure(tiny, golden, names=["typos"], mode="lexical", seed=1)
    toner = next(broken for broken in run.broken if broken.id == "toner")
    assert (toner.clean, toner.perturbed) == ("toner", "ntoer")
    assert (toner.gold, toner.found) == ("printer.md", "")
    drop = next(
        d for d in run.drops if d.severity == 4 and d.metric == "page@1" and d.lang == "all"
    )
    lost = sum(broken.severity == 4 for broken in run.broken)
    assert drop.clean - drop.perturbed == pytest.approx(lost / 5)


def test_corrections_are_told(tiny: Searcher, tmp_path: Path) -> None:
    slip = {**TONER, "question": "tomatoes and administrator"}
    golden = load_golden(write_golden(tmp_path, [slip]))
    made = [
        broken.corrections
        for seed in range(12)
        for broken in measure(tiny, golden, names=["typos"], seed=seed).broken
    ]
    assert all(better in {"tomatoes", "administrator"} for c in made for better in c.values())


def test_tables_show_drops_by_language_and_broken_questions(
    tiny: Searcher, golden: GoldenSet, capsys: pytest.CaptureFixture[str]
) -> None:
    run = measure(tiny, golden, names=["typos", "diacritics"], mode="lexical", seed=1)
    console = terminal()
    for table in tables(run):
        console.print(table)
    shown = capsys.readouterr().out
    assert "lexical: clean page@1" in shown
    assert ", tlh, lexical" in shown
    assert "2 in one word" in shown and "diacritics" not in shown
    assert "ntoer" in shown


def test_broken_questions_are_taken_from_every_condition_in_turn(
    tiny: Searcher, golden: GoldenSet
) -> None:
    broken = measure(tiny, golden, names=["typos"], mode="lexical", seed=1).broken
    one, two = (next(b for b in broken if b.severity == severity) for severity in (3, 4))
    assert first_broken([one, one, two], 2) == [one, two]


def test_what_cannot_be_measured_is_refused(tiny: Searcher, tmp_path: Path) -> None:
    golden = load_golden(write_golden(tmp_path, [MOON]))
    with pytest.raises(ConfigError, match="no question has an answer"):
        measure(tiny, golden)
    with pytest.raises(ConfigError, match="perturbation 'hiccups' is unknown; use diacritics"):
        measure(tiny, golden, names=["hiccups"])
