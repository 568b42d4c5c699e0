"""Tournaments: who meets whom, in one run that can be interrupted, and what it says about the agents."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.arena import Run, Store, rate, summarize, tournament

PIG = ["hold-at-20", "race-or-pace", "greedy", "random"]


class Interrupted(Exception):
    """Stands for Ctrl-C."""


def test_a_round_robin_ranks_the_agents_and_tells_neighbours_apart():
    run = tournament("pig", PIG, 200, seed=1)
    assert run.games == 6 * 200
    ratings = rate(run.results)
    assert {rating.name for rating in ratings[:2]} == {"hold-at-20", "race-or-pace"}
    assert {rating.name for rating in ratings[2:]} == {"greedy", "random"}
    assert ratings[1].p_next is not None and ratings[1].p_next < 0.001


def test_every_pairing_swaps_its_seats_equally_often():
    run = tournament("pig", PIG, 10)
    table = summarize(run)["cross_table"]
    for one in PIG:
        assert all(table[one][other]["games"] == 10 for other in PIG if other != one)
    for agent in range(4):
        first = (run.results.seats[:, 0] == agent).sum()
        assert first == (run.results.seats[:, 1] == agent).sum() == 15


def test_a_gauntlet_is_the_first_against_all_others():
    run = tournament("pig", PIG, 4, format="gauntlet")
    assert run.games == 12
    assert all(0 in game for game in run.results.seats.tolist())


def test_games_of_three_use_all_seats_and_ratings_of_teams():
    run = tournament("pursuit", ["keen", "random", "greedy", "keen"], 6)
    assert run.games == 4 * 6  # all groups of three, all six orders
    assert {len(set(game)) for game in run.results.seats.tolist()} == {3}
    assert len(rate(run.results)) == 4
    assert list(summarize(run)["agents"]) == ["keen", "random", "greedy", "keen (2)"]


def test_a_swiss_tournament_pairs_by_score_and_nobody_meets_twice():
    run = tournament("pig", [*PIG, "easy"], 20, seed=3, format="swiss")
    assert len(run.plan.groups) == 3 * 2  # three rounds of two pairs, one agent off
    assert len(set(run.plan.groups)) == 6
    again = tournament("pig", [*PIG, "easy"], 20, seed=3, format="swiss", workers=2)
    assert again.plan == run.plan and again.scores.tolist() == run.scores.tolist()


def test_a_swiss_tournament_goes_on_where_it_was_interrupted(tmp_path):
    agents = ["mcts:iterations=4", "mcts:iterations=2", "random", "mcts:iterations=1"]
    whole = tournament("tic-tac-toe", agents, 60, seed=2, format="swiss", rounds=3)

    def interrupt(run: Run) -> None:
        if run.games > 150:  # in the second round
            raise Interrupted

    with Store(tmp_path / "games.db") as store:
        with pytest.raises(Interrupted):
            tournament("tic-tac-toe", agents, 60, 2, format="swiss", rounds=3, store=store, watch=interrupt)
        before = store.run(1).games
        run = tournament("tic-tac-toe", agents, 60, 2, format="swiss", rounds=3, store=store, resume=True)
        assert 120 < before < 360
        assert run.number == 1 and run.played == 360 - before
        assert store.run(1).games == 360 and store.run(1).plan == whole.plan
    assert run.scores.tolist() == whole.scores.tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"format": "swis"}, "unknown format 'swis'; did you mean 'swiss'"),
        ({"agents": ["random"]}, "needs at least 2 agents, not 1"),
        ({"rounds": 2}, "rounds are for the Swiss format"),
        ({"game": "pursuit", "format": "swiss"}, "the Swiss format is for games with two seats, not 3"),
    ],
)
def test_a_tournament_that_can_not_be_is_refused(settings, message):
    arguments = {"game": "pig", "agents": PIG, "games": 2, **settings}
    with pytest.raises(spielbaum.SpielbaumError, match=message):
        tournament(**arguments)
