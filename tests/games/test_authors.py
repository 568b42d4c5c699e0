"""The plain games of the benchmarks agree with OpenSpiel's, move by move. Needs the extra `bench`."""

from __future__ import annotations

import random

import pytest

import spielbaum
from benchmarks.authors import NAMES, file_of
from spielbaum.testing import assert_lawful


@pytest.mark.needs("pyspiel")
@pytest.mark.parametrize("name", NAMES)
def test_a_game_from_plain_rules_is_that_of_open_spiel(name):
    import pyspiel

    game, peer = spielbaum.load(file_of(name)), pyspiel.load_game(name)
    for seed in range(30):
        choices, ours, theirs = random.Random(seed), game.new(), peer.new_initial_state()
        while not theirs.is_terminal():
            assert ours.player == theirs.current_player()
            named = {theirs.action_to_string(action).rstrip("*"): action for action in theirs.legal_actions()}
            assert sorted(ours.moves) == sorted(named)
            move = choices.choice(sorted(named))
            theirs.apply_action(named[move])
            ours.play(ours.parse(move))
        assert ours.over
        assert ours.returns == theirs.returns()


@pytest.mark.parametrize("name", NAMES)
def test_a_game_from_plain_rules_is_lawful(name):
    assert_lawful(file_of(name), games=3)
