"""The prunings of the thesis: which builds they keep."""

from __future__ import annotations

import numpy as np
import pytest

from spielbaum.games.quick_civ.board import SIDE, distance
from spielbaum.games.quick_civ.buildings import CITY_CENTRE
from spielbaum.games.quick_civ.evaluate import WEIGHTS, production_with, worth
from spielbaum.games.quick_civ.filters import ALL_EVERY, FILTERS, changed, keep
from spielbaum.games.quick_civ.rules import WAIT, put
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS
from tests.games.quick_civ.matches import civ, play_on

KEYS = [building.key for building in BUILDINGS]
DEFAULTS = np.array([float(weight.default) for weight in WEIGHTS])
NEAR = [weight.name for weight in WEIGHTS].index("near")


@pytest.fixture(scope="module")
def middle():
    """A rich player in the middle of a game."""
    state = play_on(civ(map=2).new(1), ["greedy"] * 4, 30, seed=1).state
    state.array["stock"][0, :, :2] = 1000
    return state.copy()  # which lists its actions anew


def kept(state, name, actions=None, weights=DEFAULTS):
    s, context, which = state.record, state.game.context, FILTERS.index(name)
    arguments = context.tables, s, state.player, which
    return [a for a in actions or state.actions if keep(*arguments, a, weights, context.scratch[0])]


def place(tile):
    return divmod(tile, SIDE)


@pytest.mark.parametrize("name", [name for name in FILTERS if name != "no-waiting"])
def test_to_wait_is_kept_by_prunings_and_something_is_dropped(middle, name):
    state = middle.copy()
    state.record.late[:] = 1
    state.record.rounds = 31
    assert kept(state, name, [WAIT]) == [WAIT]
    some = state.actions[::25]
    assert 0 < len(kept(state, name, some)) < len(some)


def test_only_military_overwrites_drops_as_many_as_the_formula_says(middle):
    s, p = middle.record, middle.player
    own = {action // KINDS for action in middle.actions if action != WAIT and s.owner[action // KINDS] == p}
    stays = [tile for tile in own if BUILDINGS[s.building[tile]].category in ("military", "points")]
    dropped = len(middle.actions) - len(kept(middle, "only-military-overwrites"))
    assert dropped == (len(own) - len(stays)) * (28 - 12) > 0


def test_only_greedy_nodes_keeps_the_military_and_what_raises_the_evaluation(middle):
    s, t, p = middle.record, middle.game.tables, middle.player
    some = middle.actions[::19]
    now = worth(s.production[p], s.tiles[p], s.rounds, DEFAULTS)
    for action in some[:40]:
        if action != WAIT:
            tile, building = divmod(action, KINDS)
            tiles = s.tiles[p] + (s.owner[tile] < 0)
            raised = worth(production_with(t, s, p, tile, building), tiles, s.rounds, DEFAULTS) > now
            expected = raised or BUILDINGS[building].category == "military"
            assert bool(kept(middle, "only-greedy-nodes", [action])) == expected
    assert kept(middle, "only-greedy-nodes", some) == kept(middle, "only-greedy-nodes-naive", some)


@pytest.mark.parametrize("near", [0, 1, 2, 3])
def test_near_last_keeps_builds_around_the_last_one(middle, near):
    weights = DEFAULTS.copy()
    weights[NEAR] = near
    last = place(int(middle.record.last[middle.player]))
    expected = [a for a in middle.actions if a == WAIT or distance(place(a // KINDS), last) <= near]
    assert kept(middle, "near-last", weights=weights) == expected


def test_near_last_repaired_also_keeps_builds_near_a_siege_and_now_and_then_all(middle):
    state = middle.copy()
    s, p = state.record, state.player
    s.rounds = 31
    plain, repaired = (set(kept(state, name)) for name in ("near-last", "near-last-repaired"))
    assert repaired == plain
    far = next(tile for tile in range(225) if s.owner[tile] == p and distance(place(tile), place(int(s.last[p]))) > 3)
    put(s.running, far)
    near_siege = {a for a in state.actions if a != WAIT and distance(place(a // KINDS), place(far)) <= 2}
    assert set(kept(state, "near-last-repaired")) == plain | near_siege
    s.rounds = 6 * ALL_EVERY - 1
    assert kept(state, "near-last-repaired") == state.actions


def test_late_no_early_drops_the_nine_cheapest_once_an_expensive_one_was_built(middle):
    state = middle.copy()
    state.record.late[:] = 0
    assert kept(state, "late-no-early") == state.actions
    state.record.late[state.player] = 1
    types = {action % KINDS for action in kept(state, "late-no-early") if action != WAIT}
    assert len(types) == 19 and CITY_CENTRE in types


def test_peaceful_drops_the_military_but_beside_a_siege_of_an_own_tile(middle):
    state = middle.copy()
    state.record.running[:] = 0
    without_military = kept(state, "peaceful")
    types = {action % KINDS for action in without_military if action != WAIT}
    assert {BUILDINGS[kind].category for kind in range(KINDS)} - {BUILDINGS[k].category for k in types} == {"military"}
    foreign, own = (next(n for n in range(225) if s_owner(state, n) is is_own) for is_own in (False, True))
    put(state.record.running, foreign)
    assert kept(state, "peaceful") == without_military
    put(state.record.running, own)
    armed = {action // KINDS for action in kept(state, "peaceful") if action not in without_military}
    assert own in armed and armed <= {own, *state.game.tables.near[own, :6].tolist()}


def test_no_waiting_drops_to_wait_only_where_something_can_be_built(middle):
    state = middle.copy()
    assert kept(state, "no-waiting") == [action for action in state.actions if action != WAIT]
    state.record.stock[:, 1] = 0
    assert kept(state, "no-waiting", [WAIT]) == [WAIT]


def s_owner(state, number):
    """Whether a tile is the mover's, None where nobody has built."""
    owner = int(state.record.owner[number])
    return None if owner < 0 else owner == state.player


def test_what_changed_is_a_tile_and_those_beside_it(middle):
    before, after = middle.copy(), middle.copy()
    tile = 7 * SIDE + 7
    after.record.building[tile] = KEYS.index("farm") + (before.record.building[tile] == KEYS.index("farm"))
    out = np.zeros(7000, np.int64)
    found = out[: changed(middle.game.tables, after.record, before.record, out)]
    assert len(found) == 7 * KINDS and {distance(place(a // KINDS), (7, 7)) for a in found.tolist()} == {0, 1}
    assert changed(middle.game.tables, before.record, before.record, out) == 0
