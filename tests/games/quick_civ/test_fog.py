"""Fog of war: what is out of sight changes nothing that a player sees or may do, and everybody can play in it."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.agents import make
from spielbaum.games.quick_civ.board import PLACES, STARTS, distance, tile
from spielbaum.games.quick_civ.rules import WAIT, set_tile
from spielbaum.games.quick_civ.tables import BUILDINGS, KINDS
from spielbaum.scenes import drawing
from spielbaum.search.mcts.settings import variant_of
from tests.games.quick_civ.test_rules import agree

KEYS = [kind.key for kind in BUILDINGS]
EXISTING = [tile(*place) for place in PLACES]


@functools.cache
def foggy() -> spielbaum.Game:
    return spielbaum.load("quick-civ", map=1, fog=True)


def scattered(game: spielbaum.Game, seed: int, tiles: int = 60) -> spielbaum.State:
    """Buildings of everybody everywhere, with stocks of all sizes."""
    dice, state = np.random.default_rng(seed), game.new()
    for number in dice.choice(EXISTING, tiles, replace=False).tolist():
        if state.record.owner[number] < 0:
            set_tile(game.tables, state.record, number, int(dice.integers(game.players)), int(dice.integers(KINDS)))
    state.record.stock[: game.players] = dice.integers(0, 500, (game.players, 3))
    return state


def in_sight(state: spielbaum.State, player: int) -> set[int]:
    """The tiles up to three away from those of a player, counted anew."""
    own = [place for place in PLACES if state.record.owner[tile(*place)] == player]
    return {tile(*place) for place in PLACES if any(distance(place, mine) <= 3 for mine in own)}


def seen_tiles(state: spielbaum.State, player: int) -> set[int]:
    words = [int(word) for word in state.record.sight[player]]
    return {n for n in EXISTING if words[n >> 6] >> (n & 63) & 1}


# --- what is seen -------------------------------------------------------------------------------


def test_the_option_decides_whether_anything_is_hidden():
    plain = spielbaum.load("quick-civ", map=1)
    assert not plain.hidden and foggy().hidden
    state = plain.new()
    assert state.view(2).array.tobytes() == state.view(2).view(2).array.tobytes()
    assert state.view(0).record.owner.tolist() == state.record.owner.tolist()
    assert state.view(0).history is not None and foggy().new().view(0).history is None


def test_without_fog_a_search_is_put_together_as_ever():
    def flags(game):
        values = make("vanilla", game, 1).search.values
        return variant_of(game, values, information_sets=False).flags

    assert "OBSERVATION_FREE" in flags(foggy()) and "OBSERVATION_FREE" not in flags(spielbaum.load("quick-civ", map=1))


@given(st.integers(0, 2**31 - 1), st.integers(2, 4))
@settings(max_examples=10, deadline=None)
def test_sight_is_three_tiles_around_own_ones_and_a_view_is_whole_in_itself(seed, players):
    game = spielbaum.load("quick-civ", map=seed, players=players, fog=True)
    state = scattered(game, seed)
    for player in range(players):
        seen = in_sight(state, player)
        assert seen_tiles(state, player) == seen
        view = state.view(player)
        agree_but_for_stocks(view)
        for number in EXISTING:
            shown = state.record.owner[number] if number in seen else -1
            assert view.record.owner[number] == shown


def agree_but_for_stocks(view: spielbaum.State) -> None:
    """What is kept up to date in a view is what comes out when all that it shows is added up."""
    whole = view.copy()
    whole.record.viewer = 0
    agree(whole)


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
@settings(max_examples=10, deadline=None)
def test_two_games_that_differ_out_of_sight_look_the_same_and_offer_the_same(seed, other_seed):
    game = spielbaum.load("quick-civ", map=seed, fog=True)
    state = scattered(game, seed, 25)
    other, dice = state.copy(), np.random.default_rng(other_seed)
    unseen = [n for n in EXISTING if n not in in_sight(state, 0)]
    for number in unseen:
        owner = int(other.record.owner[number])
        if owner < 0 and dice.random() < 0.3:
            set_tile(game.tables, other.record, number, int(dice.integers(1, 4)), int(dice.integers(KINDS)))
    other.record.stock[1:, :2] = 7
    other.record.late[1:] = 1
    assert other.array.tobytes() != state.array.tobytes()
    assert other.view(0).array.tobytes() == state.view(0).array.tobytes()
    assert other.actions == state.actions == state.view(0).actions


@given(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
@settings(max_examples=10, deadline=None)
def test_a_guess_looks_as_what_was_seen_and_can_be_played(seed, dice):
    game = spielbaum.load("quick-civ", map=seed, fog=True)
    view = scattered(game, seed, 25).view(1)
    guess, rng = view.copy(), np.array([dice], np.uint64)
    game.kernels.game_api.determinize(game.context, guess.array, 1, rng)
    assert guess.view(1).array.tobytes() == view.array.tobytes()
    assert guess.record.tiles[[0, 2, 3]].min() >= 1
    agree(guess)
    for _ in range(8):
        guess.play(guess.actions[-1])


def test_at_the_start_everybody_knows_how_the_others_began():
    state = foggy().new()
    view = state.view(0)
    assert (view.record.owner >= 0).sum() == 1
    guess = view.copy()
    foggy().kernels.game_api.determinize(foggy().context, guess.array, 0, np.zeros(1, np.uint64))
    assert guess.record.owner.tolist() == state.record.owner.tolist()
    assert guess.record.stock.tolist() == state.record.stock.tolist()


def test_points_are_known_and_stocks_are_not():
    state = scattered(foggy(), 3)
    view = state.view(0).record
    assert view.stock[:, 2].tolist() == state.record.stock[:, 2].tolist()
    assert view.stock[0].tolist() == state.record.stock[0].tolist() and not view.stock[1:, :2].any()


# --- what may be built --------------------------------------------------------------------------


def test_nobody_builds_out_of_sight_and_so_learns_nothing_by_trying():
    rich = "map 1, round 9\nnw 900/900/0: city_center 1,1{}\nne 0/0/0: city_center 1,12\nse 0/0/0: \nsw 0/0/0: "
    alone = foggy().set_up(rich.format(""))
    tiles = {action // KINDS for action in alone.actions if action < WAIT}
    assert {distance((1, 1), divmod(number, 15)) for number in tiles} == {1, 2, 3}
    farther = foggy().set_up(rich.format("; farm 1,2"))
    beyond = {action // KINDS for action in farther.actions if action < WAIT} - tiles
    assert beyond - {tile(1, 2)} and all(distance((1, 2), divmod(number, 15)) <= 3 for number in beyond)


def test_who_loses_a_tile_loses_the_sight_from_it():
    text = (
        "map 1, round 9\nnw 0/0/0: city_center 1,1; barracks 7,6\nne 0/0/0: city_center 1,12\n"
        "se 0/0/0: \nsw 0/0/0: city_center 13,1; farm 7,7\nsiege 7,7 by nw for 2"
    )
    state = foggy().set_up(text)
    assert tile(7, 9) in seen_tiles(state, 3) and tile(7, 10) not in seen_tiles(state, 0)
    for _ in range(4):
        state.play(WAIT)
    assert state.record.owner[tile(7, 7)] == 0
    assert tile(7, 9) not in seen_tiles(state, 3) and tile(7, 10) in seen_tiles(state, 0)


# --- players ------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["greedy", "vanilla:iterations=32,determinizations=4"])
def test_players_play_by_what_they_see(spec):
    """Whatever is out of their sight, they do the same."""
    state = scattered(foggy(), 5, 20)
    state.record.stock[0] = 400
    other = state.copy()
    hidden = next(n for n in EXISTING if n not in in_sight(state, 0) and state.record.owner[n] < 0)
    set_tile(foggy().tables, other.record, hidden, 1, KEYS.index("barracks"))
    assert make(spec, foggy(), 3).act(state) == make(spec, foggy(), 3).act(other) != WAIT


def test_a_whole_game_in_the_fog():
    game = spielbaum.load("quick-civ", map=2, fog=True, science=True, rounds=30)
    state, players = game.new(1), [make("greedy", game, seat) for seat in range(4)]
    while not state.over:
        state.play(players[state.player].act(state))
    assert state.record.tiles.min() >= 4
    agree(state)


# --- what is shown ------------------------------------------------------------------------------


def test_the_scene_shows_fog_and_nothing_behind_it():
    state = scattered(foggy(), 3)
    scene, seen = drawing.scene(state, 0), in_sight(state, 0)
    ids = {shape["id"] for layer in scene["layers"] for shape in layer["shapes"]}
    assert {int(name[4:]) for name in ids if name.startswith("fog-")} == set(EXISTING) - seen
    assert all(int(name[4:]) in seen for name in ids if name.startswith("own-"))
    purses = {panel["id"]: panel for panel in scene["panels"] if panel["id"].startswith("purse")}
    assert len(purses["purse-0"]["items"]) == 4 and len(purses["purse-2"]["items"]) == 1
    everything = drawing.scene(state, None)
    assert not any(shape["id"].startswith("fog-") for layer in everything["layers"] for shape in layer["shapes"])


def test_a_tile_in_reach_but_out_of_sight_says_so():
    why = drawing.scene(foggy().new(), 0)["why"]
    told = {place: reason["text"]["en"] for reason in why for place in reason["places"]}
    four_away = next(tile(*place) for place in PLACES if distance(place, STARTS[0]) == 4)
    assert told[f"t{four_away}"].startswith("Out of sight: you see 3 tiles far")


def test_others_are_told_of_builds_that_they_see():
    state = foggy().set_up(
        "map 1, round 9\nnw 900/900/0: city_center 1,5\nne 0/0/0: city_center 1,9\n"
        "se 0/0/0: city_center 13,12\nsw 0/0/0: city_center 13,1"
    )
    told = drawing.told(state, 0, tile(1, 6) * KINDS + KEYS.index("farm"))
    assert told[1]["label"]["en"] == "Farm 1,6" and told[1]["steps"] == [f"t{tile(1, 6)}"]
    assert told[2] is None and told[3] is None
    assert drawing.told(state, 0, WAIT)[1] is None


def test_the_text_of_a_view_has_question_marks():
    lines = str(foggy().new().view(0)).splitlines()
    assert "1Ci" in lines[1] and "2Ci" not in lines[1] and "?" in lines[7]
    assert lines[18] == "2 ne: points 0, tiles in sight 0"
    assert "?" not in str(foggy().new())
