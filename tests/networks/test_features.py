"""What networks see of each game, and that boards may be turned and mirrored."""

from __future__ import annotations

import importlib
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.grids import GRID_SYMMETRIES, reflected
from spielbaum.testing import assert_lawful

latrunculi, liars_dice, light_cycles = (
    importlib.import_module(f"spielbaum.games.{name}.features") for name in ("latrunculi", "liars_dice", "light_cycles")
)


def seen(state: spielbaum.State, player: int | None = None) -> list[int]:
    """The features of a player, or of the one to move, in order."""
    out = np.zeros(state.game.module.FEATURES, np.int64)
    player = state.player if player is None else player
    return sorted(out[: state.game.tell("features", s=state.record, player=player, out=out)].tolist())


def images(game: spielbaum.Game, which: int, features: list[int]) -> list[int]:
    return sorted(int(game.tell("symmetry", which=which, feature=feature)) for feature in features)


def action_images(game: spielbaum.Game, which: int, actions: list[int]) -> list[int]:
    return sorted(int(game.tell("symmetric_action", which=which, action=action)) for action in actions)


@pytest.mark.parametrize("size", [(6, 6), (7, 4)])
def test_the_symmetries_of_a_board_are_those_of_its_shape(size):
    squares = [(column, row) for column in range(size[0]) for row in range(size[1])]
    maps = [tuple(reflected(which, *square, *size) for square in squares) for which in range(GRID_SYMMETRIES)]
    assert maps[0] == tuple(squares)
    assert all(sorted(image) == squares for image in maps)
    assert len(set(maps)) == (8 if size[0] == size[1] else 4)
    together = {tuple(one[squares.index(square)] for square in other) for one in maps for other in maps}
    assert together == set(maps)  # one after the other they are one of them again


# --- tic-tac-toe and Connect Four ---------------------------------------------------------------


def test_the_mover_s_own_marks_come_first():
    state = spielbaum.load("tic-tac-toe").play_all(["a1", "c3"])
    assert seen(state, 0) == [0, 9 + 8]
    assert seen(state, 1) == [8, 9 + 0]


def test_discs_are_numbered_by_column_and_row():
    state = spielbaum.load("connect-four").play_all(["d", "d", "e"])
    discs = 84
    assert [f for f in seen(state) if f < discs] == [6 * 3 + 1, 42 + 6 * 3, 42 + 6 * 4]
    assert [f for f in seen(state, 0) if f < discs] == [6 * 3, 6 * 4, 42 + 6 * 3 + 1]


def test_a_net_sees_threats_and_how_far_away_they_are():
    state = spielbaum.load("connect-four").play_all(["a", "d", "a", "c", "a", "e"])  # red has three in the lowest row
    own, other = 84, 84 + 42
    reached, above = 168, 182
    discs = [0, 1, 2, 42 + 12, 42 + 18, 42 + 24]
    threats = [own + 3, other + 6, other + 30]
    attacks = 196
    near = [reached, reached + 7 + 1, reached + 7 + 5]
    assert [f for f in seen(state) if f < attacks] == sorted([*discs, *threats, *near])
    higher = spielbaum.load("connect-four").play_all(["b", "c", "c", "d", "d", "e", "d", "g", "g", "e", "f", "e"])
    assert (above + 4 in seen(higher)) == (own + 6 * 4 + 4 in seen(higher))


@given(st.lists(st.integers(0, 6), max_size=36))
@settings(max_examples=60, deadline=None)
def test_attacks_are_what_playing_them_shows(columns):
    """A disc forces an answer where it adds a square that wins at once; two, or another above it, can't be answered."""
    state = spielbaum.load("connect-four").new()
    for column in columns:
        if not state.over and column in state.actions:
            state.play(column)
    if state.over:
        return
    forcing, deciding = 196, 210
    shown = {feature for feature in seen(state) if feature >= forcing}
    wanted = set()
    for side in range(2):
        discs = [set(squares_of(state, state.player ^ side)), set(squares_of(state, 1 - state.player ^ side))]
        before = winning(discs[0], discs[1])
        for column in state.actions:
            square = (column, heights(discs)[column])
            if square in before:
                continue
            made = winning(discs[0] | {square}, discs[1])
            reach = {(c, h) for c, h in enumerate(heights([discs[0] | {square}, discs[1]]))}
            at_once = {each for each in made & reach if each not in before or each[0] == column}
            if at_once:
                wanted.add(forcing + 7 * side + column)
            if len(at_once) > 1 or any((c, h + 1) in made for c, h in at_once):
                wanted.add(deciding + 7 * side + column)
    assert shown == wanted


def squares_of(state, player):
    return [(c, r) for c in range(7) for r in range(6) if int(state.record.discs[player]) >> (7 * c + r) & 1]


