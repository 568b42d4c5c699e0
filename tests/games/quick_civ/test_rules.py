"""Quick Civ: what is written in the rules, and that what is kept up to date is what comes out when it is added up."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.games.quick_civ.board import PLACES, SIDE, STARTS, distance, mirrored, tile
from spielbaum.games.quick_civ.buildings import RESOURCES, read
from spielbaum.games.quick_civ.rules import WAIT, food, material, points
from spielbaum.rules import random_stream

BUILDINGS = read()
KEYS = [building.key for building in BUILDINGS]
AWAY = {one: {other: distance(one, other) for other in PLACES} for one in PLACES}
CLOSE = {one: {other: away for other, away in AWAY[one].items() if away <= 2} for one in PLACES}


@pytest.fixture(scope="module")
def game() -> spielbaum.Game:
    return spielbaum.load("quick-civ", map=1)


def begun(game: spielbaum.Game, *lines: str, rounds: int = 40) -> spielbaum.State:
    """A position in which each player has the given line, or a city centre and nothing else."""
    usual = {
        name: f"{name} 0/0/0: city_center {row},{column}"
        for name, (row, column) in zip(game.seats, STARTS, strict=True)
    }
    for line in lines:
        if not line.startswith("siege"):
            usual[line.split()[0]] = line
    sieges = [line for line in lines if line.startswith("siege")]
    return game.set_up("\n".join([f"map 1, round {rounds}", *usual.values(), *sieges]))


def next_round(state: spielbaum.State, **builds: str) -> spielbaum.State:
    """The position after a round in which some build and all others wait."""
    state = state.copy()
    for name in state.game.seats:
        state.play(builds.get(name, "wait"))
    return state


def owner(state: spielbaum.State, row: int, column: int) -> int:
    return int(state.record.owner[tile(row, column)])


def stock(state: spielbaum.State, player: int = 0) -> list[int]:
    return state.record.stock[player].tolist()


# --- the board and the map ----------------------------------------------------------------------


def test_there_are_218_tiles_and_four_equal_corners():
    assert len(PLACES) == 218
    for start in STARTS:
        assert sum(away == 1 for away in AWAY[start].values()) == 6
        assert sum(1 <= away <= 4 for away in AWAY[start].values()) == 31


def test_mirrors_keep_distances():
    for one in PLACES[::17]:
        for other in PLACES[::13]:
            images = zip(mirrored(*one), mirrored(*other), strict=True)
            assert {distance(*pair) for pair in images} == {distance(one, other)}


def test_the_map_of_a_seed_is_the_same_everywhere(game):
    nature = game.new().record.nature
    rows = [[f"{nature[tile(row, c), 0]}{nature[tile(row, c), 3]}" for c in range(15 - row % 2)] for row in (1, 2)]
    half = ["20", "30", "00", "00", "00", "00", "00"]
    assert rows[0] == half + half[::-1]
    half = ["00", "21", "20", "01", "00", "11", "00", "00"]
    assert rows[1] == half + half[-2::-1]


@given(st.integers(0, 2**31 - 1))
@settings(max_examples=20, deadline=None)
def test_every_map_is_the_same_in_all_corners_and_has_enough_around_the_starts(seed):
    nature = spielbaum.load("quick-civ", map=seed).new().record.nature
    for place in PLACES:
        assert len({nature[tile(*image)].tobytes() for image in mirrored(*place)}) == 1
    around = [tile(*place) for place, away in AWAY[STARTS[0]].items() if away <= 2]
    assert nature[around, 0].sum() >= 4 and nature[around, 3].sum() >= 3


def test_without_a_seed_each_game_has_its_own_map():
    game = spielbaum.load("quick-civ")
    assert len({int(game.new(seed).record.map) for seed in range(20)}) == 20


# --- the beginning and building -----------------------------------------------------------------


@pytest.mark.parametrize(("players", "corners"), [(2, (0, 2)), (3, (0, 1, 2)), (4, (0, 1, 2, 3))])
def test_everybody_begins_with_a_city_centre_and_a_little(players, corners):
    state = spielbaum.load("quick-civ", players=players, map=1).new()
    assert [stock(state, p) for p in range(players)] == [[30, 20, 0]] * players
    assert [owner(state, *STARTS[corner]) for corner in corners] == list(range(players))
    assert (state.record.owner >= 0).sum() == players


def test_a_rich_player_may_build_everything_on_every_legal_tile(game):
    built = "; ".join(f"farm 1,{column}" for column in (0, 2, 3))
    state = begun(game, f"nw 300/250/0: city_center 1,1; {built}")
    in_reach = sum(1 <= away <= 4 for away in AWAY[(1, 1)].values())
    sites = 3 + in_reach - 3  # the only city centre must stay
    assert len(state.moves) == sites * 28 + 1 and state.moves[-1] == "wait"


@pytest.mark.parametrize(("material", "kinds"), [(9, 0), (10, 10), (49, 10), (50, 21), (249, 21), (250, 28)])
def test_what_is_affordable(game, material, kinds):
    state = begun(game, f"nw 30/{material}/0: city_center 1,1")
    assert len(state.moves) == 6 * kinds + 1


@pytest.mark.parametrize(("food", "farthest"), [(29, 0), (30, 1), (89, 1), (90, 2), (179, 2), (180, 3), (300, 4)])
def test_how_far_the_food_reaches(game, food, farthest):
    state = begun(game, f"nw {food}/10/0: city_center 1,1")
    reached = {AWAY[(1, 1)][divmod(action // 28, SIDE)] for action in state.actions if action != WAIT}
    assert reached == set(range(1, farthest + 1))


def test_building_costs_food_by_the_distance_to_the_nearest_centre(game):
    state = begun(game, "nw 300/20/0: city_center 1,1; city_center 1,5")
    after = next_round(state, nw="quarry 1,3")  # yields nothing there
    spent = 300 + after_income(after) - stock(after)[0]
    assert spent == 90


def after_income(state: spielbaum.State) -> int:
    return int(food(state.record.production[0]))


def test_overbuilding_costs_no_food_and_gives_nothing_back(game):
    state = begun(game, "nw 0/50/0: city_center 1,1; fortress 1,2")
    after = next_round(state, nw="fort 1,2")
    assert stock(after)[1] == 40 + int(material(after.record.production[0]))
    assert KEYS[after.record.building[tile(1, 2)]] == "fort" and after.record.tiles[0] == 2


def test_the_last_city_centre_stays_and_one_of_two_may_go(game):
    alone = begun(game, "nw 0/10/0: city_center 1,1")
    assert alone.moves == ["wait"]
    two = begun(game, "nw 0/10/0: city_center 1,1; city_center 1,2")
    assert len(two.moves) == 2 * 10 + 1
    gone = next_round(two, nw="farm 1,1")
    assert gone.record.reach[0, 4].tolist() == begun(game, "nw 0/0/0: city_center 1,2").record.reach[0, 4].tolist()


def test_when_two_want_the_same_tile_the_one_whose_turn_it_is_gets_it_and_the_other_pays_nothing(game):
    rich = ["nw 300/50/0: city_center 1,5", "ne 300/50/0: city_center 1,9"]
    for rounds, first in ((41, 0), (42, 1)):  # the order begins with another player each round
        state = begun(game, *rich, rounds=rounds)
        after = next_round(state, nw="quarry 1,7", ne="quarry 1,7")
        assert owner(after, 1, 7) == first
        loser = 1 - first
        assert stock(after, loser)[1] == 50 + int(material(after.record.production[loser]))


# --- income -------------------------------------------------------------------------------------


def added_up(state: spielbaum.State) -> list[list[int]]:
    """Everybody's production from the wording of the rows."""
    s = state.record
    totals = [[1, 1, 0] for _ in state.game.seats]
    for one in PLACES:
        who = owner(state, *one)
        if who < 0:
            continue
        for resource, amount, target, first, last in BUILDINGS[s.building[tile(*one)]].rows:
            hits = sum(hit(s, who, target, other) for other, away in CLOSE[one].items() if first <= away <= last)
            totals[who][RESOURCES.index(resource)] += amount * (1 if target == "flat" else hits)
    return totals


