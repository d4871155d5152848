"""From rankings of chunks to the project's own metrics, and the difference to edgewiki."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eval.metrics import METRICS, paired_differences, score
from eval.outcomes import LEVELS, PAGE
from eval.retrieval import ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval.golden_set import Question
    from eval.metrics import Difference, Values
    from eval.retrieval import Key
    from eval.side_by_side.export import Chunk

Rankings = tuple[tuple[int, ...], ...]
"""For each question the chunks' places in the export, best first."""


@dataclass(frozen=True, slots=True)
class Quality:
    """One level's metrics by name: means, and the paired differences to the baseline.

    ``lead`` is the difference of the best one to the second best, and who they are.
    """

    level: str
    questions: int
    means: Mapping[str, Mapping[str, float]]
    differences: Mapping[str, Mapping[str, Difference]]
    leads: Mapping[str, Lead]


@dataclass(frozen=True, slots=True)
class Lead:
    """``best`` (more than one where they are equal) before ``second`` by ``difference``."""

    best: tuple[str, ...]
    second: str
    difference: Difference | None


def judge(
    rankings: Mapping[str, Rankings],
    baseline: str,
    chunks: Sequence[Chunk],
    questions: Sequence[Question],
) -> list[Quality]:
    """A `Quality` for each level that has gold, of systems by name."""
    found = []
    for level in LEVELS:
        matrices = {
            name: _matrix(ranking, level, chunks, questions) for name, ranking in rankings.items()
        }
        if len(matrices[baseline]):
            found.append(_quality(level, matrices, baseline))
    return found


def _matrix(
    rankings: Rankings, level: str, chunks: Sequence[Chunk], questions: Sequence[Question]
) -> Values:
    """Shape (questions with gold at this level, metrics)."""
    rows = []
    for question, ranking in zip(questions, rankings, strict=True):
        if gold := _gold(question, level):
            keys = dict.fromkeys(_key(chunks[place], level) for place in ranking)
            rows.append(score(ranks(keys, gold)))
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(METRICS))


def _gold(question: Question, level: str) -> Sequence[Key]:
    return [(page,) for page in question.gold_docs] if level == PAGE else question.gold_sections


def _key(chunk: Chunk, level: str) -> Key:
    return (chunk.page,) if level == PAGE else (chunk.page, chunk.heading)


def _quality(level: str, matrices: Mapping[str, Values], baseline: str) -> Quality:
    means = {
        name: dict(zip(METRICS, matrix.mean(axis=0).tolist(), strict=True))
        for name, matrix in matrices.items()
    }
    differences = {
        name: _named(paired_differences(matrix, matrices[baseline]))
        for name, matrix in matrices.items()
        if name != baseline
    }
    leads = {metric: _lead(metric, means, matrices) for metric in METRICS}
    return Quality(level, len(matrices[baseline]), means, differences, leads)


def _lead(
    metric: str, means: Mapping[str, Mapping[str, float]], matrices: Mapping[str, Values]
) -> Lead:
    order = sorted(means, key=lambda name: -means[name][metric])
    best = tuple(name for name in order if means[name][metric] == means[order[0]][metric])
    if len(best) == len(order):
        return Lead(best, "", None)
    second = order[len(best)]
    difference = _named(paired_differences(matrices[best[0]], matrices[second]))[metric]
    return Lead(best, second, difference)


def _named(differences: Sequence[Difference]) -> dict[str, Difference]:
    return dict(zip(METRICS, differences, strict=True))