def heights(discs):
    return [sum(c == column for squares in discs for c, _ in squares) for column in range(7)]


def winning(own, other):
    """The empty squares that would complete a line of four, by trying each."""
    lines = [
        {(c + i * dc, r + i * dr) for i in range(4)}
        for c in range(7)
        for r in range(6)
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    board = {(c, r) for c in range(7) for r in range(6)}
    free = board - own - other
    return {each for each in free for line in lines if each in line and line - {each} <= own}


# --- Light Cycles -------------------------------------------------------------------------------


def test_a_rider_sees_itself_the_other_one_and_what_is_in_the_way():
    state = spielbaum.load("light-cycles", width=5, height=4).play_all(["north", "south"])
    cells = light_cycles.CELLS
    assert seen(state, 0) == [0, cells + 2 * 16 + 4, 2 * cells + 16, 2 * cells + 16 + 4]
    assert seen(state, 1) == [2 * 16 + 4, cells, 2 * cells + 16, 2 * cells + 16 + 4]


def test_walls_are_seen():
    game = spielbaum.load("light-cycles", board="c")
    walls = sum(feature >= 2 * light_cycles.CELLS for feature in seen(game.new()))
    assert walls == str(game.new()).count("#") > 0


def test_directions_turn_with_the_arena():
    game = spielbaum.load("light-cycles", width=6, height=6)
    cell = 16 * 2 + 3
    for which in range(game.module.SYMMETRIES):
        for direction in range(4):
            there = int(game.tables.beside[cell, direction])
            [image], [way] = images(game, which, [cell]), action_images(game, which, [direction])
            assert [game.tables.beside[image, way]] == images(game, which, [there])


def test_an_arena_that_is_its_own_image_is_lawful():
    assert_lawful(spielbaum.load("light-cycles", board="c"), games=2)


# --- Liar's Dice --------------------------------------------------------------------------------


def test_a_player_sees_the_own_dice_and_whose_bids_they_were():
    game = spielbaum.load("liars-dice", players=3, dice=2)
    state = game.play_all(["1x2", "2x2"], seed=4)
    bids = liars_dice.BIDS
    for player in range(3):
        counts = enumerate(state.record.dice[player].tolist())
        dice = [5 * face + count - 1 for face, count in counts if count > 0]
        made = [bids + 120 * ((bidder - player) % 3) + bid for bidder, bid in ((0, 1), (1, 7))]
        turn = [liars_dice.TURN + (2 - player) % 3 - 1] if player != 2 else []
        assert seen(state, player) == sorted([*dice, *made, *turn])


def test_nobody_sees_the_dice_of_others():
    game = spielbaum.load("liars-dice", players=2, dice=3)
    first = game.new(1)
    other = first.copy()
    other.record.dice[1] = [3, 0, 0, 0, 0, 0]
    assert seen(first, 0) == seen(other, 0) and seen(first, 1) != seen(other, 1)


# --- Latrunculi ---------------------------------------------------------------------------------

VARIANTS = [
    {},
    {"preset": "kowalski-dux"},
    {"preset": "kowalski-dux", "board": "8x8"},
    {"preset": "same-piece", "board": "6x6"},
    {"extra": "any", "optional": True, "board": "7x6"},
    {"placement": True, "board": "6x6"},
]
SQUARE = re.compile(r"(?<= with )[a-l]\d+")


def turned(game: spielbaum.Game, which: int, state: spielbaum.State) -> spielbaum.State:
    """The position on the turned board, set up from its text."""
    *ranks, words = game.tell("format_position", s=state.record).split("\n")
    width, height = len(ranks[0]), len(ranks)
    board = [["."] * width for _ in range(height)]
    for rank, line in enumerate(reversed(ranks)):
        for file, piece in enumerate(line):
            to_file, to_rank = reflected(which, file, rank, width, height)
            board[to_rank][to_file] = piece

    def there(square: re.Match[str]) -> str:
        file, rank = reflected(which, ord(square[0][0]) - ord("a"), int(square[0][1:]) - 1, width, height)
        return "abcdefghijkl"[file] + str(rank + 1)

    return game.set_up("\n".join(["".join(line) for line in reversed(board)] + [SQUARE.sub(there, words)]))


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_a_turned_board_has_the_turned_features_and_moves(number):
    game, rng = spielbaum.load("latrunculi", **VARIANTS[number]), random.Random(number)
    state = game.new()
    for _ in range(40):
        if state.over:
            break
        for which in range(game.module.SYMMETRIES):
            image = turned(game, which, state)
            for player in range(2):
                expected = [f for f in seen(state, player) if not 0 <= f - latrunculi.REPEATED < latrunculi.REPEATS]
                assert seen(image, player) == images(game, which, expected)  # a position set up has not stood before
            assert sorted(image.actions) == action_images(game, which, state.actions)
        captures = [action for action in state.actions if game.tell("capture", s=state.record, action=action)]
        state.play(rng.choice(captures or state.actions))


def test_a_dux_is_seen_as_such_and_pieces_by_who_owns_them():
    game = spielbaum.load("latrunculi", preset="kowalski-dux", board="6x6")
    state = game.set_up("dS..../....../....../....../....../...MMD shells to move")
    squares = latrunculi.SQUARES
    own, enemy = ([f for f in seen(state, player) if f < latrunculi.AT_RISK] for player in range(2))
    assert own == [3, 4, squares + 61, 2 * squares + 5, 3 * squares + 60]
    assert enemy == [61, squares + 3, squares + 4, 2 * squares + 60, 3 * squares + 5]
    assert [latrunculi.ENEMY_S_TURN in seen(state, player) for player in range(2)] == [False, True]


def counts(state: spielbaum.State, player: int) -> list[int]:
    """What a player sees of the numbers of pieces and moves."""
    return [feature for feature in seen(state, player) if latrunculi.PIECES <= feature < latrunculi.STALL]


def test_pieces_and_moves_are_counted():
    state = spielbaum.load("latrunculi", board="6x6").set_up("M...../....../....../....../....../SSS..M shells to move")
    pieces, lead = latrunculi.PIECES, latrunculi.LEAD + latrunculi.LEADS
    assert counts(state, 0)[:3] == [pieces + 2, pieces + 26 + 3, lead - 1]
    assert counts(state, 1)[:3] == [pieces + 3, pieces + 26 + 2, lead + 1]
    moves, middle = len(state.actions), latrunculi.FREEDOM + latrunculi.EIGHTHS
    assert counts(state, 0)[3] == latrunculi.MOBILITY + 8 + moves // 2 == counts(state, 1)[4] - latrunculi.MOVES
    assert counts(state, 0)[5] - middle == middle - counts(state, 1)[5]


def test_few_moves_are_told_apart_better_than_many():
    classes = [latrunculi.class_of(moves) for moves in range(200)]
    assert classes[:17] == list(range(17)) and max(classes) == latrunculi.MOVES - 1
    steps = np.diff(classes)
    assert set(steps) == {0, 1} and steps[16:32].sum() == 8 == 2 * steps[32:48].sum()


def test_what_can_be_taken_is_seen():
    game = spielbaum.load("latrunculi", board="6x6")
    shell = latrunculi.AT_RISK + 12 * 2 + 2  # on c3, below a stone; another one may come to c2 or not
    for line, seen_by_owner, seen_by_enemy in (("....S.", [shell], [shell + latrunculi.SQUARES]), ("...M.S", [], [])):
        state = game.set_up(f"....../....../..S.../..M.../{line}/M..... shells to move")
        first, second = (
            [f for f in seen(state, player) if latrunculi.AT_RISK <= f < latrunculi.AGAIN] for player in range(2)
        )
        assert (first, second) == (seen_by_owner, seen_by_enemy)


def test_the_limit_of_quiet_plies_is_seen_when_it_is_near():
    game = spielbaum.load("latrunculi", board="6x6", quiet=60)
    text = "SS..../....../....../....../....../....MM shells to move, {} quiet plies"
    stall = {59: 0, 58: 1, 57: 1, 56: 2, 52: 3, 45: 3, 44: 4, 29: 4, 28: None}
    for plies, feature in stall.items():
        found = [f - latrunculi.STALL for f in seen(game.set_up(text.format(plies))) if f >= latrunculi.STALL]
        assert found == ([] if feature is None else [feature])


def test_a_position_that_has_stood_before_is_seen_as_such():
    game = spielbaum.load("latrunculi")
    around = ["a1-a2", "a8-a7", "a2-a1", "a7-a8"]
    repeated = [f for f in seen(game.play_all(around)) if f >= latrunculi.REPEATED]
    assert repeated == [latrunculi.REPEATED]
    assert seen(game.play_all(around[:3]))[-1] < latrunculi.REPEATED


def test_pieces_in_hand_and_extra_moves_are_seen():
    placing = spielbaum.load("latrunculi", placement=True, board="6x6").new()
    assert [f for f in seen(placing) if f < latrunculi.PIECES] == [latrunculi.HAND + 5, latrunculi.HAND + 25 + 5]
    again = "....../....../....../..M.../....../S.SM.. shells to move, extra move with c3"
    state = spielbaum.load("latrunculi", preset="same-piece", board="6x6").set_up(again)
    assert latrunculi.AGAIN + 2 * 12 + 2 in seen(state)
    state = spielbaum.load("latrunculi", board="6x6").set_up(again.removesuffix(" with c3"))
    assert latrunculi.ANY_AGAIN in seen(state)