def hit(s: Any, who: int, target: str, place: tuple[int, int]) -> int:
    """How often a tile counts for a target of a row."""
    number = tile(*place)
    forests, mountains, there = int(s.nature[number, 0]), int(s.nature[number, 3]), int(s.owner[number])
    if target in ("forest", "mountain", "nature"):
        return {"forest": forests, "mountain": mountains, "nature": forests + mountains}[target]
    if target == "unbuilt" or there < 0:
        return int(target == "unbuilt" and there < 0)
    side, _, which = target.partition(":")
    building = BUILDINGS[s.building[number]]
    fits = which in ("", building.key, building.category) or (which == "not-housing" and building.category != "housing")
    return int(fits and (there == who) == (side == "own"))


def pressures(state: spielbaum.State) -> np.ndarray:
    s, found = state.record, np.zeros((4, SIDE * SIDE), int)
    for one in PLACES:
        if owner(state, *one) >= 0:
            amount, reach = BUILDINGS[s.building[tile(*one)]].pressure
            for other, away in CLOSE[one].items():
                if away <= reach:
                    found[owner(state, *one), tile(*other)] += amount
    return found


def kept(state: spielbaum.State) -> list[list[int]]:
    total = state.record.production
    return [[int(part(total[p])) for part in (food, material, points)] for p in range(state.game.players)]


