"""The evaluation of the thesis, (6.1) and (6.2), by hand."""

from __future__ import annotations

import pytest

from spielbaum.games.quick_civ.buildings import LANE
from spielbaum.games.quick_civ.evaluate import WEIGHTS, worth

NAMES = [param.name for param in WEIGHTS]


def e(
    food: int, material: int, points: int, tiles: int, in_round: int, weights: dict[str, float] | None = None
) -> float:
    """E in a round, counted from 1, with weights of 1 unless given, and a point increment of 2."""
    given = dict.fromkeys(("material", "food", "points", "tiles", "both"), 1.0) | {"point-increment": 2.0}
    given |= weights or {}
    production = food + (material << LANE) + (points << 2 * LANE)
    return float(worth(production, tiles, in_round - 1, [given.get(name, 0.0) for name in NAMES]))


def test_it_weighs_production_until_points_take_over():
    assert e(6, 10, 3, 5, 35) == pytest.approx((10 + 6 + 10 * 6 + 5) * 0.3 + 3 * 0.7)
    assert e(6, 10, 3, 5, 50) == e(6, 10, 3, 5, 100) == 3


def test_each_weight_counts_for_its_part():
    weights = {"material": 0.68, "food": 0.73, "points": 1.7, "tiles": 6.11, "both": 0.87}
    by_hand = (0.68 * 10 + 0.73 * 6 + 0.87 * 60 + 6.11 * 5) * (1 - 0.2) + 1.7 * 3 * 0.2
    assert e(6, 10, 3, 5, 10, weights) == pytest.approx(by_hand)
    assert e(6, 10, 3, 5, 20, {"point-increment": 0.5}) == pytest.approx(81 * 0.9 + 3 * 0.1)


def test_two_negative_incomes_are_no_gain():
    assert e(-3, -2, 0, 1, 25) == pytest.approx((-2 - 3 + 0 + 1) * 0.5)
