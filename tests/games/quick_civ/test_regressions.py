"""What a developer wants to stay true of the computer's play: a seeded match each, and a bound.

The pattern is told in docs/quick-civ.md. Bounds are well within what was measured, so that chance does not fail them;
each claim is also made of a player for whom it does not hold, so that it is known to tell something.
"""

from __future__ import annotations

import numpy as np

from spielbaum.games.quick_civ.board import tile
from spielbaum.games.quick_civ.rules import set_tile
from spielbaum.games.quick_civ.tables import BUILDINGS
from tests.games.quick_civ.matches import civ, is_cheap, play_on

KEYS = [building.key for building in BUILDINGS]
SWIFT = "vanilla:iterations=100"


def test_vanilla_still_expands_by_round_20():
    course = play_on(civ(map=11).new(1), [SWIFT] * 4, 20, seed=1)
    assert course.tiles[-1].min() >= 5 and course.tiles[-1].mean() >= 7
    idle = play_on(civ(map=11).new(1), ["wait"] * 4, 20, seed=1)
    assert idle.tiles[-1].max() == 1


def besieged(seed):
    """North-west has a second city centre on which two houses live; north-east besieges it with barracks and a fort.

    There is food in plenty each round, but no store of it, and a useless quarry two tiles away.
    """
    game = civ(map=seed)
    state = game.new(1)
    s, t = state.record, game.tables
    for owner, key, row, column in (
        (0, "city_center", 5, 5),
        (0, "house", 4, 5),
        (0, "house", 6, 5),
        (0, "quarry", 7, 5),
        (1, "barracks", 5, 6),
        (1, "fort", 5, 4),
    ):
        set_tile(t, s, tile(row, column), owner, KEYS.index(key))
    s.production[0] += 60
    s.stock[0] = 0, 60, 0
    return state


def test_vanilla_defends_a_besieged_centre():
    def held(player):
        states = [besieged(seed) for seed in range(11, 17)]
        for seed, state in enumerate(states):
            play_on(state, [player, "wait", "wait", "wait"], 4, seed)
        return [int(state.record.owner[tile(5, 5)]) for state in states].count(0)

    assert held("wait") == 0 and held("vanilla:iterations=300") >= 5


def test_vanilla_stops_building_cheap_buildings_late():
    early, late = range(1, 31), range(61, 101)
    shares = []
    for seed in (5, 6):
        course = play_on(civ(map=seed).new(seed), [SWIFT] * 4, 100, seed)
        shares.append([course.share(is_cheap, early), course.share(is_cheap, late)])
    before, after = np.mean(shares, axis=0)
    assert after < 0.45 < 0.6 < before
