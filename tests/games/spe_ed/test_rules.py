"""The rules of spe_ed, sentence by sentence on tiny boards, and what holds in all games."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.errors import SpielbaumError
from spielbaum.games.spe_ed.cells import is_free, paint
from spielbaum.games.spe_ed.rules import CHANGE_NOTHING, DOWN, LEFT, RIGHT, UP
from spielbaum.games.spe_ed.steps import move_some
from spielbaum.rules import random_stream
from tests.games.spe_ed.rounds import begun, cells, died, heads, ride, row

# --- the start ------------------------------------------------------------------------------------


def test_a_board_has_any_size_that_is_given_and_otherwise_sides_from_41_to_80():
    for width, height in ((5, 5), (200, 200), (7, 130)):
        s = spielbaum.load("spe-ed", width=width, height=height, start="symmetric").new(3).record
        assert (s.width, s.height) == (width, height)
    sides = [side for seed in range(200) for side in drawn_size(seed)]
    assert min(sides) == 41 and max(sides) == 80


def drawn_size(seed: int) -> tuple[int, int]:
    s = spielbaum.load("spe-ed", players=2).new(seed).record
    return int(s.width), int(s.height)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_official_starts_are_in_the_first_sectors_one_player_in_each(players):
    game, orders = spielbaum.load("spe-ed", players=players, width=40, height=20), set()
    for seed in range(60):
        sectors = [x // 10 + 4 * (y // 10) for x, y in heads(game.new(seed))]
        assert sorted(sectors) == list(range(players))
        orders.add(tuple(sectors))
    assert len(orders) > 1  # who is where is drawn


def test_official_starts_are_anywhere_in_their_sectors_and_the_rest_of_a_division_stays_empty():
    game = spielbaum.load("spe-ed", players=6, width=11, height=7)
    seen = {head for seed in range(400) for head in heads(game.new(seed))}
    upper, lower = {(x, y) for x in range(8) for y in range(3)}, {(x, y) for x in range(4) for y in range(3, 6)}
    assert seen == upper | lower


def test_a_player_looks_around_the_middle_at_the_start():
    game = spielbaum.load("spe-ed", players=6, width=10, height=10)
    for seed in range(50):
        s = game.new(seed).record
        for p in range(6):
            right, low = s.x[p] > 5, s.y[p] > 5
            assert s.direction[p] == {(1, 1): UP, (0, 1): RIGHT, (1, 0): LEFT, (0, 0): DOWN}[int(right), int(low)]


def test_players_begin_with_speed_1_on_a_marked_cell():
    state = begun("2,3,right", "9,4,up")
    assert state.record.speed[:2].tolist() == [1, 1] and state.record.rounds == 0
    assert cells(state).sum() == 3 and cells(state)[3, 2] == 1 and cells(state)[4, 9] == 2


@pytest.mark.parametrize("players", range(2, 7))
def test_symmetric_starts_are_as_far_from_the_middle_for_all(players):
    game = spielbaum.load("spe-ed", players=players, width=61, height=61, start="symmetric")
    distances = set()
    for seed in range(20):
        places = [(x - 30, y - 30) for x, y in heads(game.new(seed))]
        far = [np.hypot(x, y) for x, y in places]
        assert max(far) - min(far) < 1.5  # cells are whole
        angles = np.sort([np.arctan2(y, x) for x, y in places])
        assert np.allclose(np.diff([*angles, angles[0] + 2 * np.pi]), 2 * np.pi / players, atol=0.15)
        distances.add(round(far[0]))
    assert len(distances) > 3


def test_symmetric_starts_fit_on_the_smallest_board():
    game = spielbaum.load("spe-ed", players=6, width=5, height=5, start="symmetric")
    for seed in range(30):
        assert len(set(heads(game.new(seed)))) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players=1 is not possible: players is a whole number from 2 up to 6"),
        ({"players": 7}, "players=7 is not possible"),
        ({"width": 4}, "width=4 is not possible: width is a whole number from 5 up to 200"),
        ({"height": 201}, "height=201 is not possible"),
        ({"start": "1,1,up; 2,2,up"}, "start positions need a board of a given size: set width and height as well"),
        ({"start": "1,1,up"}, "has 1 places for 2 players"),
        ({"start": "1,1,up; 1,1,down"}, "puts two players on the same cell"),
        ({"start": "1,1,up; 8,1,down"}, "start='8,1,down' is no place on a board of 8 x 8"),
        ({"start": "1,1,up; -1,1,down"}, "is no place on a board"),
        ({"start": "1,1,up; 1,2"}, "start='1,2' is no place on a board"),
        ({"start": "1,1,up; 1,2,north"}, "use official, symmetric, or places like 12,4,down"),
        ({"start": "offical"}, "start='offical' is no place on a board"),
        ({"size": 8}, "unknown parameter 'size'"),
        ({"silence": "perhaps"}, "silence=perhaps is not possible: silence is on | off"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, message):
    size = {} if "given size" in message else {"width": 8, "height": 8}
    with pytest.raises(SpielbaumError, match=message) as refused:
        spielbaum.load("spe-ed", **{"players": 2, **size, **options})
    assert "\n" not in str(refused.value)


# --- steering -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("direction", "left"), [("up", (4, 4)), ("left", (5, 5)), ("down", (6, 4)), ("right", (5, 3))])
def test_players_turn_by_a_quarter_and_ride_on(direction, left):
    state = ride(begun(f"5,4,{direction}", "0,0,right"), "l", ".")
    right = (10 - left[0], 8 - left[1])
    assert heads(state)[0] == left
    assert heads(ride(begun(f"5,4,{direction}", "0,0,right"), "r", "."))[0] == right


def test_a_player_rides_as_many_cells_as_it_is_fast():
    state = ride(begun("0,0,right", "11,7,up"), "+++-", "....")
    assert heads(state)[0] == (2 + 3 + 4 + 3, 0) and state.record.speed[0] == 3
    assert row(state, 0) == [1] * 12


def test_faster_than_10_is_out_and_stays_where_it_was_with_speed_11():
    state = ride(begun("0,0,right", "0,5,right", width=200), "+" * 10, "." * 10)
    assert state.record.speed[0] == 11 and died(state) == [10, 0]
    assert heads(state)[0] == (sum(range(2, 11)), 0) and state.over


def test_slower_than_1_is_out_and_stays_where_it_was_with_speed_0():
    state = ride(begun("3,0,right", "0,5,right"), "-", ".")
    assert state.record.speed[0] == 0 and died(state) == [1, 0]
    assert heads(state) == [(3, 0), (1, 5)] and row(state, 0) == [0, 0, 0, 1] + [0] * 8


def test_no_answer_is_out_where_silence_is_on_and_no_choice_otherwise():
    assert len(begun("3,0,right", "0,5,right").actions) == 5
    state = ride(begun("3,0,right", "0,5,right", silence=True), "x", ".")
    assert died(state) == [1, 0] and heads(state)[0] == (3, 0) and state.returns == [-1, 1]


# --- riding ---------------------------------------------------------------------------------------


def test_who_leaves_the_board_is_out_on_the_first_cell_outside_and_its_marks_stay():
    state = ride(begun("8,0,right", "0,5,right"), "+++", "...")
    assert heads(state)[0] == (12, 0) and died(state) == [2, 0]
    assert row(state, 0)[8:] == [1, 1, 1, 1]
    assert heads(ride(begun("0,0,up", "0,5,right"), ".", "."))[0] == (0, -1)


def test_the_sixth_move_of_who_is_3_fast_is_a_jump_that_draws_its_first_and_last_cell_only():
    state = ride(begun("0,0,right", "0,5,right", width=40), "++....", "......")
    before = heads(ride(begun("0,0,right", "0,5,right", width=40), "++...", "....."))[0][0]
    assert heads(state)[0] == (before + 3, 0)
    assert row(state, 0)[before : before + 5] == [1, 1, 0, 1, 0]


def test_the_sixth_move_of_a_slower_player_is_none():
    state = ride(begun("0,0,right", "0,5,right", width=40), "+.....", "......")
    assert 0 not in row(state, 0)[: heads(state)[0][0] + 1]


def test_every_sixth_move_jumps_and_longer_ones_leave_longer_holes():
    state = ride(begun("0,0,right", "0,5,right", width=100), "++++........", "............")
    assert [x for x, cell in enumerate(row(state, 0)[: heads(state)[0][0]]) if cell == 0] == [21, 22, 23, 51, 52, 53]


def test_what_is_jumped_over_is_not_hit():
    state = begun("0,3,right", "16,0,down", width=30)
    ride(state, "++...", ".....")  # the second player has drawn column 16 from 0 to 5
    assert heads(state) == [(14, 3), (16, 5)] and died(state) == [0, 0]
    assert died(ride(state.copy(), ".", ".")) == [0, 0]  # over 16 with a jump from 15 to 17
    assert row(ride(state, ".", "."), 3)[14:18] == [1, 1, 2, 1]


def test_the_first_and_the_last_cell_of_a_jump_are_hit():
    for column in (15, 17):
        state = ride(begun("0,3,right", f"{column},0,down", width=30), "++....", "......")
        assert died(state) == [6, 0] and row(state, 3)[column] == -1


# --- crashes --------------------------------------------------------------------------------------


def test_hitting_an_old_trail_kills_the_mover_only():
    state = ride(begun("3,5,up", "2,2,right"), "..", "..")
    assert died(state) == [0, 0]
    assert died(ride(state, ".", ".")) == [3, 0] and cells(state)[2, 3] == -1


def test_who_hits_something_draws_its_full_length():
    state = ride(begun("0,1,right", "4,0,down", "11,7,up"), "++", "..", "..")
    assert died(state) == [2, 0, 0] and heads(state)[0] == (5, 1)
    assert row(state, 1)[:7] == [1, 1, 1, 1, -1, 1, 0]


def test_two_who_mark_the_same_cell_in_one_round_both_die():
    state = ride(begun("2,3,right", "4,3,left"), ".", ".")
    assert died(state) == [1, 1] and cells(state)[3, 3] == -1 and state.over and state.returns == [0, 0]


def test_crossing_lines_of_one_round_kill_both_whoever_is_first_in_order():
    for starts in itertools.permutations(("2,3,right", "4,1,down")):
        assert died(ride(begun(*starts), "+", "+")) == [1, 1]


def test_entering_the_cell_where_a_head_stood_kills_only_who_enters():
    for starts in (("3,3,right", "4,3,up"), ("4,3,up", "3,3,right")):
        state = ride(begun(*starts), ".", ".")
        who = starts.index("3,3,right")
        assert died(state)[who] == 1 and died(state)[1 - who] == 0


def test_a_swap_of_places_kills_both():
    state = ride(begun("3,3,right", "4,3,left"), ".", ".")
    assert died(state) == [1, 1] and row(state, 3)[3:5] == [-1, -1]


def test_who_dies_in_a_round_still_kills_others_on_what_it_marked():
    """One rides over another's old line and on to the cell that a third enters in the same round."""
    starts, answers = ("0,3,right", "2,2,down", "3,5,up"), (".+", "..", "..")
    for order in itertools.permutations(range(3)):
        state = ride(begun(*(starts[i] for i in order)), *(answers[i] for i in order))
        assert [died(state)[order.index(i)] for i in range(3)] == [2, 0, 2]


