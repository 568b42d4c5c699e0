"""Rounds in which all move at once: decoupled trees, what nobody may know, and what is kept between rounds."""

from __future__ import annotations

import numpy as np
import pytest

import spielbaum
from spielbaum.search.mcts.tree import USED_EDGES
from tests.conftest import SMALL


def bids(players: int = 2):
    return spielbaum.load(SMALL / "bids.py", players=players)


def tree_of(agent) -> tuple[tuple[float, ...], ...]:
    tree = agent.search.trees[0].arrays
    return tuple(map(tuple, tree.edges[: tree.used[USED_EDGES]].tolist()))


@pytest.mark.parametrize("select", ["ucb1", "exp3", "regret-matching"])
def test_thinking_does_not_depend_on_who_is_asked_first(select):
    game = bids(3)
    trees, chosen = set(), []
    for seat in range(3):
        agent = spielbaum.agent(f"mcts:iterations=500,select={select}", game, seed=1)
        state = game.new()
        for other in range(seat):
            state.play(other % 3)  # what they choose is nobody's business
        assert state.player == seat
        agent.act(state.view(seat))
        trees.add(tree_of(agent))
        chosen.append(agent.report().edges)
    assert len(trees) == 1
    for edges in chosen:
        assert sum(edge.visits for edge in edges) == 500, "no seat gets its budget split"


def test_what_others_have_chosen_changes_nothing():
    game = bids()
    answers = []
    for choice in range(3):
        state = game.new().play(choice)
        agent = spielbaum.agent("mcts:iterations=500,select=ucb1", game, seed=2)
        answers.append((agent.act(state.view(1)), tree_of(agent)))
    assert len(set(answers)) == 1


def test_one_after_the_other_is_pessimistic():
    """Who is seen choosing loses at rock, paper, scissors, but for what the others try at random; who is not, draws."""
    game, spec = spielbaum.load("rock-paper-scissors"), "mcts:iterations=3000,select=regret-matching,gamma=0.1"
    rounds, sequential = (spielbaum.agent(f"{spec},model={model}", game) for model in ("rounds", "sequential"))
    for agent in (rounds, sequential):
        agent.act(game.new().view(0))
    assert sequential.report().value < -0.8 < -0.2 < rounds.report().value < 0.2


@pytest.mark.parametrize(("depth", "happened"), [("depth=2", 1), ("depth=3", 2), ("depth=1,depth-in=rounds", 2)])
@pytest.mark.parametrize("seat", range(3))
def test_the_depth_of_a_simulation_counts_choices_or_whole_rounds(depth, happened, seat):
    """One round happens in the tree; the evaluation of these bids says how many have happened in all."""
    agent = spielbaum.agent(f"mcts:iterations=1,value=evaluation,{depth}", bids(3))
    agent.act(bids(3).new().view(seat))
    assert agent.report().value == happened


def test_two_mirrored_seats_have_the_same_prospects():
    agent = spielbaum.agent("mcts:iterations=20000,select=regret-matching,decide=mix", bids())
    agent.act(bids().new().view(0))
    assert abs(agent.report().value) < 0.1


def test_a_mixed_decision_follows_the_average_strategy():
    agent = spielbaum.agent("mcts:iterations=3000,select=regret-matching,decide=mix", bids())
    state = bids().new().view(0)
    actions, counts = None, np.zeros(3)
    for _ in range(60):
        counts[agent.act(state)] += 1
    actions, strategy = agent.search.strategy()
    assert strategy.sum() == pytest.approx(1.0)
    likely = actions[strategy.argmax()]
    assert counts[likely] == counts.max() or counts.max() - counts[likely] < 15
    assert (counts > 0).sum() == (strategy > 0.1).sum() or (counts > 0).sum() >= 2


@pytest.mark.parametrize("spec", ["mcts:iterations=1000", "mcts:iterations=1000,opponents=open-loop"])
def test_the_tree_is_kept_from_round_to_round(spec):
    game = bids()
    visits = {}
    for reuse in ("fresh", "keep"):
        agent, state = spielbaum.agent(f"{spec},reuse={reuse}", game, seed=3), game.new()
        state.play(agent.act(state.view(0))).play(1)
        agent.act(state.view(0))
        visits[reuse] = sum(edge.visits for edge in agent.report().edges)
    assert visits["fresh"] == 1000
    assert visits["keep"] > 1020


def test_kept_rounds_are_those_behind_what_was_played():
    """The statistics of the kept root are those that the old tree had for that round."""
    game = bids()
    agent, state = spielbaum.agent("mcts:iterations=2000,reuse=keep", game, seed=4), game.new()
    first = agent.act(state.view(0))
    old = agent.search.branch([first, 1], 1, 3)[0]
    state.play(first).play(1)
    agent.search.prepare(state.view(0))
    new = agent.search.branch([], 1, 3)[0]
    assert [(n.action, n.visits, n.value) for n in new.children] == [
        (n.action, n.visits, n.value) for n in old.children
    ]
    assert sum(n.visits for n in new.children) > 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_for_any_number_of_players(players):
    game, state = bids(players), bids(players).new()
    agents = [spielbaum.agent("mcts:iterations=50", game, seed) for seed in range(players)]
    while not state.over:
        state.play(agents[state.player].act(state.view(state.player)))
    assert len(state.history) == 3 * players


def test_alpha_beta_asks_one_after_the_other():
    agent = spielbaum.agent("alphabeta:depth=6", bids())
    assert agent.act(bids().new().play(2).view(1)) in (0, 1, 2)
    assert agent.report().proven


def test_information_sets_of_rounds_are_found_again_for_the_decision():
    game = spielbaum.load(SMALL / "sealed.py")
    for seed in range(6):
        for seat in (0, 1):
            state = game.new(seed)
            agent = spielbaum.agent("ismcts:iterations=1000", game, seed)
            best = 1 if state.record.card[seat] == 2 else 2
            assert agent.act(state.view(seat)) == best
            assert sum(edge.visits for edge in agent.report().edges) > 900
