"""Nodes with a thousand legal actions: edges for what was tried, actions drawn without listing all."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.agents import resolve
from spielbaum.search.mcts.tree import USED_EDGES
from tests.conftest import SMALL

WIDTH = 1400


def searched(spec: str, seed: int = 0):
    agent = spielbaum.agent(spec, game(), seed)
    agent.act(game().new())
    return agent


def game():
    return spielbaum.load(SMALL / "wide.py")


def root_actions(agent) -> list[int]:
    return [edge.action for edge in agent.report().edges]


def test_a_wide_game_draws_its_children_unless_told_otherwise():
    _, values = resolve("mcts", game())
    assert values["expand"] == "lazy"
    _, values = resolve("mcts", spielbaum.load("connect-four"))
    assert values["expand"] == "all"


def test_every_action_is_tried_once_before_any_is_tried_twice():
    agent = searched(f"mcts:iterations={WIDTH}")
    edges = agent.report().edges
    assert sorted(edge.action for edge in edges) == list(range(WIDTH))
    assert {edge.visits for edge in edges} == {1.0}


def test_once_all_are_tried_the_search_goes_deeper():
    agent = searched(f"mcts:iterations={4 * WIDTH}")
    edges = agent.report().edges
    assert len(edges) == WIDTH and sum(edge.visits for edge in edges) == 4 * WIDTH
    assert agent.report().depth >= 2
    named = {edge.action for edge in edges[:50]}
    assert sum(action % 7 == 0 for action in named) > 25, "what scores is preferred"


def test_untried_actions_are_drawn_uniformly():
    firsts = [action for seed in range(40) for action in root_actions(searched("mcts:iterations=10", seed))]
    assert len(set(firsts)) > 300
    assert 0.4 < sum(action < WIDTH / 2 for action in firsts) / len(firsts) < 0.6


def test_an_edge_costs_memory_only_when_it_was_tried():
    agent = searched("mcts:iterations=300000")
    tree = agent.search.trees[0].arrays
    assert tree.used[USED_EDGES] > 250_000
    assert agent.report().memory / tree.used[USED_EDGES] < 128


def test_filters_reject_what_is_drawn():
    agent = searched("mcts:iterations=3000,filter=sevens")
    assert sorted(root_actions(agent)) == list(range(0, WIDTH, 7))


def test_a_filter_that_strikes_off_everything_is_not_heard():
    assert len(root_actions(searched("mcts:iterations=500,filter=nothing"))) == 500


def test_widening_limits_how_many_are_tried():
    visits = 2500
    agent = searched(f"mcts:iterations={visits},widen=1")
    assert len(root_actions(agent)) == 1 + int((visits - 1) ** 0.5)
    assert agent.report().depth > searched(f"mcts:iterations={visits}").report().depth


@pytest.mark.parametrize("adjusted", ["select=puct", "bias=1"])
def test_what_compares_priors_of_all_children_is_refused(adjusted):
    with pytest.raises(spielbaum.SpielbaumError, match="use expand=all or"):
        spielbaum.agent(f"mcts:{adjusted}", game())
