"""Fitting how evidence is read."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

import edgewiki
from build.tuning import SHIPPED, read_tuning
from eval.tune_answers import Case, first_right, fit_ranking, fit_verdict
from index_artifacts.answers.reading import FIGURES, Ranking
from index_artifacts.calibration import ANSWER, NONE
from index_artifacts.evidence import KINDS, READING
from tests.eval.golden_files import BASIL, MOON, PORT, write_golden
from tests.tiny_wiki import PAGES, write_pages

if TYPE_CHECKING:
    from pathlib import Path

READ = len(KINDS[READING])


def case(*, right: int, answerable: bool = True, level: float = 1.0, golden: str = "a") -> Case:
    """Three units, of which the one at ``right`` has the highest cosine; ``level`` is read."""
    units = np.zeros((3, len(FIGURES)))
    units[:, FIGURES.index("cosine")] = [0.8, 0.7, 0.6]
    units[right, FIGURES.index("cosine")] = 0.9
    units[:, FIGURES.index("length")] = np.arange(3)
    wanted = np.arange(3) == right if answerable else np.zeros(3, dtype=bool)
    return Case(golden, answerable, units, wanted, (level, *[0.5] * (READ - 1)))


def test_units_that_hold_the_answer_come_first() -> None:
    cases = [case(right=n % 3) for n in range(12)]
    fitted = fit_ranking(cases)
    ranking = Ranking(*(tuple(fitted[key]) for key in ("weights", "means", "spreads")))
    assert first_right(cases, ranking, 1) == 1.0
    assert ranking.weights[FIGURES.index("cosine")] > 0
    backwards = Ranking(tuple(-w for w in ranking.weights), ranking.means, ranking.spreads)
    assert first_right(cases, backwards, 1) == 0.0


def test_questions_without_an_answer_teach_the_ranking_nothing() -> None:
    cases = [case(right=n % 3) for n in range(6)]
    with_others = [*cases, *(case(right=0, answerable=False) for _ in range(6))]
    assert fit_ranking(cases) == fit_ranking(with_others)


def test_the_verdict_tells_what_was_read_apart() -> None:
    yes = [case(right=0, level=0.7 + n / 100) for n in range(20)]
    no = [case(right=0, answerable=False, level=0.3 - n / 100) for n in range(20)]
    model = fit_verdict([*yes, *no], "fingerprint")
    assert {model.judge(c.figures).outcome for c in yes if c.figures} == {ANSWER}
    assert {model.judge(c.figures).outcome for c in no if c.figures} == {NONE}
    assert (model.encoder, model.errors["auroc"]) == ("fingerprint", 1.0)


def test_a_large_set_weighs_no_more_than_a_small_one() -> None:
    low = [case(right=0, level=0.2, golden="small")] * 2
    high = [case(right=0, level=0.9, golden="large")] * 200
    no = [case(right=0, answerable=False, level=0.1, golden="small")] * 2
    model = fit_verdict([*low, *high, *no], "")
    assert model.judge(low[0].figures or ()).outcome == ANSWER


def test_what_was_never_read_is_left_out() -> None:
    unread = Case("a", False, np.zeros((0, len(FIGURES))), np.zeros(0, dtype=bool), None)
    cases = [case(right=0, level=0.9), case(right=0, answerable=False, level=0.1), unread]
    assert fit_verdict(cases, "").errors["auroc"] == 1.0


def test_the_command_writes_both_files_and_keeps_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("EDGEWIKI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEWIKI_MODEL", "cooccurrence")
    monkeypatch.setenv("EDGEWIKI_STORE", f"file://{tmp_path / 'cache'}")
    golden = write_golden(tmp_path / "set", [PORT, BASIL, MOON, {**MOON, "id": "server moon",
                          "question": "How far is the moon from the server?"}])  # fmt: skip
    write_pages(golden / "wiki", PAGES)
    tuning, extraction = tmp_path / "tuning.json", tmp_path / "extraction.json"
    shutil.copy(SHIPPED, tuning)
    monkeypatch.setattr(
        "sys.argv",
        ["edgewiki", "eval", "tune-answers", str(golden), "--tuning", str(tuning),
         "--extraction", str(extraction)],
    )  # fmt: skip
    with pytest.raises(SystemExit) as ended:
        edgewiki.main()
    assert ended.value.code == 0
    assert json.loads(extraction.read_text())["figures"] == list(FIGURES)
    before, after = read_tuning(), read_tuning(tuning)
    assert after.tuning == before.tuning
    assert after.calibration.models.keys() >= {*before.calibration.models, READING}
    assert len(after.calibration.models[READING].weights) == READ
