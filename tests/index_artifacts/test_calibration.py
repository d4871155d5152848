"""Judging evidence, by numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from index_artifacts.calibration import Calibration, Model, Verdict
from index_artifacts.errors import ConfigError
from index_artifacts.evidence import Evidence

MODEL = Model((2.0, 1.0), (0.8, 0.1), (0.1, 0.05), bias=0.5, low=0.3, high=0.7, encoder="e5")
VECTOR = Evidence(cosine=0.9, margin=0.2, coverage=None, share=None, across=False)


def test_confidence_is_logistic_in_the_standardised_figures() -> None:
    # 0.5 + 2·(0.9 - 0.8)/0.1 + 1·(0.2 - 0.1)/0.05
    verdict = Calibration({"vector": MODEL}).judge(VECTOR)
    assert verdict.outcome == "answer"
    assert verdict.confidence == pytest.approx(1 / (1 + math.exp(-4.5)))


@pytest.mark.parametrize(
    ("cosine", "outcome"), [(0.9, "answer"), (0.78, "low_confidence"), (0.7, "none")]
)
def test_two_thresholds_make_three_outcomes(cosine: float, outcome: str) -> None:
    evidence = replace(VECTOR, cosine=cosine, margin=0.1)
    assert Calibration({"vector": MODEL}).judge(evidence).outcome == outcome


def test_a_missing_figure_counts_as_the_mean() -> None:
    calibration = Calibration({"vector": MODEL})
    assert calibration.judge(replace(VECTOR, margin=None)) == calibration.judge(
        replace(VECTOR, margin=0.1)
    )


def test_what_no_model_fits_is_unknown() -> None:
    assert Calibration().judge(VECTOR) == Verdict("unknown", None)
    assert Calibration({"vector": MODEL}).fitting("another").judge(VECTOR).outcome == "unknown"
    assert Calibration({"vector": MODEL}).fitting("e5").judge(VECTOR).outcome == "answer"


@pytest.mark.parametrize(
    ("evidence", "kind"),
    [
        (Evidence(0.9, 0.1, 0.5, 0.6, across=False), "hybrid"),
        (Evidence(0.9, 0.1, 0.5, 0.6, across=True), "vector"),
        (Evidence(0.9, 0.1, None, None, across=False), "vector"),
        (Evidence(None, None, 0.5, 0.6, across=False), "lexical"),
    ],
)
def test_each_kind_of_evidence_has_a_model_of_its_own(evidence: Evidence, kind: str) -> None:
    assert evidence.kind == kind


def test_it_survives_a_manifest() -> None:
    calibration = Calibration({"vector": replace(MODEL, errors={"far_answer": 0.05})})
    assert Calibration.from_dict(calibration.to_dict()) == calibration


@pytest.mark.parametrize(
    "broken",
    [
        {"other": Calibration({"vector": MODEL}).to_dict()["vector"]},
        {"vector": {}},
        {"vector": []},
        {"vector": {**Calibration({"vector": MODEL}).to_dict()["vector"], "weights": [1.0]}},
        {"vector": {**Calibration({"vector": MODEL}).to_dict()["vector"], "spreads": [0, 1]}},
        {"vector": {**Calibration({"vector": MODEL}).to_dict()["vector"], "low": 0.9}},
        {"vector": {**Calibration({"vector": MODEL}).to_dict()["vector"], "more": 1}},
    ],
)
def test_another_form_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="the calibration is not one of this edgewiki"):
        Calibration.from_dict(broken)
