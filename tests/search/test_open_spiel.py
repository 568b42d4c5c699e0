"""The same work as OpenSpiel's MCTS, and at least as good at it. Needs the extra `bench`."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from benchmarks.strength import GAMES, match_open_spiel

pytestmark = pytest.mark.needs("pyspiel")
SEEDS, SIMULATIONS = range(1, 61), 1000


def our_shares(seed: int) -> np.ndarray:
    game = spielbaum.load("connect-four")
    agent = spielbaum.agent(f"mcts:iterations={SIMULATIONS},c=1.4", game, seed)
    agent.act(game.new())
    shares = np.zeros(7)
    for edge in agent.report().edges:
        shares[edge.action] = edge.visits / SIMULATIONS
    return shares


def their_shares(seed: int) -> np.ndarray:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, SIMULATIONS, 1000, False, seed, False)
    shares = np.zeros(7)
    for child in bot.mcts_search(game.new_initial_state()).children:
        shares[child.action] = child.explore_count / SIMULATIONS
    return shares


def test_root_visits_are_shared_out_as_open_spiel_does():
    ours, theirs = (np.array([shares(seed) for seed in SEEDS]) for shares in (our_shares, their_shares))
    error = np.sqrt(ours.var(axis=0) / len(SEEDS) + theirs.var(axis=0) / len(SEEDS))
    assert (np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4 * error).all()


@pytest.mark.slow
def test_with_the_same_simulations_we_play_at_least_as_well():
    tally = match_open_spiel(GAMES)
    assert tally.games == 400
    assert tally.interval[1] >= 0.5
