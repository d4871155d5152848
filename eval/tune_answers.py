"""Fitting how evidence is read: the ranking of units, and when they answer at all.

The ranking is a softmax over the units of a question, fitted to put those that hold its answer
first. The verdict is a logistic model on what is read where the question has an answer and where
it has none; its threshold is where most questions come out right.
"""

from __future__ import annotations

import math
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eval.answer_opening import build_golden
from eval.answer_set import expected_of
from eval.answer_text import holds
from eval.opening import open_searcher
from eval.tune_calibration import auroc, fit_logistic
from index_artifacts.answers.chat_model import Message
from index_artifacts.answers.follow_up import clean, complete
from index_artifacts.answers.pages_engine import HITS, PER_DOCUMENT
from index_artifacts.answers.reading import FIGURES, Ranking, read_evidence
from index_artifacts.answers.verdict import on_the_subject, reading_figures
from index_artifacts.artifact import open_artifact
from index_artifacts.rag.context import Budget
from index_artifacts.rag.profiles import Profile
from index_artifacts.search import SearchRequest
from index_artifacts.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from eval.golden_set import GoldenSet, Question
    from index_artifacts.answers.reading import Candidate, Reading
    from index_artifacts.calibration import Model
    from index_artifacts.search import Searcher

    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
    Column = np.ndarray[tuple[int], np.dtype[np.float64]]

_TOKENS = 12_000
_ROUNDS, _STEP, _RIDGE = 600, 0.6, 0.003
# An end of a unit of so many characters that stands in the gold passage is a part of it.
_PART = 40
# Of a figure that is always the same; four decimals are kept.
_LEAST_SPREAD = 1e-3


@dataclass(frozen=True, slots=True)
class Case:
    """One question: the figures of its units (units, `FIGURES`), which of them hold its answer,
    and the verdict's figures, None where no evidence is about what it names."""

    golden: str
    answerable: bool
    units: Matrix
    right: Column
    figures: tuple[float | None, ...] | None


def collect(golden: GoldenSet, say: Callable[[str], None]) -> list[Case]:
    """Build the set's wiki, its overlay included, and read the evidence for each question."""
    with tempfile.TemporaryDirectory(prefix="edgewiki-") as folder:
        artifact = Path(folder) / "artifact"
        build_golden(golden, artifact)
        searcher = open_searcher(open_artifact(artifact))
        say(f"{golden.name}: reading the evidence for {len(golden.questions)} questions")
        return [_case(searcher, golden.name, question) for question in golden.questions]


def fit_ranking(cases: Sequence[Case]) -> dict[str, Any]:
    """``extraction.json``: a softmax ranking; every set weighs the same."""
    teaching = [case for case in cases if case.right.any()]
    everything = np.vstack([case.units for case in teaching])
    means, spreads = everything.mean(axis=0), np.maximum(everything.std(axis=0), _LEAST_SPREAD)
    scaled = [(case.units - means) / spreads for case in teaching]
    shares = _shares(teaching)
    weights = np.zeros(len(FIGURES))
    for _ in range(_ROUNDS):
        slope = -_RIDGE * weights
        for units, case, share in zip(scaled, teaching, shares, strict=True):
            scores = units @ weights
            wanted = np.zeros(len(scores))
            wanted[case.right] = _softmax(scores[case.right])
            slope += share * (units.T @ (wanted - _softmax(scores)))
        weights += _STEP * slope
    rows = {"weights": weights, "means": means, "spreads": spreads}
    return {
        "figures": list(FIGURES),
        **{name: [round(float(v), 4) for v in row] for name, row in rows.items()},
    }


def fit_verdict(cases: Sequence[Case], encoder: str) -> Model:
    """The model of ``evidence.KINDS["reading"]``; its ``errors`` are on what it was fitted to."""
    read = [case for case in cases if case.figures is not None]
    raw = np.array([case.figures for case in read], dtype=float)
    wanted = np.array([float(case.answerable) for case in read])
    shares = _shares(read)
    model = fit_logistic(raw, wanted, shares, encoder)
    scores = np.array([_confidence(model, case) for case in read])
    threshold = _threshold(read, scores)
    found = replace(model, low=threshold, high=threshold)
    errors = {
        "answerable_none": _share(scores[wanted > 0] < threshold),
        "near_answer": _share(scores[wanted == 0] >= threshold),
        "auroc": round(auroc(scores[wanted > 0], scores[wanted == 0]), 4),
    }
    return replace(found, errors=errors)


def first_right(cases: Sequence[Case], ranking: Ranking, among: int) -> float:
    """The share of questions with a right unit among the ``among`` first."""
    teaching = [case for case in cases if case.right.any()]
    found = [
        case.right[np.argsort(-ranking.scores(case.units), kind="stable")][:among].any()
        for case in teaching
    ]
    return float(np.mean(found)) if found else 0.0


def _case(searcher: Searcher, name: str, question: Question) -> Case:
    history = [Message(role, content) for role, content in expected_of(question).history]
    asked = clean(complete(searcher.index, question.question, history))
    request = SearchRequest(asked, limit=HITS, max_per_document=PER_DOCUMENT)
    reading = read_evidence(searcher, request, Profile(), Budget(_TOKENS), doubtful=True)
    usable, _ = on_the_subject(reading)
    return Case(
        golden=name,
        answerable=question.should_answer,
        units=np.array([c.figures for c in reading.candidates]).reshape(-1, len(FIGURES)),
        right=np.array(list(_right(reading, question)), dtype=bool),
        figures=reading_figures(searcher, reading, usable) if usable else None,
    )


def _right(reading: Reading, question: Question) -> Iterator[bool]:
    for candidate in reading.candidates:
        on_page = candidate.source.passage.document.id in question.gold_docs
        yield question.should_answer and on_page and _answers(candidate, question)


def _answers(candidate: Candidate, question: Question) -> bool:
    text = candidate.unit.text
    facts = expected_of(question).facts
    if facts or not question.gold_text:
        spellings = [s for fact in facts for s in fact] or question.answers
        return any(holds(text, spelling) for spelling in spellings)
    unit, gold = _even(text), _even(question.gold_text)
    part = len(unit) > _PART and (unit[:_PART] in gold or unit[-_PART:] in gold)
    return bool(unit) and (unit in gold or gold in unit or part)


def _even(text: str) -> str:
    return re.sub(r"[\s*`_|]+", " ", fold(text)).strip()


def _shares(cases: Sequence[Case]) -> Column:
    """What each question weighs: sets, and in them both sorts of questions, weigh the same."""
    sorts = [(case.golden, case.answerable) for case in cases]
    shares = np.array([1 / sorts.count(sort) for sort in sorts])
    return np.asarray(shares / shares.sum())


def _threshold(cases: Sequence[Case], scores: Column) -> float:
    """Where most questions come out right, in the sets that have some without an answer."""
    mixed = {case.golden for case in cases if not case.answerable}
    inside = np.array([case.golden in mixed for case in cases])
    wanted = np.array([case.answerable for case in cases])[inside]
    cuts = np.unique(scores[inside])
    right = [((scores[inside] >= cut) == wanted).mean() for cut in cuts]
    # Rounded down, so that the score itself still passes.
    return math.floor(float(cuts[int(np.argmax(right))]) * 1e4) / 1e4


def _confidence(model: Model, case: Case) -> float:
    assert case.figures is not None  # the caller has left out what was not read
    return model.judge(case.figures).confidence or 0.0


def _softmax(scores: Column) -> Column:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())


def _share(hit: np.ndarray) -> float:
    return round(float(hit.mean()), 4) if len(hit) else 0.0