def test_who_leaves_the_board_still_kills_others_on_what_it_marked():
    starts, answers = ("10,3,right", "11,4,up", "0,7,right"), ("+", ".", ".")
    for order in itertools.permutations(range(3)):
        state = ride(begun(*(starts[i] for i in order)), *(answers[i] for i in order))
        assert [died(state)[order.index(i)] for i in range(3)] == [1, 1, 0]
        assert cells(state)[3, 11] == -1


LANDING = {15: [6, 6], 16: [0, 0], 17: [6, 6]}  # the first cell of a jump, its hole and its last cell


def before_landing(column: int, order: tuple[int, ...]) -> Any:
    """Two players: one jumps next from 15 to 17 in row 3, the other enters a column of that row from below."""
    starts, answers = ("0,3,right", f"{column},9,up"), ("++...", ".....")
    state = begun(*(starts[i] for i in order), width=30, height=12)
    return ride(state, *(answers[i] for i in order))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("column", LANDING)
def test_who_jumps_crashes_with_who_draws_its_first_or_last_cell_in_the_same_round(column, order):
    before = before_landing(column, order)
    after = ride(before.copy(), ".", ".")
    assert died(after) == LANDING[column]
    mark = -1 if LANDING[column][0] else order.index(1) + 1
    assert row(after, 3)[column] == mark
    painted = cells(before)
    paint(painted, before.record, after.record)
    assert painted[3, column] == mark and painted.tolist() == cells(after).tolist()


