"""Fitting weights and calibration, on figures made up here and on tiny wikis built for real."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

from build.config import load_config
from build.tuning import read_tuning
from eval.command import app
from eval.golden_set import load_golden
from eval.hidden_pages import folds
from eval.tune import far_questions, tune
from eval.tune_calibration import ANSWERABLE, FAR, NEAR, Sample, auroc, fit_calibration
from eval.tune_weights import Case, fit_weights, mean_reciprocal_rank
from index_artifacts.errors import ConfigError
from index_artifacts.evidence import Evidence
from index_artifacts.legs import Legs
from index_artifacts.tuning import Tuning
from tests.tiny_wiki import PAGES, build, write_pages

if TYPE_CHECKING:
    from pathlib import Path

    from eval.golden_set import GoldenSet

QUESTIONS = [
    {"id": "port", "question": "Which port does the server listen on?", "gold_doc": "server.md"},
    {"id": "toner", "question": "Who needs toner and paper?", "gold_doc": "printer.md"},
    {"id": "basil", "question": "Where do tomatoes and basil grow?", "gold_doc": "garden.md"},
]


def golden_set(folder: Path, questions: list[dict[str, Any]] | None = None) -> GoldenSet:
    write_pages(folder / "wiki", PAGES)
    settings = '[model]\nkind = "cooccurrence"\n[wiki]\nlanguages = ["en"]\n'
    (folder / "wiki" / "edgewiki.toml").write_text(settings)
    lines = [json.dumps({"lang": "en", **q}) for q in questions or QUESTIONS]
    (folder / "questions.jsonl").write_text("\n".join(lines))
    return load_golden(folder, "dev")


def case(lemma: list[float], cosine: list[float], gold: int) -> Case:
    count = len(lemma)
    legs = Legs(np.array(lemma, "f4"), np.array(lemma, "f4"), np.array(cosine, "f4"), whole=1.0)
    same = np.ones(count, dtype=bool)
    return Case(legs, same, ~same, np.arange(count), frozenset({gold}))


def test_the_reciprocal_rank_counts_different_targets() -> None:
    asked = case([1.0, 0.9, 0.8], [0.8, 0.8, 0.8], gold=2)
    assert asked.reciprocal_rank(Tuning()) == pytest.approx(1 / 3)
    repeated = replace(asked, targets=np.array([0, 0, 1]), gold=frozenset({1}))
    assert repeated.reciprocal_rank(Tuning()) == pytest.approx(1 / 2)
    assert replace(asked, gold=frozenset({7})).reciprocal_rank(Tuning()) == 0.0


def test_weights_climb_to_what_ranks_the_gold_first() -> None:
    start = Tuning(lemma_weight=0.04, trigram_weight=0.03)
    # The words are right and the meaning is not, by a little.
    cases = {"one": [case([1.0, 0.2], [0.80, 0.81], gold=0) for _ in range(4)]}
    assert mean_reciprocal_rank(cases, start) == pytest.approx(0.5)
    fitted = fit_weights(cases, start)
    assert mean_reciprocal_rank(cases, fitted) == 1.0
    assert fitted.lemma_weight > start.lemma_weight
    assert fitted.cosine_slope == start.cosine_slope


def test_sets_weigh_the_same_however_many_questions_they_have() -> None:
    good, bad = case([1.0, 0.0], [0.9, 0.8], gold=0), case([1.0, 0.0], [0.9, 0.8], gold=1)
    cases = {"long": [good] * 9, "short": [bad]}
    assert mean_reciprocal_rank(cases, Tuning()) == pytest.approx(0.75)


def test_auroc_counts_pairs_and_ties_by_half() -> None:
    positive, negative = np.array([0.9, 0.5, 0.5]), np.array([0.5, 0.1])
    assert auroc(positive, negative) == pytest.approx((2 + 1.5 + 1.5) / 6)


def samples(seed: int = 0) -> list[Sample]:
    random = np.random.default_rng(seed)
    made = []
    for golden in ("one", "two"):
        for sort, mean in ((ANSWERABLE, 0.9), (FAR, 0.8), (NEAR, 0.84)):
            for _ in range(60):
                cosine = float(random.normal(mean, 0.02))
                figures = (cosine, cosine - 0.78, (cosine - 0.7) * 3, (cosine - 0.7) * 4)
                made.append(Sample(golden, sort, Evidence(*figures, across=False)))
    return made


def test_the_calibration_tells_sorts_apart_and_keeps_its_promises() -> None:
    calibration = fit_calibration(samples(), "fingerprint")
    assert set(calibration.models) == {"hybrid", "vector", "lexical"}
    assert calibration.models["lexical"].encoder == ""
    for model in calibration.models.values():
        assert model.low <= model.high
        assert model.errors["answerable_none"] <= 0.03
        assert model.errors["far_answer"] <= 0.06
        assert model.errors["auroc_far"] > model.errors["auroc_near"] > 0.85
    sure = Evidence(0.95, 0.17, 0.75, 1.0, across=False)
    assert calibration.judge(sure).outcome == "answer"
    assert calibration.judge(Evidence(0.75, 0.0, 0.1, 0.1, across=False)).outcome == "none"


def test_questions_across_languages_teach_only_what_needs_no_words() -> None:
    across = [replace(s, evidence=replace(s.evidence, across=True)) for s in samples()]
    assert set(fit_calibration(across, "fingerprint").models) == {"vector"}


def test_hidden_pages_are_hidden_from_every_statistic(tmp_path: Path) -> None:
    golden = golden_set(tmp_path / "set")
    parts = folds(golden)
    assert sorted(page for part in parts for page in part.pages) == sorted(PAGES)
    assert sorted(q.id for part in parts for q in part.questions) == ["basil", "port", "toner"]
    (garden,) = (part for part in parts if part.pages == ("garden.md",))
    config = garden.hide(load_config(tmp_path / "set" / "wiki"))
    artifact = build(tmp_path / "built", exclude=config.exclude)
    assert artifact.manifest.counts["documents"] == 2
    assert b"tomatoes" not in artifact.index.read_bytes().lower()


@pytest.mark.parametrize("name", ["a b.md", "a[1].md", "#x.md", "!y.md", "w*?.md"])
def test_a_page_of_any_name_can_be_hidden(tmp_path: Path, name: str) -> None:
    golden = golden_set(tmp_path / "set")
    question = replace(golden.questions[0], gold_docs=(name,))
    (part,) = folds(replace(golden, questions=(question,)))
    config = part.hide(load_config(tmp_path / "set" / "wiki"))
    pages = {**PAGES, name: "# Odd\n\nA page with an odd name.\n", "ab.md": "# Plain\n\nText.\n"}
    counts = build(tmp_path / "built", pages, exclude=config.exclude).manifest.counts
    assert counts["documents"] == len(pages) - 1


def test_a_translation_of_the_wiki_asks_no_far_questions(tmp_path: Path) -> None:
    own = golden_set(tmp_path / "own")
    moon = [{"id": "moon", "question": "How far is the moon?", "gold_doc": "moon.md"}]
    translated = golden_set(tmp_path / "translated", [{**QUESTIONS[0], "lang": "en"}])
    other = golden_set(tmp_path / "other", moon)
    foreign = golden_set(tmp_path / "foreign", [{**moon[0], "lang": "ru"}])
    found = far_questions(own, [own, translated, other, foreign])
    assert "How far is the moon?" in found
    assert found.count("How far is the moon?") == 1
    assert QUESTIONS[0]["question"] not in found
    assert len(found) == 1 + 30  # and the questions of the language sample


def test_what_is_fitted_can_be_built_with(tmp_path: Path) -> None:
    one, two = golden_set(tmp_path / "one"), golden_set(tmp_path / "two", QUESTIONS[:2])
    said: list[str] = []
    done = tune([one, two], store=f"file://{tmp_path / 'store'}", say=said.append)
    file = tmp_path / "tuning.json"
    file.write_text(done.to_json())
    read = read_tuning(file)
    assert (read.tuning, read.calibration) == (done.tuning, done.calibration)
    assert set(done.ranking) == {"one", "two"}
    assert [row["questions"] for row in done.sets] == [3, 2]
    assert said[0] == "one: building"


def test_test_questions_and_empty_sets_are_refused(tmp_path: Path) -> None:
    lines = [{**QUESTIONS[0], "split": "test"}, {**QUESTIONS[1], "split": "dev"}]
    golden_set(tmp_path / "set", lines)
    with pytest.raises(ConfigError, match="set holds TEST questions"):
        tune([load_golden(tmp_path / "set", "all")])
    moon = {"id": "moon", "question": "how far is the moon", "should_answer": False}
    with pytest.raises(ConfigError, match="set has no question with an answer"):
        tune([golden_set(tmp_path / "set", [moon])])


def test_the_command_writes_a_file_and_shows_what_it_is_worth(tmp_path: Path) -> None:
    golden_set(tmp_path / "set")
    output = tmp_path / "out" / "tuning.json"
    arguments = [str(tmp_path / "set"), "--output", str(output), "--keep-weights"]
    result = CliRunner().invoke(
        app, ["tune", *arguments, "--store", f"file://{tmp_path / 'store'}"]
    )
    assert result.exit_code == 0, result.output
    assert read_tuning(output).tuning == Tuning()
    assert "MRR@10" in result.output
    assert "answerable" in result.output