@given(st.integers(0, 2**31 - 1), st.integers(2, 4), st.integers(0, 2**31 - 1))
@settings(max_examples=6, deadline=None)
def test_what_is_kept_up_to_date_is_what_comes_out_when_it_is_added_up(seed, players, choices):
    game = spielbaum.load("quick-civ", players=players, map=seed)
    rng, state = np.random.default_rng(choices), game.new()
    for number in range(60 * players):
        if number == 5 * players:  # from here on everybody is rich
            stocks = re_stocked(state)
            state = game.set_up(stocks)
        actions = state.actions
        state.play(int(actions[rng.integers(len(actions))]))
        if number % 23 == 0 and state.asked == 0:
            agree(state)
    agree(state)


def re_stocked(state: spielbaum.State) -> str:
    return re.sub(r"\d+/\d+/\d+", "9000/9000/0", state.position)


def agree(state: spielbaum.State) -> None:
    assert kept(state) == added_up(state)
    assert (state.record.pressure == pressures(state)).all()
    tiles = [int((state.record.owner == p).sum()) for p in range(state.game.players)]
    assert state.record.tiles[: state.game.players].tolist() == tiles
    again = state.game.set_up(state.position)
    assert all((again.array[name] == state.array[name]).all() for name in state.game.module.STATE.names)


def test_mercenaries_cost_and_no_stock_falls_below_nothing(game):
    farms = "; ".join(f"fort {row},{column}" for row, column in PLACES if AWAY[(7, 7)][(row, column)] == 1)
    state = begun(game, f"nw 2/2/2: city_center 1,1; mercenary 7,7; {farms}")
    assert kept(state)[0][2] == -6
    assert stock(next_round(state))[2] == 0


# --- sieges -------------------------------------------------------------------------------------


def besieged(game: spielbaum.Game, *attackers: str) -> spielbaum.State:
    """South-west's farm in the middle, beside buildings of the others."""
    return begun(game, "sw 0/50/0: city_center 13,1; farm 7,7", *attackers)