def test_who_jumps_does_not_crash_with_who_hits_an_old_line_in_the_hole():
    starts, answers = ("0,3,right", "16,9,up", "16,3,up"), ("++....", "......", "....")
    for order in itertools.permutations(range(3)):
        state = ride(begun(*(starts[i] for i in order), width=30, height=12), *(answers[i] for i in order))
        assert [died(state)[order.index(i)] for i in range(3)] == [0, 6, 4]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("column", LANDING)
def test_searches_let_who_jumps_crash_in_the_same_way(column, order):
    state = before_landing(column, order)
    game, choices = state.game, np.full(6, CHANGE_NOTHING)
    alone = state.copy()
    move_some(game.tables, state.record, choices, 0b11)
    assert died(state) == LANDING[column]
    move_some(game.tables, alone.record, choices, 1 << order.index(0))  # nobody else is on the way
    assert died(alone) == [0, 0]


@pytest.mark.parametrize("limit", [1, 4, 10, 1000])
def test_a_playout_counts_answers_and_not_rounds(limit):
    """An active player gives one in every round: three in the first, as many as are left in each later one."""
    for seed in range(10):
        state = begun("5,5,right", "5,20,right", "5,35,right", width=40, height=40)
        given = state.game.module.playout(state.game.tables, state.record, random_stream(seed), limit)
        assert given == sum(number or state.record.rounds for number in died(state))
        assert state.record.active < 2 or limit <= given < limit + 3
        assert given >= 3


