"""The modern players: the search and Latrunculi's rules together, the evaluation, stalls and levels."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.arena import match
from spielbaum.arena.stats import Tally
from spielbaum.games.latrunculi import KIOSK, rules
from spielbaum.games.latrunculi.evaluate import (
    ADVANCE,
    AT_EDGE,
    CONTACT,
    DIAGONAL,
    ROW,
    TASTE,
    WEIGHTS,
    evaluate,
    formation,
    survey,
)
from spielbaum.search.frames import SURE
from tests.games.latrunculi.boards import drawn

DEFAULTS = np.array([weight.default for weight in WEIGHTS], np.float64)
SEEDS = st.integers(0, 1 << 30)
QUICK_MASTER = "master:seconds=0.1"


def wandered(seed: int, **options) -> spielbaum.State:
    """A position after some random plies in which captures are preferred."""
    dice, state = random.Random(seed), spielbaum.load("latrunculi", **options).new()
    for _ in range(dice.randrange(5, 50)):
        captures = [move for move in state.moves if "x" in move]
        after = state.copy().play(dice.choice(captures or state.moves))
        if after.over:
            break
        state = after
    return state


def searched(spec: str, state: spielbaum.State):
    agent = spielbaum.agent(spec, state.game, seed=1)
    agent.act(state)
    return agent.report()


# --- the search -----------------------------------------------------------------------------------


@given(SEEDS, st.integers(1, 3), st.sampled_from(["any", "same", "none"]))
@settings(max_examples=6, deadline=None)
def test_alphabeta_sees_extra_moves_as_minimax_does(seed, depth, extra):
    state = wandered(seed, board="6x6", extra=extra)
    plain = searched(f"minimax:depth={depth}", state).value
    assert searched(f"alphabeta:depth={depth}", state).value == plain
    assert searched(f"alphabeta:depth={depth},table=0,order=off", state).value == plain


def test_two_captures_in_a_row_are_two_plies_of_one_side():
    state = drawn("...... ...... .MS..M ...... M.S... ....S.")
    line = searched("alphabeta:depth=2", state).line
    assert line[0] == "f4-d4xc4" and line[1].startswith(("a", "b", "d"))


def test_quiescence_looks_at_the_answer_to_the_last_move():
    state = drawn("...... .S.... ...S.. ..M... ...... M.M..S")
    blunder, sound = (searched(f"alphabeta:depth=1,quiescence={plies}", state) for plies in (0, 8))
    values = {edge.move: edge.value for edge in sound.edges}
    assert values["c3-c5"] < blunder.value
    assert sound.line[0] != "c3-c5"


# --- the evaluation -------------------------------------------------------------------------------


@given(SEEDS)
@settings(max_examples=8, deadline=None)
def test_the_evaluation_is_the_same_from_both_sides_with_another_sign(seed):
    state = wandered(seed)
    ours, theirs = (evaluate(state.game.tables, state.record, DEFAULTS, side) for side in (0, 1))
    assert ours == pytest.approx(-theirs)


@given(SEEDS)
@settings(max_examples=8, deadline=None)
def test_moves_are_counted_without_listing_them(seed):
    state = wandered(seed)
    if state.record.extra == 0:
        assert survey(state.game.tables, state.record, state.player)[1] == len(state.actions)


@pytest.mark.parametrize(
    ("taste", "shells", "stones"),
    [(AT_EDGE, 1, 1), (CONTACT, 2, 2), (ROW, 2, 0), (DIAGONAL, 1, 0), (ADVANCE, 11 / 6, 7 / 6)],
)
def test_tastes_are_counted_by_piece(taste, shells, stones):
    state = drawn("...... .MM... .SM... ...... ...... M....S")
    only = np.zeros(len(WEIGHTS))
    only[taste] = 1.0
    found = [formation(state.game.tables, state.record, only, side) for side in (0, 1)]
    assert found == pytest.approx([shells / 4, stones / 2])


def test_only_a_player_of_taste_likes_what_is_no_lead():
    state = drawn("...... .MM... .SM... ...... ...... M....S")
    fond = DEFAULTS.copy()
    fond[TASTE] = 1.0
    plain, liked = (evaluate(state.game.tables, state.record, weights, 0) for weights in (DEFAULTS, fond))
    assert liked - plain == pytest.approx(formation(state.game.tables, state.record, DEFAULTS, 0))


def test_a_piece_that_can_be_taken_and_one_that_can_not_move_are_noticed():
    state = drawn("SM.... M..... ...SM. ...... ..M... .....S")
    pieces, moves, risks, locked = survey(state.game.tables, state.record, 1)
    assert (pieces, risks, locked) == (3, 1, 1)
    assert moves == 8 + 10


# --- stalls and encirclement ----------------------------------------------------------------------


def about_to_repeat(picture: str, **options) -> spielbaum.State:
    """The stones could bring the first position about for the third time by a5-a6."""
    state = drawn(picture, **options)
    for move in ("a1-a2", "a6-a5", "a2-a1", "a5-a6", "a1-a2", "a6-a5", "a2-a1"):
        state.play(move)
    return state


@pytest.mark.parametrize(
    ("picture", "stall"),
    [
        ("S...SS ...... ...... ...... ...... MM...M", "majority"),  # level
        ("S...SS ...... ...... ...... ...... MM..MM", "majority"),  # behind
        ("S.S.SS ...... ...... ...... ...... MM...M", "draw"),  # ahead, for nothing
    ],
)
def test_master_does_not_repeat_what_gains_nothing(picture, stall):
    state = about_to_repeat(picture, stall=stall)
    agent = spielbaum.agent(QUICK_MASTER, state.game, seed=1)
    assert not state.copy().play(agent.act(state)).over


def test_the_key_tells_apart_how_often_both_sides_have_gone_to_and_fro():
    state = drawn("S...SS ...... ...... ...... ...... MM...M")
    keys = set()
    for move in ("a1-a2", "a6-a5", "a2-a1", "a5-a6", "a1-a2", "a6-a5", "a2-a1"):
        state.play(move)
        keys.add(int(rules.key(state.game.tables, state.record)))
    assert len(keys) == 7


@pytest.mark.parametrize(("spec", "outcome"), [(QUICK_MASTER, ""), (f"{QUICK_MASTER},adjudication=0", "on count")])
def test_master_plays_on_where_a_repetition_would_win_on_count(spec, outcome):
    state = about_to_repeat("S.SSSS ...... ...... ...... ...... MM....")
    agent = spielbaum.agent(spec, state.game, seed=1)
    assert state.play(agent.act(state)).outcome == outcome


def test_master_sees_that_a_blocked_enemy_has_lost():
    state = drawn("SSM... M..... ...... ...... ...... .M....")
    report = searched(QUICK_MASTER, state)
    assert (report.line[0], report.value) == ("b1-b5", SURE - 1)


def test_master_sees_an_encirclement_before_it_is_complete():
    state = drawn("SSM... M..M.. ...... ...... ...... ......", "stones to move")
    report = searched("alphabeta:depth=4", state.play("b6-b5"))
    assert report.value > SURE / 2


# --- levels ---------------------------------------------------------------------------------------


def duel(strong: str, weak: str, games: int) -> Tally:
    """The strong player's results, each opening with sides swapped."""
    return match("latrunculi", [strong, weak], games, seed=7, opening=4).results.agent_tally(0)


