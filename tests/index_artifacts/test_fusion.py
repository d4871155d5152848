"""Fusing legs, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from index_artifacts.fusion import (
    best_first,
    lexical_strength,
    reciprocal_ranks,
    relative,
    weighted_sum,
)
from index_artifacts.legs import Legs
from index_artifacts.tuning import Tuning

if TYPE_CHECKING:
    from index_artifacts.postings import Scores

TUNING = Tuning(
    lemma_weight=0.5, trigram_weight=0.25, cosine_slope=4.0,
    cross_lemma_weight=0.1, cross_trigram_weight=0.2, cross_cosine_slope=2.0,
)  # fmt: skip
SAME = np.array([True, True, False])
NONE = np.array([False, False, False])


def scores(*values: float) -> Scores:
    return np.array(values, dtype=np.float32)


def test_each_lexical_leg_counts_relative_to_its_own_top() -> None:
    fused = weighted_sum(Legs(scores(8, 4, 2), scores(1, 2, 0)), SAME, NONE, TUNING)
    # 0.5·1 + 0.25·½, 0.5·½ + 0.25·1, and the other language: 0.1·¼
    assert fused == pytest.approx([0.625, 0.5, 0.025])


def test_a_cosine_costs_what_it_is_below_the_best() -> None:
    fused = weighted_sum(Legs(cosine=scores(0.90, 0.85, 0.80)), SAME, NONE, TUNING)
    assert fused == pytest.approx([0, -0.2, -0.2], abs=1e-6)


def test_all_legs_add_up() -> None:
    legs = Legs(scores(8, 4, 2), scores(1, 2, 0), scores(0.9, 0.85, 0.8), whole=2.0)
    assert weighted_sum(legs, SAME, NONE, TUNING) == pytest.approx([0.625, 0.3, -0.175], abs=1e-6)


def test_a_page_in_another_language_gets_a_bonus_beside_lexical_legs() -> None:
    legs = Legs(scores(8, 4, 2), scores(1, 2, 0), scores(0.9, 0.85, 0.8), whole=2.0)
    fused = weighted_sum(legs, SAME, ~SAME, replace(TUNING, cross_bonus=0.5))
    assert fused == pytest.approx([0.625, 0.3, 0.325], abs=1e-6)
    alone = weighted_sum(Legs(cosine=scores(0.9, 0.8, 0.7)), SAME, ~SAME, TUNING)
    assert alone == pytest.approx([0, -0.4, -0.4], abs=1e-6)


def test_a_leg_that_matched_nothing_adds_nothing() -> None:
    nothing = Legs(scores(0, 0, 0), scores(0, 0, 0))
    assert weighted_sum(nothing, SAME, NONE, TUNING) == pytest.approx([0, 0, 0])
    assert relative(scores()).shape == (0,)


def test_reciprocal_ranks_add_up_over_the_legs() -> None:
    fused = reciprocal_ranks([scores(9, 3, 0, 1), scores(0, 0.7, 0.8, 0)], [1.0, 0.5], k=60)
    expected = [1 / 61, 1 / 62 + 0.5 / 62, 0.5 / 61, 1 / 63]
    assert fused == pytest.approx(expected)


def test_a_chunk_that_a_leg_did_not_find_has_no_rank_in_it() -> None:
    assert reciprocal_ranks([scores(0, -1, 2)], [1.0], k=9) == pytest.approx([0, 0, 0.1])
    assert reciprocal_ranks([], [], k=60).shape == (0,)


def test_equal_scores_keep_the_order_of_the_chunks() -> None:
    found = best_first(scores(1, 3, 3, 2, 3), np.array([True] * 5), 3)
    assert found == [1, 2, 4]


def test_only_eligible_chunks_are_chosen() -> None:
    eligible = np.array([True, False, True, True])
    assert best_first(scores(1, 9, 3, 2), eligible, 2) == [2, 3]
    assert best_first(scores(1, 9, 3, 2), eligible, 50) == [2, 3, 0]
    assert best_first(scores(1, 9), np.array([False, False]), 5) == []


@pytest.mark.parametrize(
    ("share", "strength"), [(0.0, 0.0), (0.3, 0.0), (0.5, 0.5), (0.7, 1.0), (1.4, 1.0)]
)
def test_a_poor_lexical_match_counts_less(share: float, strength: float) -> None:
    tuning = replace(TUNING, weak_share=0.3, strong_share=0.7)
    assert lexical_strength(share, tuning) == pytest.approx(strength)
    legs = Legs(scores(8, 4, 2), scores(share, 0, 0), scores(0.9, 0.9, 0.9), whole=1.0)
    fused = weighted_sum(legs, SAME, NONE, replace(tuning, trigram_weight=0.0))
    expected = [0.5 * strength, 0.25 * strength, 0.025 * strength]
    assert fused == pytest.approx(expected, abs=1e-6)
    assert lexical_strength(0.1, replace(TUNING, weak_share=0.5, strong_share=0.5)) == 1.0
