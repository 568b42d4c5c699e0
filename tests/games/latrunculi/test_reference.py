"""Random games with random options, played by the compiled rules and by the plain ones side by side."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.games.latrunculi import rules
from spielbaum.games.latrunculi.variants import CORNER, DUX, END, EXTRA, PRESETS, STALL, variant
from tests.games.latrunculi.reference import SIDES, Reference

SIZES = st.tuples(st.integers(6, 12), st.integers(6, 12)).map(lambda size: f"{size[0]}x{size[1]}")
OPTIONS = st.fixed_dictionaries(
    {
        "board": st.one_of(st.just("6x6"), SIZES),
        "rows": st.integers(1, 2),
        "extra": st.sampled_from(EXTRA),
        "optional": st.booleans(),
        "corner": st.sampled_from(CORNER),
        "dux": st.sampled_from(DUX),
        "placement": st.booleans(),
        "end": st.sampled_from(END),
        "stall": st.sampled_from(STALL),
        "quiet": st.integers(40, 200),
        "repetition": st.integers(2, 5),
        "first": st.sampled_from(SIDES),
    }
)
PLIES = 150


def eager(moves: list[str], dice: random.Random) -> str:
    """A random move, more often than not one that takes something or goes back and forth on one rank."""
    captures = [move for move in moves if "x" in move]
    if captures and dice.random() < 0.7:
        return dice.choice(captures)
    return dice.choice(moves[: 1 + len(moves) // 8]) if dice.random() < 0.5 else dice.choice(moves)


def compare(state: spielbaum.State, plain: Reference) -> None:
    assert sorted(state.moves) == sorted(plain.moves())
    assert state.position.splitlines()[:-1] == plain.position()
    assert state.outcome == plain.result
    if plain.result:
        expected = [0.0, 0.0] if plain.winner is None else [1.0 if side == plain.winner else -1.0 for side in (0, 1)]
        assert state.returns == expected
    else:
        assert state.player == plain.to_move


def play_both(game: spielbaum.Game, seed: int) -> None:
    dice = random.Random(seed)
    chosen = variant(game.options)
    state, plain = game.new(seed), Reference(chosen, SIDES.index(chosen.first))
    for _ in range(PLIES):
        compare(state, plain)
        if state.over:
            break
        move = eager(state.moves, dice)
        state.play(move)
        plain.play(move)
        assert rules.key(game.tables, state.record) == rules.recompute_key(game.tables, state.record)


@given(OPTIONS, st.integers(0, 1 << 30))
@settings(max_examples=20, deadline=None)
def test_compiled_and_plain_rules_play_the_same_games(options, seed):
    play_both(spielbaum.load("latrunculi", **options), seed)


@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 1 << 30))
@settings(max_examples=8, deadline=None)
def test_compiled_and_plain_rules_agree_on_the_presets(preset, seed):
    play_both(spielbaum.load("latrunculi", preset=preset), seed)


@given(OPTIONS, st.integers(0, 1 << 30))
@settings(max_examples=10, deadline=None)
def test_listed_captures_are_the_moves_that_capture(options, seed):
    game, dice = spielbaum.load("latrunculi", **options), random.Random(seed)
    state, found = game.new(), np.zeros(1000, np.int64)
    for _ in range(80):
        if state.over:
            break
        n = game.module.captures(game.tables, state.record, found)
        taking = [action for action in state.actions if game.module.capture(game.tables, state.record, action)]
        assert sorted(found[:n].tolist()) == sorted(taking)
        assert taking == [action for action in state.actions if "x" in state.format(action)]
        state.play(eager(state.moves, dice))


@given(OPTIONS, st.integers(0, 1 << 30))
@settings(max_examples=10, deadline=None)
def test_positions_are_read_as_they_were_written(options, seed):
    game, dice = spielbaum.load("latrunculi", **options), random.Random(seed)
    state = game.new()
    for _ in range(dice.randrange(60)):
        if state.over:
            break
        state.play(eager(state.moves, dice))
    if state.over:
        return
    again = game.set_up(state.position)
    assert again.position == state.position
    assert sorted(again.moves) == sorted(state.moves)
    assert again.record.key == state.record.key
