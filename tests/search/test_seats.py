"""Symmetric games in which all move at once: who is asked first has no advantage, and knows of none."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.arena import match
from spielbaum.arena.stats import wilson

LEVELS = ("easy", "medium", "hard")
Z99 = 2.576


def score_of_first_seat(game: str, spec: str, games: int) -> float:
    """What an agent scores against itself in the seat that is asked first; a draw counts half."""
    return float(match(spielbaum.load(game), [spec, spec], games, 1, rotate=False).scores.mean())


@pytest.mark.parametrize(("game", "spec"), [("goofspiel", "ismcts:iterations=300"), ("light-cycles", "easy")])
def test_no_seat_scores_much_more_than_the_other(game, spec):
    assert 0.4 < score_of_first_seat(game, spec, 200) < 0.6


@pytest.mark.parametrize(("game", "spec"), [("goofspiel", "mcts"), ("light-cycles", "hard")])
def test_a_search_expects_as_much_from_either_seat(game, spec):
    game = spielbaum.load(game)
    for seat in (0, 1):
        agent = spielbaum.agent(f"{spec}:iterations=30000", game, seed=seat)
        agent.act(game.new(seed=1).view(seat))
        _, visits, means, _ = agent.search.root()
        assert abs(np.average(means, weights=visits)) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mcts:iterations=100", "ismcts:iterations=100", *LEVELS])
@pytest.mark.parametrize("game", ["goofspiel", "light-cycles"])
def test_both_seats_score_the_same_within_the_interval_of_a_thousand_games(game, spec):
    searches = "iterations" in spielbaum.agents.resolve(spec, spielbaum.load(game))[1]
    fewer = f"{spec}:iterations=100" if spec in LEVELS and searches else spec
    low, high = wilson(score_of_first_seat(game, fewer, 1000), 1000, Z99)
    assert low <= 0.5 <= high