def test_medium_beats_easy():
    assert duel("medium", "easy", 10).score >= 0.7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        ("medium", "easy"),
        ("aggressive", "easy"),
        ("medium", "aggressive"),
        ("hard", "medium"),
        ("master:seconds=0.1", "hard"),
    ],
)
def test_levels_are_ordered(strong, weak):
    assert duel(strong, weak, 100).interval[0] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("points", ["balanced", "aggressive", "defensive"])
def test_master_beats_the_thesis(points):
    assert duel("master:seconds=0.1", f"thesis:points={points},depth=3", 40).interval[0] > 0.6


@pytest.mark.parametrize("spec", ["mcts:iterations=300,depth=4,c=0.3", "greedy", "easy", "hard"])
def test_general_and_named_agents_take_what_is_offered(spec):
    state = drawn("...... ...... .MS..M ...... ...... ....S.")
    assert spielbaum.agent(spec, state.game, seed=1).act(state) == state.parse("f4-d4xc4")


@pytest.mark.slow
def test_the_players_of_a_kiosk_decide_their_games_on_the_board() -> None:
    game = spielbaum.load("latrunculi", **KIOSK["options"])
    outcomes = []
    for seed in range(4):
        state = game.new(seed)
        seated = [spielbaum.agent(spec, game, seed=seed) for spec in (QUICK_MASTER, KIOSK["agents"][1])]
        while not state.over:
            state.play(seated[state.player].act(state))
        outcomes.append(state.outcome)
    assert outcomes.count("on the board") >= 3