def test_a_siege_takes_three_rounds_and_the_building_works_for_its_new_owner(game):
    state = besieged(game, "nw 0/0/0: city_center 1,1; barracks 7,6")
    for counted in (1, 2):
        state = next_round(state)
        assert owner(state, 7, 7) == 3 and state.record.siege[tile(7, 7)] == counted
    state = next_round(state)
    assert owner(state, 7, 7) == 0 and state.record.siege[tile(7, 7)] == 0
    agree(state)


@pytest.mark.parametrize(("attacker", "falls"), [("fort", False), ("lookout", False), ("barracks", True)])
def test_a_lone_fort_or_lookout_can_not_conquer(game, attacker, falls):
    state = besieged(game, f"nw 0/0/0: city_center 1,1; {attacker} 7,6")
    for _ in range(3):
        state = next_round(state)
    assert (owner(state, 7, 7) == 0) == falls


def test_two_attackers_as_strong_as_each_other_hold_each_other_back(game):
    state = besieged(game, "nw 0/0/0: city_center 1,1; barracks 7,6", "ne 0/0/0: city_center 1,12; barracks 7,8")
    for _ in range(3):
        state = next_round(state)
    assert owner(state, 7, 7) == 3 and state.record.siege[tile(7, 7)] == 0


def test_a_defender_has_two_rounds_to_raise_its_pressure(game):
    state = next_round(next_round(besieged(game, "nw 0/0/0: city_center 1,1; barracks 7,6")))
    assert state.record.siege[tile(7, 7)] == 2
    saved = next_round(state, sw="fortress 7,7")
    assert owner(saved, 7, 7) == 3 and saved.record.siege[tile(7, 7)] == 0


def test_a_siege_begins_anew_when_another_player_holds_it(game):
    state = besieged(
        game, "nw 0/0/0: city_center 1,1; barracks 7,6", "ne 0/0/0: city_center 1,12", "siege 7,7 by ne for 2"
    )
    after = next_round(state)
    assert (int(after.record.holder[tile(7, 7)]), int(after.record.siege[tile(7, 7)])) == (0, 1)


def test_all_sieges_are_counted_before_any_tile_changes_hands(game):
    """Two barracks beside each other besiege each other; both fall in the same round."""
    state = begun(
        game,
        "nw 0/0/0: city_center 1,1; barracks 7,6; barracks 6,6",
        "sw 0/0/0: city_center 13,1; farm 7,7; farm 5,6",
        "siege 7,7 by nw for 2",
        "siege 5,6 by nw for 2",
    )
    after = next_round(state)
    assert owner(after, 7, 7) == owner(after, 5, 6) == 0


def test_a_city_centre_can_be_taken_and_brings_its_surroundings(game):
    state = begun(game, "nw 0/0/0: city_center 1,1; barracks 12,1; fort 12,2", "siege 13,1 by nw for 2")
    after = next_round(state)
    assert owner(after, 13, 1) == 0 and not after.record.centres[3].any()
    both = begun(game, "nw 0/0/0: city_center 1,1; city_center 13,1", "sw 0/0/0: ")
    assert (after.record.reach[0] == both.record.reach[0]).all() and not after.record.reach[3].any()


# --- symmetry and the end -----------------------------------------------------------------------