def test_lines_of_the_dead_and_crashes_stay_deadly():
    state = ride(begun("2,3,right", "4,3,left", "3,7,up", "11,0,down"), ".", ".", ".", ".")
    assert died(state) == [1, 1, 0, 0]
    ride(state, "", "", "...", "...")
    assert died(state) == [1, 1, 4, 0]


# --- the end --------------------------------------------------------------------------------------


def test_the_game_ends_when_at_most_one_is_active():
    state = ride(begun("0,0,up", "5,5,up", "9,5,up"), ".", ".", ".")
    assert not state.over and state.movers == [1, 2]
    ride(state, "", "-", ".")
    assert state.over and state.returns == [-1, 0, 1]


def test_places_are_by_round_of_death_and_shared_by_who_dies_together():
    state = ride(begun("0,0,up", "11,0,up", "5,5,up", "9,5,up"), ".", ".", "-", ".")
    assert state.returns == pytest.approx([-1 / 3] * 3 + [1])
    state = ride(begun("0,0,up", "11,0,up", "5,5,up", "9,5,up"), ".", ".", ".", ".")
    ride(state, "", "", "-", "-")
    assert state.returns == pytest.approx([-2 / 3, -2 / 3, 2 / 3, 2 / 3])


def test_nobody_left_is_a_draw_of_those_who_died_last():
    assert ride(begun("2,3,right", "4,3,left"), ".", ".").returns == [0, 0]


# --- text -----------------------------------------------------------------------------------------


