"""Metrics against numbers worked out by hand, intervals against the theory."""

from __future__ import annotations

import numpy as np
import pytest

from eval.metrics import METRICS, Ranks, intervals, paired_differences, score


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        # one gold item first: everything is one
        ((1,), (1, 1, 1, 1, 1, 1, 1)),
        # one gold item third: 1/3, and 1/log2(4) = 1/2
        ((3,), (0, 1, 1, 1, 1, 1 / 3, 0.5)),
        # seventh: past five; 1/log2(8) = 1/3
        ((7,), (0, 0, 0, 1, 0, 1 / 7, 1 / 3)),
        # eleventh, or not at all: nothing
        ((11,), (0, 0, 0, 0, 0, 0, 0)),
        ((None,), (0, 0, 0, 0, 0, 0, 0)),
        # two gold items, third and unfound: 0.5 of the ideal 1 + 1/log2(3) = 1.63093
        ((None, 3), (0, 1, 1, 1, 0.5, 1 / 3, 0.306574)),
        # two gold items, fourth and first: 1 + 1/log2(5) = 1.430677 of 1.63093
        ((4, 1), (1, 1, 1, 1, 1, 1, 0.877215)),
    ],
)
def test_metrics_of_one_question(ranks: Ranks, expected: tuple[float, ...]) -> None:
    assert score(ranks) == pytest.approx(expected, abs=1e-6)
    assert len(expected) == len(METRICS)


def test_an_interval_is_that_of_a_binomial_share() -> None:
    # 80 of 100: the normal approximation gives 0.8 ± 1.96 · sqrt(0.8 · 0.2 / 100) = ± 0.0784.
    (interval,) = intervals(np.array([[1.0]] * 80 + [[0.0]] * 20))
    assert interval.mean == pytest.approx(0.8)
    assert interval.low == pytest.approx(0.7216, abs=0.015)
    assert interval.high == pytest.approx(0.8784, abs=0.015)


def test_sets_count_alike_however_many_questions_they_have() -> None:
    # Shares of .8 and .5: the variances .16 / 100 and .25 / 25, and a quarter of their sum for the
    # mean of two, give 0.65 ± 1.96 · 0.0539 = ± 0.1056.
    large = np.array([[1.0]] * 80 + [[0.0]] * 20)
    small = np.array([[1.0], [0.0]] * 12 + [[0.5]])
    (interval,) = intervals(large, small)
    assert interval.mean == pytest.approx(0.65)
    assert interval.low == pytest.approx(0.5444, abs=0.02)
    assert interval.high == pytest.approx(0.7556, abs=0.02)


def test_equal_values_leave_no_doubt_and_the_seed_no_chance() -> None:
    (interval,) = intervals(np.full((7, 1), 0.5))
    assert interval.low == pytest.approx(0.5)
    assert interval.high == pytest.approx(0.5)
    values = np.random.default_rng(1).random((40, 2))
    assert intervals(values) == intervals(values)


def test_a_pair_that_never_differs_is_no_difference() -> None:
    values = np.random.default_rng(2).random((30, 1))
    (difference,) = paired_differences(values, values)
    assert (difference.mean, difference.low, difference.high, difference.p) == (0, 0, 0, 1)
    assert not difference.significant


def test_a_steady_gain_is_significant_where_the_spread_of_questions_would_hide_it() -> None:
    before = np.linspace(0, 0.9, 50).reshape(-1, 1)
    (difference,) = paired_differences(before + 0.1, before)
    assert difference.mean == pytest.approx(0.1)
    assert difference.significant
    assert difference.p == pytest.approx(1 / 1001)


def test_as_many_losses_as_gains_are_not() -> None:
    before = np.array([[0.0], [1.0]] * 10)
    (difference,) = paired_differences(1 - before, before)
    assert difference.mean == 0
    assert difference.low < 0 < difference.high
    assert difference.p == 1


def test_p_is_near_that_of_a_sign_test() -> None:
    # 14 gains, 4 losses, 82 equal: a two-sided sign test gives p = 0.031.
    change = np.array([[1.0]] * 14 + [[-1.0]] * 4 + [[0.0]] * 82)
    (difference,) = paired_differences(change, np.zeros_like(change))
    assert 0.005 < difference.p < 0.05
