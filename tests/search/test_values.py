"""What a simulation is worth, and what those who play in it may know."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.search.mcts.value import difference
from tests.conftest import SMALL

NUMBERS = [("gains", "f8", 3), ("ends", "f8", 3)]


@pytest.mark.parametrize(("bias", "taken"), [(1.0, 0.5), (0.4, 0.4 * 0.5 + 0.6 / 3 * 4.0)])
def test_the_best_opponent_is_the_one_who_is_best_off_at_the_end(bias, taken):
    """Player 2 has gained most, but player 1 is ahead."""
    work, p = (
        np.zeros(1, np.dtype((np.record, NUMBERS))),
        np.zeros(1, np.dtype((np.record, [("players", "i8"), ("winner_bias", "f8")]))),
    )
    work["gains"], work["ends"] = [1.0, 0.5, 4.0], [2.0, 9.0, 5.0]
    p["players"], p["winner_bias"] = 3, bias
    assert difference.of_opponents(work[0], 0, p[0]) == pytest.approx(taken)


def test_simulated_players_follow_their_policy_with_what_they_may_see():
    """The second player would win every round if it saw the coin of the first."""
    game = spielbaum.load(SMALL / "pennies.py")
    agent = spielbaum.agent("mcts:iterations=500,simulate=peek,opponents=open-loop", game)
    agent.act(game.new().view(0))
    assert agent.report().value > 0.5
