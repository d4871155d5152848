"""Fitting the weights of fusion on DEV questions.

The legs' scores of each question are kept once, so that trying other weights asks nothing again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from index_artifacts.fusion import weighted_sum
from index_artifacts.legs import Legs
from index_artifacts.search import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval.golden_set import Question
    from index_artifacts.index import Ids, Index, Mask
    from index_artifacts.search import Searcher
    from index_artifacts.tuning import Tuning

    Cases = Mapping[str, Sequence["Case"]]
    """A name of a golden set → its cases."""

FITTED = (
    "lemma_weight", "trigram_weight", "weak_share", "strong_share",
    "cross_lemma_weight", "cross_trigram_weight", "cross_bonus",
)  # fmt: skip
"""The cosine slopes stay: only the ratio to them matters."""

_STEPS = (0.5, 0.7, 0.85, 1.2, 1.4, 2.0)
_ROUNDS = 3
# What a step has to win: less is the accident of one or two questions.
_LEAST = 0.0005
_DEPTH = 10
# A chunk that no leg has among its best is in no ranking that matters.
_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Case:
    """A question's candidates: what each leg says, and which page or section each of them is."""

    legs: Legs
    same_language: Mask
    evened: Mask
    targets: Ids
    gold: frozenset[int]

    def reciprocal_rank(self, tuning: Tuning) -> float:
        """1 / rank of the first gold target among different targets, 0 below the tenth."""
        fused = weighted_sum(self.legs, self.same_language, self.evened, tuning)
        seen: set[int] = set()
        for position in np.argsort(-fused, kind="stable"):
            target = int(self.targets[position])
            if target in self.gold:
                return 1 / (len(seen) + 1)
            seen.add(target)
            if len(seen) == _DEPTH:
                break
        return 0.0


def make_case(searcher: Searcher, question: Question) -> Case | None:
    """Ask the legs; None where nothing is found, or the gold is at no chunk."""
    found = searcher.find(SearchRequest(question.question))
    if found is None or found.legs.cosine is None:
        return None
    ids = _targets(searcher.index, sections=bool(question.gold_headings))
    gold = _gold(searcher.index, question, ids)
    chosen = np.unique(np.concatenate([_best(leg) for leg in found.legs.all if leg is not None]))
    lemma, trigram, cosine = (None if leg is None else leg[chosen] for leg in found.legs.all)
    legs = Legs(lemma, trigram, cosine, whole=found.legs.whole)
    same, evened = found.same_language[chosen], found.evened[chosen]
    return Case(legs, same, evened, ids[chosen], gold) if gold else None


def mean_reciprocal_rank(cases: Cases, tuning: Tuning) -> float:
    """The mean over sets of each set's MRR@10."""
    means = [np.mean([case.reciprocal_rank(tuning) for case in own]) for own in cases.values()]
    return float(np.mean(means))


def fit_weights(cases: Cases, start: Tuning) -> Tuning:
    """Climb from ``start``, a weight at a time, as long as the mean over sets gains."""
    best, score = start, mean_reciprocal_rank(cases, start)
    for _ in range(_ROUNDS):
        before = score
        for name in FITTED:
            for step in _STEPS:
                tried = replace(best, **{name: round(getattr(best, name) * step, 4)})
                if tried.weak_share >= tried.strong_share:
                    continue
                found = mean_reciprocal_rank(cases, tried)
                if found > score + _LEAST:
                    best, score = tried, found
        if score == before:
            break
    return best


def leave_one_out(cases: Cases, start: Tuning) -> dict[str, tuple[float, float]]:
    """Set → MRR@10 with ``start``, and with weights fitted on all the other sets."""
    found = {}
    for name, own in cases.items():
        others = {other: rest for other, rest in cases.items() if other != name}
        fitted = fit_weights(others, start) if others else start
        found[name] = (
            mean_reciprocal_rank({name: own}, start),
            mean_reciprocal_rank({name: own}, fitted),
        )
    return found


def _targets(index: Index, *, sections: bool) -> Ids:
    return index.chunk_section if sections else index.chunk_document


def _gold(index: Index, question: Question, ids: Ids) -> frozenset[int]:
    """The targets that answer: sections of one heading count as one, as in a retrieval run."""
    marks = ", ".join("?" * len(question.gold_docs))
    rows = index.connection.execute(
        "SELECT chunks.id - 1, documents.path, heading FROM chunks "
        "JOIN documents ON documents.id = chunks.document_id "
        f"JOIN sections ON sections.id = section_id WHERE documents.path IN ({marks})",
        question.gold_docs,
    )
    wanted = set(question.gold_sections)
    return frozenset(
        int(ids[position])
        for position, path, heading in rows
        if not wanted or (path, heading) in wanted
    )


def _best(leg: np.ndarray[tuple[int], np.dtype[np.float32]]) -> Ids:
    most = min(_CANDIDATES, len(leg))
    return np.asarray(np.argpartition(-leg, most - 1)[:most], dtype=np.int64)
