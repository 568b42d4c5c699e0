"""Regret matching where something is hidden: it searches the whole game, so that beliefs follow from how all play."""

from __future__ import annotations

import pytest

import spielbaum
from spielbaum.agents.strategies import whole_strategy
from spielbaum.search.exploit import exploitability
from spielbaum.search.extensive import extensive

MIXED = "ismcts:select=regret-matching,decide=mix"
CHIPS = 2


@pytest.fixture(scope="module")
def poker():
    return extensive(spielbaum.load("kuhn-poker"))


def exploitable(tree, spec):
    return CHIPS * exploitability(tree, whole_strategy(tree, spec, 20, seed=1)).exploitability


def test_plain_search_is_as_exploitable_in_kuhn_poker_as_open_spiels(poker):
    assert exploitable(poker, "ismcts:iterations=2000") == pytest.approx(1 / 6, abs=0.01)


def test_regret_matching_comes_near_the_equilibrium_of_kuhn_poker_and_nearer_with_more_iterations(poker):
    few, many = (exploitable(poker, f"{MIXED},iterations={n}") for n in (1000, 10_000))
    assert many < few < 0.05
    assert many < 0.02


def test_a_decision_that_is_hardly_met_from_the_start_is_searched_from_where_it_is():
    pursuit = spielbaum.load("pursuit")
    state = pursuit.new(1)
    agent = spielbaum.agent(f"{MIXED},iterations=1000", pursuit, seed=1)
    assert agent.act(state) in state.actions
    assert sum(edge.visits for edge in agent.report().edges) >= 700
    assert not agent.search.trees[0].from_start


def test_what_is_reported_is_about_the_decision_and_not_about_the_start_of_the_game():
    poker = spielbaum.load("kuhn-poker")
    state = poker.new(3).play("check")
    agent = spielbaum.agent(f"{MIXED},iterations=3000", poker, seed=1)
    agent.act(state)
    report = agent.report(tree_nodes=5)
    assert agent.search.trees[0].from_start
    assert report.player == 1 and {edge.move for edge in report.edges} == {"check", "bet"}
    assert 100 < sum(edge.visits for edge in report.edges) < 1500
    assert sum(agent.chances().values()) == pytest.approx(1.0)
    assert agent.branch([], 1, 3)[1].player == 1


def test_slices_of_a_search_change_nothing():
    """The trial after which a search decides where to begin is at the same iteration, however it is cut into slices."""
    poker = spielbaum.load("kuhn-poker")
    found = []
    for slices in ([700], [100] * 7, [255, 1, 444]):
        agent = spielbaum.agent(f"{MIXED},iterations=1", poker, seed=4)
        agent.search.prepare(poker.new(1).view(0))
        for n in slices:
            agent.search.trees[0].run(n)
        found.append([array.tolist() for array in agent.search.strategy()])
    assert found[0] == found[1] == found[2]