def reflected(action: int) -> int:
    """A build in the mirror that exchanges left and right."""
    if action == WAIT:
        return WAIT
    row, column = divmod(action // 28, SIDE)
    return tile(*mirrored(row, column)[1]) * 28 + action % 28


SWAPPED = (1, 0, 3, 2)  # who is who in the mirror


@pytest.mark.parametrize("seed", range(3))
def test_in_a_mirror_the_same_game_is_played(seed):
    game = spielbaum.load("quick-civ", map=seed)
    rng, one, other = np.random.default_rng(seed), game.new(), game.new()
    if seed:
        one = other = game.set_up(re_stocked(one))
        one, other = one.copy(), other.copy()
    for _ in range(50):
        choices = apart([legal_of(one, p, rng) for p in range(4)])
        for p in range(4):
            one.play(choices[p])
        for p in range(4):
            other.play(reflected(choices[SWAPPED[p]]))
        assert [kept(one)[SWAPPED[p]] for p in range(4)] == kept(other)
        assert [stock(one, SWAPPED[p]) for p in range(4)] == [stock(other, p) for p in range(4)]
        for place in PLACES:
            there = owner(one, *place)
            assert owner(other, *mirrored(*place)[1]) == (SWAPPED[there] if there >= 0 else there)


def legal_of(state: spielbaum.State, player: int, rng: np.random.Generator) -> int:
    actions = state.view(player).actions
    return int(actions[rng.integers(len(actions))])


def apart(choices: list[int]) -> list[int]:
    """The same choices; of those that want the same tile all wait, because the order would decide."""
    tiles = [choice // 28 for choice in choices]
    return [WAIT if tiles.count(where) > 1 else choice for choice, where in zip(choices, tiles, strict=True)]


def test_after_the_last_round_most_points_win_and_then_most_tiles(game):
    def result(*stocks: str) -> list[float]:
        lines = [f"{name} 0/0/{given}" for name, given in zip(game.seats, stocks, strict=True)]
        return next_round(begun(game, *lines, rounds=100)).returns

    assert result("9: city_center 1,1", "5: ", "5: ", "1: ") == [1.0, 0.0, 0.0, -1.0]
    assert result("5: city_center 1,1; fort 1,2", "5: city_center 1,12", "5: ", "5: ")[0] == 1.0
    assert result("5: ", "5: ", "5: ", "5: ") == [0.0] * 4


def test_four_greedy_players_end_as_they_should(game):
    state = game.new()
    players = [spielbaum.agent("greedy", game, seed=seat) for seat in range(4)]
    while not state.over:
        state.play(players[state.player].act(state))
    assert state.record.stock[:, 2].tolist() == [15962, 13590, 14311, 14413]


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("round 3", "begins with a line like"),
        ("map 1, round 400", "begins with a line like"),
        ("map 1, round 4\nnw 1/1/1: ", "a line for each of"),
        ("map 1, round 4\nnw 1/1: \nne 1/1/1: \nse 1/1/1: \nsw 1/1/1: ", "is no line like"),
        ("map 1, round 4\nnw 1/1/1: castle 1,1\nne 1/1/1: \nse 1/1/1: \nsw 1/1/1: ", "no building 'castle'"),
        ("map 1, round 4\nnw 1/1/1: farm 1,14\nne 1/1/1: \nse 1/1/1: \nsw 1/1/1: ", "is no tile"),
        ("map 1, round 4\nnw 1/1/1: farm 1,1; fort 1,1\nne 1/1/1: \nse 1/1/1: \nsw 1/1/1: ", "built on already"),
        ("map 1, round 4\nnw 1/1/1: \nne 1/1/1: \nse 1/1/1: \nsw 1/1/1: \nsiege 1,1 by nw for 2", "nothing is built"),
    ],
)
def test_a_text_that_is_no_position_is_refused(game, text, told):
    with pytest.raises(SpielbaumError, match=told):
        game.set_up(text)


def test_waiting_is_drawn_as_often_as_any_build(game):
    """Five buildings on twelve tiles, and to wait: of 1500 draws 24.6 each, with a standard deviation of 4.9."""
    row, column = STARTS[0]
    state = begun(game, f"{game.seats[0]} 30/30/30: city_center {row},{column}")
    assert len(state.actions) == 5 * 12 + 1 and WAIT in state.actions
    rng = random_stream(1)
    drawn = [int(game.tell("sample", s=state.record, player=0, rng=rng)) for _ in range(1500)]
    counts = {action: drawn.count(action) for action in state.actions}
    assert sum(counts.values()) == 1500
    assert min(counts.values()) > 0 and max(counts.values()) < 1500 / 61 + 6 * 4.9
