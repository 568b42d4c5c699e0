"""Kuhn poker: what beats what, what is seen, and that it is OpenSpiel's game."""

from __future__ import annotations

import itertools

import pytest

import spielbaum
from spielbaum.games.kuhn_poker.rules import JACK, KING, QUEEN, STAKE, UNKNOWN


def dealt(first: int, second: int, *moves: str) -> spielbaum.State:
    game = spielbaum.load("kuhn-poker")
    state = next(state for state in map(game.new, range(200)) if state.record.card.tolist() == [first, second])
    state.play_all(moves)
    return state


@pytest.mark.parametrize(
    ("moves", "chips"),
    [(["check", "check"], 1), (["bet", "call"], 2), (["check", "bet", "call"], 2)],
)
def test_the_higher_card_takes_the_pot(moves, chips):
    for first, second in itertools.permutations((JACK, QUEEN, KING), 2):
        won = chips if first > second else -chips
        assert dealt(first, second, *moves).returns == [won / STAKE, -won / STAKE]


def test_who_folds_loses_a_chip_whatever_the_cards():
    assert dealt(KING, JACK, "bet", "fold").returns == [0.5, -0.5]
    assert dealt(JACK, KING, "bet", "fold").returns == [0.5, -0.5]
    assert dealt(KING, JACK, "check", "bet", "fold").returns == [-0.5, 0.5]


def test_moves_are_called_by_whether_there_is_a_bet_to_answer():
    assert dealt(JACK, KING).moves == ["check", "bet"]
    assert dealt(JACK, KING, "bet").moves == ["fold", "call"]
    assert dealt(JACK, KING, "check", "bet").moves == ["fold", "call"]


def test_cards_are_shown_in_the_end_unless_somebody_folds():
    assert dealt(QUEEN, KING, "bet").view(0).record.card.tolist() == [QUEEN, UNKNOWN]
    assert dealt(QUEEN, KING, "bet", "call").view(0).record.card.tolist() == [QUEEN, KING]
    assert dealt(QUEEN, KING, "bet", "fold").view(0).record.card.tolist() == [QUEEN, UNKNOWN]
    assert str(dealt(QUEEN, KING, "check", "bet").view(1)) == "first: ?, second: K; check, bet"


def test_all_deals_come_up():
    game = spielbaum.load("kuhn-poker")
    deals = {tuple(game.new(seed).record.card.tolist()) for seed in range(100)}
    assert deals == set(itertools.permutations((JACK, QUEEN, KING), 2))


@pytest.mark.needs("pyspiel")
def test_it_is_the_game_of_open_spiel():
    import pyspiel

    peer = pyspiel.load_game("kuhn_poker")
    for cards in itertools.permutations((JACK, QUEEN, KING), 2):
        for moves in itertools.product((0, 1), repeat=3):
            ours, theirs = dealt(*cards), peer.new_initial_state()
            for card in cards:
                theirs.apply_action(card)
            for move in moves:
                if theirs.is_terminal():
                    break
                assert ours.player == theirs.current_player() and ours.actions == theirs.legal_actions()
                ours.play(move)
                theirs.apply_action(move)
            assert ours.over == theirs.is_terminal()
            assert [STAKE * won for won in ours.returns] == theirs.returns()