def test_the_board_is_drawn_with_lines_heads_crashes_and_jumps():
    state = ride(begun("0,0,right", "0,2,right", width=20, height=5), "++....", "......")
    assert str(state).splitlines() == [
        "1111111111111111○>··",
        "····················",
        "222222>·············",
        "····················",
        "····················",
        "1 > at 17,0, speed 3, active",
        "2 > at 6,2, speed 1, active",
    ]
    crashed = ride(begun("2,3,right", "4,3,left", width=6, height=5), ".", ".")
    assert str(crashed).splitlines()[3:] == [
        "··1×2·",
        "······",
        "1 > at 3,3, speed 1, out in round 1",
        "2 < at 3,3, speed 1, out in round 1",
    ]


def test_a_position_without_its_moves_is_drawn_without_its_owners():
    state = ride(begun("0,0,right", "0,2,right", width=6, height=5), "..", "..")
    state.history = None
    assert str(state).splitlines()[:3] == ["##>···", "······", "##>···"]


# --- what holds in all games ----------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> tuple[spielbaum.State, list[dict[str, Any]]]:
    """A game on a small board that was played to its end, and its states: some ride fast, so that they jump."""
    players, side = draw(st.integers(2, 6)), draw(st.sampled_from([(9, 7), (20, 12), (70, 9), (13, 130)]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["official", "symmetric"]))
    state = spielbaum.load("spe-ed", players=players, width=side[0], height=side[1], start=kind, silence=True).new(
        int(random.integers(1000))
    )
    chances = np.array([8, 2, 2, 5, 2, 0.2])
    rounds = []
    while not state.over:
        answers = {player: int(random.choice(6, p=chances / chances.sum())) for player in state.movers}
        rounds.append(answers)
        for answer in answers.values():
            state.play(answer)
    return state, rounds


@settings(max_examples=60, deadline=None)
@given(games())
def test_the_bits_of_the_rules_are_the_cells_that_are_painted(played):
    state, rounds = played
    again = state.game.new()
    again.array[:] = first_position(state)
    one_by_one = cells(again)
    for answers in rounds:
        before = again.copy().record
        for answer in answers.values():
            again.play(answer)
        paint(one_by_one, before, again.record)
    assert (one_by_one == cells(state)).all()
    free = [
        [is_free(state.game.tables, state.record, x, y) for x in range(state.record.width)]
        for y in range(state.record.height)
    ]
    assert (np.array(free) == (one_by_one == 0)).all()


def first_position(state: spielbaum.State) -> np.ndarray:
    """Where a game began."""
    return given_again(state, range(state.game.players)).array


def given_again(state: spielbaum.State, order: Any) -> spielbaum.State:
    """The first position with the players in another order."""
    s, words = state.record, ("up", "left", "down", "right")
    places = [f"{s.from_x[p]},{s.from_y[p]},{words[s.from_direction[p]]}" for p in order]
    return begun(*places, width=int(s.width), height=int(s.height), silence=True)


@settings(max_examples=60, deadline=None)
@given(games(), st.randoms())
def test_the_order_of_the_players_does_not_matter(played, random):
    state, rounds = played
    order = list(range(state.game.players))
    random.shuffle(order)
    other = given_again(state, order)
    for answers in rounds:
        for player in other.movers:
            other.play(answers[order[player]])
    assert other.over
    assert died(other) == [died(state)[p] for p in order] and heads(other) == [heads(state)[p] for p in order]
    assert other.returns == [state.returns[p] for p in order]
    assert (other.record.free == state.record.free).all()


@settings(max_examples=60, deadline=None)
@given(games())
def test_every_game_ends_before_the_board_is_full_with_at_most_one_survivor(played):
    state, rounds = played
    assert len(rounds) <= state.record.width * state.record.height  # each round somebody takes a cell
    assert sum(number == 0 for number in died(state)) == state.record.active <= 1
    assert max(died(state)) == state.record.rounds == len(rounds)
    assert sum(state.returns) == pytest.approx(0)
