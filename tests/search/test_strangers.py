"""Information sets where others hold a whole hand of cards: the tree goes on beyond the first of their decisions."""

from __future__ import annotations

import pathlib

import pytest

import spielbaum
from spielbaum.game import Game, State
from tests.search.test_mcts import searched

HEARTS = pathlib.Path(__file__).parents[2] / "examples" / "hearts.py"
TICKET = pathlib.Path(__file__).parents[1] / "small" / "ticket.py"
STOP, ASK = 0, 1
SEEDS = range(5)


@pytest.fixture(scope="module")
def hearts() -> Game:
    return spielbaum.load(HEARTS)


def after_the_first_lead(hearts: Game, seed: int) -> State:
    state = hearts.new(seed)
    return state.play(state.actions[0])


def search(state: State, spec: str, seed: int):
    agent = spielbaum.agent(spec, state.game, seed)
    agent.act(state)
    return agent


def test_hands_that_never_come_up_twice_end_no_tree(hearts):
    for seed in SEEDS:
        state = after_the_first_lead(hearts, seed)
        by_view, found = (search(state, f"ismcts:iterations=1000{nodes}", seed) for nodes in (",nodes=view", ""))
        assert by_view.report().depth <= 2
        assert found.report().depth > 3


def test_a_stranger_finds_the_good_answer_in_the_tree_and_so_is_not_asked():
    ticket = spielbaum.load(TICKET)
    for seed in SEEDS:
        state = ticket.new(seed)
        assert search(state, "ismcts:iterations=300", seed).act(state) == STOP
        assert search(state, "ismcts:iterations=30000,nodes=view", seed).act(state) == ASK


def test_only_players_to_whom_no_two_worlds_look_the_same_are_strangers(hearts):
    agent = search(after_the_first_lead(hearts, 1), "ismcts:iterations=100", 1)
    me = agent.report().player
    assert agent.search.trees[0].work["auto"]["stranger"][0].tolist() == [int(q != me) for q in range(4)]
    for name in ("kuhn-poker", "pursuit", "liars-dice"):
        game = spielbaum.load(name)
        agent = search(game.new(1), "ismcts:iterations=100", 1)
        assert not agent.search.trees[0].work["auto"]["stranger"].any(), name


def test_where_nobody_is_a_stranger_a_tree_is_that_of_views():
    game = spielbaum.load("pursuit")
    for seed in SEEDS:
        found, by_view = (searched(game, f"ismcts:iterations=500{nodes}", seed=seed) for nodes in ("", ",nodes=view"))
        assert found.report(1000).tree == by_view.report(1000).tree


def test_slices_of_a_search_do_not_change_who_is_a_stranger(hearts):
    found = []
    for slices in ([200], [10, 21, 1, 168], [31, 2, 167]):
        agent = spielbaum.agent("ismcts:iterations=1", hearts, seed=4)
        state = after_the_first_lead(hearts, 2)
        agent.search.prepare(state.view(state.player))
        for n in slices:
            agent.search.trees[0].run(n)
        found.append([array.tolist() for array in agent.search.root()])
    assert str(found[0]) == str(found[1]) == str(found[2])
