"""Liar's Dice: bids, doubts, wild dice, what is seen, and that it is OpenSpiel's game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielbaum
from spielbaum.games.liars_dice.rules import LIAR, UNKNOWN
from spielbaum.rules import random_stream

PLAYERS = 2  # of OpenSpiel


def rolled(*dice: str, moves: str = "", **options: int) -> spielbaum.State:
    """A game in which everybody has these dice, such as "15" a one and a five."""
    game = spielbaum.load("liars-dice", players=len(dice), dice=len(dice[0]), **options)
    state = game.new()
    for player, faces in enumerate(dice):
        state.record.dice[player, : game.tables.faces] = 0
        for face in faces:
            state.record.dice[player, int(face) - 1] += 1
    state.play_all([moves] if moves else [])
    return state


def test_a_bid_is_higher_than_the_last_and_only_a_bid_can_be_doubted():
    assert rolled("1", "2").moves == [
        "1x1",
        "1x2",
        "1x3",
        "1x4",
        "1x5",
        "1x6",
        "2x1",
        "2x2",
        "2x3",
        "2x4",
        "2x5",
        "2x6",
    ]
    assert rolled("1", "2", moves="2x4").moves == ["2x5", "2x6", "liar"]
    assert rolled("1", "2", moves="2x6").moves == ["liar"]


@pytest.mark.parametrize(
    ("dice", "bid", "is_true"),
    [("12", "1x1", True), ("12", "1x3", False), ("33", "2x3", True), ("36", "2x3", True), ("36", "2x6", False),
     ("66", "2x1", True), ("66", "2x6", True), ("31", "1x6", False)],
)  # fmt: skip
def test_the_bidder_wins_if_there_are_as_many_dice_and_sixes_count_as_every_face(dice, bid, is_true):
    bidder = 1 if is_true else -1
    assert rolled(*dice, moves=f"{bid} liar").returns == [bidder, -bidder]


def test_with_more_players_only_the_bidder_and_who_doubts_win_or_lose():
    assert rolled("1", "2", "3", moves="1x1 2x5 liar").returns == [0, -1, 1]
    assert rolled("5", "2", "6", moves="1x1 2x5 liar").returns == [0, 1, -1]


def test_the_highest_face_is_wild_whatever_it_is():
    assert rolled("3", "1", faces=3, moves="2x1 liar").returns == [1, -1]


def test_dice_are_seen_by_their_owner_until_somebody_is_called_a_liar():
    state = rolled("1", "2", moves="1x1")
    assert state.view(0).record.dice[1].tolist() == [UNKNOWN] * 6 and state.view(0).record.dice[0, 0] == 1
    assert str(state.view(1)) == "first: ?\nsecond: 2\nbids: 1x1"
    shown = state.play("liar")
    assert str(shown.view(1)) == "first: 1\nsecond: 2\nbids: 1x1 liar"


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), dice=st.integers(1, 3), players=st.integers(2, 4))
def test_a_guess_rolls_as_many_dice_as_everybody_has(seed, dice, players):
    game = spielbaum.load("liars-dice", dice=dice, players=players)
    world = game.new(seed).play(0).view(1)
    game.rules.determinize(game.context, world.array[0], 1, random_stream(seed))
    assert world.record.dice[:players].sum(axis=1).tolist() == [dice] * players


def test_who_has_bid_a_face_is_believed_to_have_it_more_often():
    game = spielbaum.load("liars-dice")
    view = game.play_all(["1x4"], seed=2).view(1)
    counts, random = np.zeros(6), random_stream(1)
    for _ in range(2000):
        world = view.copy()
        game.kernels.game_api.determinize(game.context, world.array, 1, random)
        counts += world.record.dice[0]
        assert world.view(1).array.tobytes() == view.array.tobytes()
    assert counts[3] > 2.5 * np.delete(counts, 3).max()
    assert counts.min() > 100


@pytest.mark.needs("pyspiel")
@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 4), (1, 3)])
def test_it_is_the_game_of_open_spiel(dice, faces):
    import pyspiel

    peer = pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={faces})")
    choices = np.random.default_rng(1)
    for _ in range(30):
        rolls = choices.integers(1, faces + 1, (PLAYERS, dice))
        ours = rolled(*("".join(map(str, roll)) for roll in rolls), faces=faces)
        theirs = peer.new_initial_state()
        for roll in rolls.ravel():
            theirs.apply_action(int(roll) - 1)
        while not theirs.is_terminal():
            assert ours.player == theirs.current_player()
            liar = dice * PLAYERS * faces
            assert [liar if action == LIAR else action for action in ours.actions] == theirs.legal_actions()
            action = int(choices.choice(theirs.legal_actions()))
            theirs.apply_action(action)
            ours.play(LIAR if action == liar else action)
        assert ours.over and ours.returns == theirs.returns()
