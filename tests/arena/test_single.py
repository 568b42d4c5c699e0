"""One game between agents: legality, what an agent sees, seeds."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.agents import StatelessAgent
from spielbaum.arena.single import make_agents, play_game
from spielbaum.arena.stats import Tally, wilson
from spielbaum.rules import seat_seed


class Stubborn(StatelessAgent):
    """Always answers the same action, and remembers what it was shown."""

    def __init__(self, action: int):
        self.action, self.shown = action, []

    def act(self, state, clock=None, *, watch=None):
        self.shown.append(state)
        return self.action


def test_an_illegal_answer_forfeits_the_game_with_its_seat_and_its_reason():
    game = spielbaum.load("connect-four")
    record = play_game(game, [Stubborn(0), Stubborn(9)])
    assert record.forfeit == (1, "answered 9, which is not legal")
    assert record.actions == [0] and record.returns == [1, -1] and record.decisions == [1, 1]


def test_agents_are_shown_only_what_their_seat_may_see():
    game = spielbaum.load("light-cycles")
    first, second = Stubborn(0), Stubborn(0)
    assert play_game(game, [first, second]).forfeit is not None
    assert all(state.asked == 0 and state.record.round_choices[0] < 0 for state in second.shown)
    assert all(len(state.history) % 2 == 0 for state in second.shown)
    dice = game.new().rng[0]
    assert all(state.rng[0] != dice for state in first.shown + second.shown)


@pytest.mark.parametrize("name", ["connect-four", "light-cycles", "pursuit", "pig", "tic-tac-toe"])
def test_the_same_seed_gives_the_same_game_and_another_seed_another_one(name):
    game = spielbaum.load(name)
    records = [play_game(game, make_agents(game, ["random"] * game.players, seed), seed) for seed in (3, 3, 4)]
    assert records[0] == records[1]
    assert records[0].actions != records[2].actions


def test_no_two_agents_and_no_two_games_share_a_seed():
    seeds = {seat_seed(seed, seat) for seed in range(200) for seat in range(6)}
    assert len(seeds) == 1200


def test_the_number_of_agents_must_be_that_of_the_seats():
    with pytest.raises(spielbaum.SpielbaumError, match=r"connect-four has 2 seats \(yellow, red\), not 3"):
        make_agents(spielbaum.load("connect-four"), ["random"] * 3, 0)


def test_a_record_can_be_played_again():
    game = spielbaum.load("pig")
    record = play_game(game, make_agents(game, ["hold-at-20", "random"], 5), 5)
    assert game.play_all(record.actions, seed=record.seed).returns == record.returns


def test_metrics_of_every_round_are_recorded_when_all_are_asked_anew():
    game = spielbaum.load("light-cycles")
    record = play_game(game, make_agents(game, ["random", "random"], 5), 5, rounds=True)
    assert record.metrics.shape == (len(record.actions) // 2 + 1, 2, 1)
    assert record.metrics[0].tolist() == [[31], [31]]


def test_scores_have_an_interval():
    tally = Tally(wins=60, draws=20, losses=20)
    assert (tally.games, tally.score) == (100, 0.7)
    low, high = tally.interval
    assert 0.6 < low < 0.7 < high < 0.8
    assert wilson(0.0, 10)[0] == 0.0 and wilson(1.0, 10)[1] == pytest.approx(1.0)
    assert wilson(0.5, 0) == (0.0, 1.0)
