"""What the thesis says of Quick Civ in numbers: its buildings (5.1, 6.4, appendix B), Greedy's counter (code 6.2)."""

from __future__ import annotations

from collections import Counter

import pytest

import spielbaum
from spielbaum.agents import make
from spielbaum.games.quick_civ.buildings import CITY_CENTRE
from spielbaum.games.quick_civ.rules import WAIT, material
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS

BY_KEY = {building.key: building for building in BUILDINGS}


def rich(*tiles: str) -> spielbaum.State:
    """The first player has everything it can pay for, and some buildings."""
    others = ("ne 0/0/0: city_center 1,12", "se 0/0/0: city_center 13,12", "sw 0/0/0: city_center 13,1")
    first = "; ".join(["nw 9000/9000/0: city_center 1,1", *tiles])
    return spielbaum.load("quick-civ", map=1).set_up("\n".join(["map 1, round 20", first, *others]))


def test_there_are_28_buildings_for_10_50_or_250_of_which_12_are_of_points_or_military():
    kinds = Counter(building.category for building in BUILDINGS)
    assert len(BUILDINGS) == 28 and {building.price for building in BUILDINGS} == {10, 50, 250}
    assert kinds["points"] + kinds["military"] == 12
    cheap = [building for building in BUILDINGS if building.price == 10 and building.category != "expansion"]
    assert len(cheap) / 28 == pytest.approx(1 / 3, abs=0.02)


def test_a_lumberjack_yields_1_for_each_adjacent_forest_and_a_house_2_for_each_adjacent_building():
    assert BY_KEY["lumberjack"].rows == [("material", 1, "forest", 1, 1)]
    assert BY_KEY["house"].rows == [("material", 2, "own:not-housing", 1, 1)]
    alone, beside = rich(), rich("house 1,2")
    with_farm = rich("house 1,2", "farm 1,3")
    income = [int(material(state.record.production[0])) for state in (alone, beside, with_farm)]
    assert [income[1] - income[0], income[2] - income[1]] == [2, 2]


def test_greedy_founds_a_city_centre_whenever_its_counter_is_at_nought():
    state = rich()
    agent = make("greedy:turns-for-city-centre=2", state.game, 1)
    built = []
    for _ in range(9):
        action = agent.act(state)
        built.append(action != WAIT and action % KINDS == CITY_CENTRE)
        for player in range(4):
            state.play(action if player == 0 else "wait")
    assert built == [False, False, True] * 3
