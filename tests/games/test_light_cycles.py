"""Light Cycles: who crashes, what riders know of each other, floods and rooms against plain references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.games.light_cycles.boards import DRAWN, SIDE
from spielbaum.games.light_cycles.evaluate import decided, rounds_left, territories
from spielbaum.games.light_cycles.flood import connected, count, only, reached, words
from spielbaum.games.light_cycles.rules import STATE, STEPS, playout, sample
from spielbaum.rules import random_stream


def ridden(*moves: str, **options: int | str) -> spielbaum.State:
    return spielbaum.load("light-cycles", **options).play_all(moves)


def test_both_ride_only_when_both_have_chosen():
    state = ridden("east")
    assert state.seat == "orange" and state.asked == 1
    assert places(state) == [(3, 0), (3, 7)]
    state.play("west")
    assert places(state) == [(3, 1), (3, 6)]


def places(state: spielbaum.State) -> list[tuple[int, int]]:
    return [divmod(int(cell), SIDE) for cell in state.record.cell]


def test_neither_rider_sees_the_other_one_s_choice():
    for seat in (0, 1):
        views = {ridden(move).view(1 - seat).array.tobytes() for move in ("north", "east", "south")}
        assert len(views) == (1 if seat == 0 else 3)
    assert ridden("north").view(1).seat == "orange"
    assert ridden("north").view(1).history == []


def test_riders_who_meet_in_one_cell_are_both_out():
    state = ridden("east", "west", "east", "west", width=5)
    assert state.over and state.returns == [0, 0]


def test_a_rider_may_not_choose_what_is_taken_while_something_is_free():
    state = ridden("east", "west", width=4)
    assert state.moves == ["north", "south"]


def test_a_rider_with_no_way_out_crashes_and_the_other_one_wins():
    state = ridden("north", "west", "east", "south", "south", "west", width=4, height=4)
    assert str(state) == "b b · ·\nb B o o\n· O o ·\n· · · ·"
    assert state.moves == ["north"]  # blue is lost, whatever the direction
    state.play("north").play("south")
    assert state.returns == [-1, 1]


@pytest.mark.parametrize("board", DRAWN)
def test_the_boards_look_as_they_were_published(board):
    state = ridden(board=board)
    assert str(state).split() == DRAWN[board].replace(".", "·").split()


WALLS = {
    "a": {(row, column) for row in range(4, 9) for column in range(4, 9) if {row, column} & {4, 8}},
    "b": {
        (1, 1), (1, 2), (2, 1), (1, 6), (2, 6), (1, 10), (1, 11), (2, 11), (4, 5), (4, 6), (4, 7), (6, 1), (6, 2),
        (6, 10), (6, 11), (8, 5), (8, 6), (8, 7), (10, 1), (11, 1), (11, 2), (10, 6), (11, 6), (10, 11), (11, 10),
        (11, 11),
    },
    "c": {
        (3, 5), (4, 5), (5, 5), (5, 4), (5, 3), (3, 8), (4, 8), (5, 8), (5, 9), (5, 10), (7, 3), (7, 4), (7, 5),
        (8, 5), (9, 5), (7, 10), (7, 9), (7, 8), (8, 8), (9, 8),
    },
    "d": set(),
}  # fmt: skip
STARTS = {"a": [(0, 0), (12, 12)], "b": [(0, 12), (12, 0)], "c": [(6, 3), (6, 10)], "d": [(0, 0), (12, 12)]}


@pytest.mark.parametrize("board", DRAWN)
def test_walls_and_starts_are_those_of_the_paper(board):
    state = ridden(board=board)
    rows = [line.split() for line in str(state).splitlines()]
    walls = {(row, column) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == "#"}
    assert walls == WALLS[board] and places(state) == STARTS[board]
    assert (len(rows[0]), len(rows)) == (14 if board == "c" else 13, 13)


def test_the_largest_arena_has_sixteen_columns_that_do_not_touch_at_its_edges():
    state = ridden(width=16, height=16)
    assert places(state) == [(7, 0), (7, 15)]
    assert state.moves == ["north", "east", "south"]
    state.play("east")
    assert state.moves == ["north", "south", "west"]


def test_territory_is_equal_at_the_start_and_a_cell_in_the_middle_is_nobody_s():
    even, odd = ridden(), ridden(width=5, height=5)
    assert territories(even.record, 0) == (31, 31)
    mine, theirs = territories(odd.record, 0)
    assert mine == theirs and mine + theirs + 5 + 2 == 25


# --- floods and rooms against plain references ----------------------------------------------------

Cell = tuple[int, int]
Board = set[Cell]


@st.composite
def positions(draw: st.DrawFn) -> tuple[Board, Cell, Cell]:
    """Free cells and two riders, who are in none of them."""
    share, seed = draw(st.floats(0.2, 0.95)), draw(st.integers(0, 2**32 - 1))
    columns, rows = draw(st.integers(4, SIDE)), draw(st.integers(4, SIDE))
    rng = np.random.default_rng(seed)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    one, other = (cells[i] for i in rng.choice(len(cells), 2, replace=False))
    return {cell for cell in cells if rng.random() < share} - {one, other}, one, other


def record(free: Board, one: Cell, other: Cell) -> np.ndarray:
    array = np.zeros(1, STATE)
    for row, column in free:
        number = SIDE * row + column
        array[0].free[number // 64] |= np.uint64(1 << number % 64)
    array[0].cell[:] = [SIDE * row + column for row, column in (one, other)]
    return array


def around(cell: Cell, free: Board, order: tuple[int, ...] = (0, 1, 2, 3)) -> list[Cell]:
    steps = [STEPS[direction] for direction in order]
    return [there for down, right in steps if (there := (cell[0] + down, cell[1] + right)) in free]


def plain_flood(free: Board, begin: Cell) -> Board:
    found, waiting = {begin}, [begin]
    while waiting:
        new = [cell for cell in around(waiting.pop(), free) if cell not in found]
        found.update(new)
        waiting += new
    return found


def plain_fill(free: Board, cell: Cell, order: tuple[int, ...]) -> int:
    free, filled = set(free), 0
    while ways := around(cell, free, order):
        exits = [len(around(there, free)) or 4 for there in ways]
        cell = ways[exits.index(min(exits))]
        free.remove(cell)
        filled += 1
    return filled


@settings(max_examples=150)
@given(positions())
def test_a_flood_reaches_what_a_search_cell_by_cell_reaches(position):
    free, one, other = position
    s = record(*position)[0]
    found = reached(words(s.free), only(s.cell[0]))
    cells = {
        divmod(64 * word + place, SIDE) for word in range(4) for place in range(64) if int(found[word]) >> place & 1
    }
    assert cells == plain_flood(free, one) and count(found) == len(cells)
    met = any(cell in cells - {one} for cell in around(other, free))
    assert connected(words(s.free), s.cell[0], s.cell[1]) == met


@settings(max_examples=150)
@given(positions())
def test_separated_riders_get_what_following_the_walls_gives_them(position):
    free, one, other = position
    s, game = record(*position)[0], spielbaum.load("light-cycles", width=16, height=16)
    rooms = [plain_fill(free, one, (0, 1, 2, 3)), plain_fill(free, other, (0, 3, 2, 1))]
    assert [rounds_left(game.tables, s, rider, np.zeros(5, np.uint64)) for rider in (0, 1)] == rooms
    out, apart = np.zeros(2), not (plain_flood(free, one) - {one}) & set(around(other, free))
    assert decided(game.tables, s, game.context.scratch[0], out) == apart
    if apart:
        assert out.tolist() == [np.sign(rooms[0] - rooms[1]), np.sign(rooms[1] - rooms[0])]


def test_a_game_is_undecided_while_the_riders_can_reach_each_other():
    state, out = ridden(), np.zeros(2)
    assert not decided(state.game.tables, state.record, state.game.context.scratch[0], out)


def test_of_two_rooms_the_larger_one_wins():
    moves = ["east", "west", "north", "west", "north", "north", "west", "north"]
    state, out = ridden(*moves, width=5, height=5), np.zeros(2)
    assert str(state) == "B b O · ·\n· b o · ·\nb b o o o\n· · · · ·\n· · · · ·"
    assert decided(state.game.tables, state.record, state.game.context.scratch[0], out)
    assert out.tolist() == [-1, 1]


@pytest.mark.parametrize("seed", range(5))
def test_a_playout_is_the_same_as_random_rounds_by_the_rules(seed):
    state, rng = ridden(board="a"), random_stream(seed)
    quick, its_rng = state.copy(), random_stream(seed)
    played = playout(quick.game.tables, quick.record, its_rng, 1000)
    moves = 0
    while not state.over:
        state.play(int(sample(state.game.tables, state.record, state.player, rng)))
        moves += 1
    assert moves == played and state.returns == outcome(quick)
    assert state.record.free.tolist() == quick.record.free.tolist()


def outcome(state: spielbaum.State) -> list[float]:
    results = np.zeros(2)
    state.game.module.returns(state.record, results)
    return results.tolist()


def test_a_playout_ends_with_a_round():
    state = ridden()
    assert playout(state.game.tables, state.record, random_stream(1), 3) == 4


# --- playing it -----------------------------------------------------------------------------------


def test_a_search_rides_into_the_larger_room():
    moves = ["east", "north", "north", "north", "north", "north", "north", "west"]
    state = ridden(*moves, width=7, height=7)
    assert str(state).splitlines()[:3] == ["· B · · · O o", "· b · · · · o", "· b · · · · o"]
    search = spielbaum.agent("mcts:iterations=2000,select=ucb1-tuned", state.game, seed=1)
    assert state.format(search.act(state)) == "east"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"width": 3}, "width=3 is not possible: width is a whole number from 4 up to 16"),
        ({"size": 8}, "unknown parameter"),
        ({"board": "e"}, "unknown value of 'board'"),
        ({"board": "a", "width": 9}, "board=a has a size of its own; width and height are those of board=open"),
    ],
)
def test_bad_options_are_refused_in_one_line(option, message):
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        spielbaum.load("light-cycles", **option)


def test_the_arena_is_drawn_from_above():
    assert str(ridden("north", "west", width=4, height=4)) == "B · · ·\nb · O o\n· · · ·\n· · · ·"


@pytest.mark.parametrize("board", ["open", *DRAWN])
def test_everything_looks_the_same_from_both_sides(board):
    """The riders change places in a mirror: what one is believed to win there, the other one wins here."""
    game = spielbaum.load("light-cycles", board=board)
    seen_by_second = game.tables.along[1, 0b1111].tolist()
    apart = 0
    for seed in range(60):
        ours, theirs, random = game.new(), game.new(), np.random.default_rng(seed)
        while not ours.over:
            ways = random.choice(ours.actions), random.choice(ours.copy().play(ours.actions[0]).actions)
            ours.play(ways[0]).play(ways[1])
            for way in reversed(ways):
                theirs.play(seen_by_second[way] if seen_by_second[way] in theirs.actions else theirs.actions[0])
            believed = [np.full(2, np.nan), np.full(2, np.nan)]
            for state, out in zip((ours, theirs), believed, strict=True):
                apart += decided(game.tables, state.record, game.context.scratch[0], out)
            assert believed[0].tolist() == believed[1][::-1].tolist() or np.isnan(believed).all()
            assert territories(ours.record, 0) == territories(theirs.record, 1)
        assert ours.returns == theirs.returns[::-1]
    assert apart > 20
